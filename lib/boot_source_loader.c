// SPDX-License-Identifier: MIT
/* The times that boot loaders leave in EFI variables. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/boot_efi.h"
#include "lib/boot_source.h"

#define EFIVARS "/sys/firmware/efi/efivars"
#define VENDOR "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

/* A decimal number, with attributes before it. */
#define VARIABLE_BYTES 128u

/* struct loader - the variables' bytes; a length of 0 is none */
struct loader {
	uint8_t bytes[3][VARIABLE_BYTES];
	size_t len[3];
};

enum { INIT, MENU, EXEC };

static const char *const paths[] = {
	EFIVARS "/LoaderTimeInitUSec-" VENDOR,
	EFIVARS "/LoaderTimeMenuUSec-" VENDOR,
	EFIVARS "/LoaderTimeExecUSec-" VENDOR,
};

static int any_entry(void *context, const char *name)
{
	(void)context;
	(void)name;
	return 1;
}

static void say_missing(const struct boot_tree *tree, struct finding *finding)
{
	if (!boot_tree_has(tree, "/sys/firmware/efi"))
		finding_set(finding, FINDING_ABSENT,
			    "Nothing to do: loaders leave their times with UEFI only.",
			    "the machine was not booted through UEFI");
	else if (boot_tree_each(tree, EFIVARS, any_entry, NULL) != 1)
		finding_set(finding, FINDING_BLOCKED, "mount -t efivarfs efivarfs " EFIVARS,
			    EFIVARS " is empty: efivarfs is not mounted");
	else
		finding_set(finding, FINDING_ABSENT,
			    "Use systemd-boot, or a GRUB that speaks the boot loader interface; "
			    "neither writes them in a virtual machine.",
			    "the boot loader left no times in EFI variables (or there was none)");
}

static void *loader_open(const struct boot_tree *tree, struct finding *finding)
{
	struct loader *loader = calloc(1, sizeof(*loader));
	ssize_t len;

	if (!loader)
		return boot_source_no_memory(finding);
	for (size_t i = 0; i < 3; i++) {
		len = boot_tree_read(tree, paths[i], loader->bytes[i], VARIABLE_BYTES);
		loader->len[i] = len > 0 ? (size_t)len : 0;
	}
	if (loader->len[INIT] || loader->len[EXEC])
		return loader;
	say_missing(tree, finding);
	free(loader);
	return NULL;
}

/* One variable's time in ns, 0 for none. 1 or 0, or -EBADMSG if it holds no time. */
static int read_time(const struct loader *loader, size_t i, int64_t *ns)
{
	uint64_t us;

	*ns = 0;
	if (!loader->len[i])
		return 0;
	if (boot_efi_usec(loader->bytes[i], loader->len[i], &us) < 0)
		return -EBADMSG;
	*ns = us > INT64_MAX / 1000 ? INT64_MAX : (int64_t)us * 1000;
	return 1;
}

static int add(struct hadal_boot *boot, const char *name, int64_t start, int64_t end)
{
	int ret = hadal_boot_add_span(boot, "loader", HADAL_CLOCK_COUNTER, name, start,
				      end > start ? end - start : 0);

	if (ret == 0 && end < start)
		ret = hadal_span_doubt(&boot->spans[boot->span_count - 1],
				       "it ends %" PRId64 " ms before it starts",
				       (start - end) / 1000000);
	return ret;
}

static int add_spans(struct hadal_boot *boot, const int64_t ns[3])
{
	int64_t start = ns[INIT];
	int ret = start ? add(boot, "firmware", 0, start) : 0;

	if (ret == 0 && start && ns[MENU]) {
		ret = add(boot, "boot loader, up to its menu", start, ns[MENU]);
		start = ns[MENU];
	}
	if (ret == 0 && ns[EXEC])
		ret = add(boot,
			  !ns[INIT] ? "firmware and boot loader" :
			  ns[MENU]  ? "boot loader, from its menu on" :
				      "boot loader",
			  start, ns[EXEC]);
	return ret;
}

static int loader_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct loader *loader = state;
	int64_t ns[3];
	int count = 0, got;

	for (size_t i = 0; i < 3; i++) {
		got = read_time(loader, i, &ns[i]);
		if (got < 0 &&
		    hadal_lines_add(&boot->damage, "EFI variable %s: not a number of microseconds",
				    strrchr(paths[i], '/') + 1) < 0)
			return -ENOMEM;
		count += got > 0 && ns[i];
	}
	if (add_spans(boot, ns) < 0)
		return -ENOMEM;
	if (count)
		finding_set(finding, FINDING_READY, NULL, "%d times in EFI variables", count);
	else
		finding_set(finding, FINDING_BLOCKED, "Report it to the boot loader's makers.",
			    "the boot loader's EFI variables hold no times");
	return count > 0;
}

const struct boot_source boot_source_loader = {
	.name = "loader",
	.open = loader_open,
	.read = loader_read,
	.close = free,
};
