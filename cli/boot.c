// SPDX-License-Identifier: MIT
/* hadal boot: where firmware spent the boot. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report/boot_in.h"
#include "report/boot_out.h"

static const char help[] =
	"Usage: hadal boot -i FILE [OPTIONS]\n"
	"       hadal boot list -i FILE [OPTIONS]\n"
	"\n"
	"Shows where firmware spent the boot, from a recording; `list` shows what CBMEM holds.\n"
	"\n"
	"  -i, --input FILE     the recording, - for standard input: a timestamp table, a\n"
	"                       coreboot table, a CBMEM area, an image of physical memory, a\n"
	"                       JSON document of this verb, or what `cbmem -t` printed\n"
	"      --base ADDR      physical address of the recording's first byte\n"
	"      --tick-khz N     the counter's frequency in kHz, whatever the recording says\n"
	"      --names FILE     names for IDs, lines of `ID NAME`\n"
	"      --format FMT     table (default), cbmem, parseable, folded or json;\n"
	"                       for list: cbmem (default), table or json\n"
	"      --json           short for --format=json\n"
	"  -o, --output FILE    write there instead of to standard output\n"
	"      --color WHEN     auto (default), always or never\n"
	"  -q, --quiet          no warnings\n"
	"  -v, --verbose        say what was found, and how\n"
	"  -h, --help           this text\n"
	"\n"
	"cbmem, parseable and folded are what coreboot's `cbmem -t`, `-T` and `-S` print, and\n"
	"list prints what `cbmem -l` does.\n"
	"\n"
	"Examples:\n"
	"  hadal boot -i timestamps.bin\n"
	"  hadal boot -i memory.img --base=0x7fdb0000 --json -o boot.json\n"
	"  cbmem -t | hadal boot -i -\n"
	"  hadal boot -i timestamps.bin --format=folded | flamegraph.pl --countname=us > boot.svg\n"
	"\n"
	"Exit status: 0 shown; 2 usage; 3 not possible here; 4 bad input, even if a part of it\n"
	"could be shown.\n";

enum { OPT_BASE = CLI_OPT_VERB, OPT_TICK_KHZ, OPT_NAMES };

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "base", required_argument, NULL, OPT_BASE },
	{ "tick-khz", required_argument, NULL, OPT_TICK_KHZ },
	{ "names", required_argument, NULL, OPT_NAMES },
	CLI_LONG_OPTIONS,
	{ 0 },
};

static const struct boot_writer *const writers[] = {
	&boot_writer_table,  &boot_writer_cbmem, &boot_writer_parseable,
	&boot_writer_folded, &boot_writer_json,
};

/* struct boot_options - what the command line says */
struct boot_options {
	struct cli_options common;
	const char *input;
	const char *names;
	uint64_t base;
	bool has_base;
	uint32_t tick_khz;
	bool list;
	const struct boot_writer *writer;
};

static int parse_tick_khz(struct boot_options *opts)
{
	uint64_t khz;

	if (cli_parse_u64(optarg, &khz) < 0 || !khz || khz > UINT32_MAX)
		return cli_usage("--tick-khz=%s: it is a number of kHz from 1 to 4294967295",
				 optarg);
	opts->tick_khz = (uint32_t)khz;
	return -1;
}

static int parse_base(struct boot_options *opts)
{
	if (cli_parse_u64(optarg, &opts->base) < 0)
		return cli_usage("--base=%s: it is an address like 0x7fdb0000", optarg);
	opts->has_base = true;
	return -1;
}

static int parse_option(struct boot_options *opts, int opt)
{
	switch (opt) {
	case 'i':
		opts->input = optarg;
		return -1;
	case OPT_BASE:
		return parse_base(opts);
	case OPT_TICK_KHZ:
		return parse_tick_khz(opts);
	case OPT_NAMES:
		opts->names = optarg;
		return -1;
	default:
		return cli_option(&opts->common, opt, &boot_verb);
	}
}

static int find_writer(struct boot_options *opts)
{
	const char *name = opts->common.format;

	if (!name)
		name = opts->list ? "cbmem" : "table";
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		if (strcmp(writers[i]->name, name) != 0)
			continue;
		if (opts->list && !writers[i]->list)
			return cli_usage("--format=%s: list has cbmem, table and json", name);
		opts->writer = writers[i];
		return -1;
	}
	return cli_usage("--format=%s: there is no such format", name);
}

/* Returns -1 to go on, or the status to end with. */
static int parse(struct boot_options *opts, int argc, char **argv)
{
	int opt, status;

	while ((opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS "i:", long_options, NULL)) != -1) {
		status = parse_option(opts, opt);
		if (status >= 0)
			return status;
	}
	if (optind < argc)
		return cli_usage("'%s' is one argument too many", argv[optind]);
	return find_writer(opts);
}

/* --- files ------------------------------------------------------------------------------- */

/* More than any image of memory that makes sense through a pipe. */
#define PIPE_BYTES_MAX ((size_t)1 << 30)

/* struct input - a file's bytes, mapped or read */
struct input {
	void *bytes;
	size_t len;
	bool mapped;
};

static void input_close(struct input *in)
{
	if (in->mapped)
		munmap(in->bytes, in->len);
	else
		free(in->bytes);
	*in = (struct input){ 0 };
}

static int read_all(struct input *in, int fd)
{
	size_t room = 0;
	ssize_t got;
	void *grown;

	do {
		if (in->len == room) {
			room = room ? room * 2 : 65536;
			if (room > PIPE_BYTES_MAX)
				return -EFBIG;
			grown = realloc(in->bytes, room);
			if (!grown)
				return -ENOMEM;
			in->bytes = grown;
		}
		got = read(fd, (char *)in->bytes + in->len, room - in->len);
		if (got < 0 && errno != EINTR)
			return -errno;
		in->len += got > 0 ? (size_t)got : 0;
	} while (got != 0);
	return 0;
}

/* Regular files are mapped: images of memory are large and mostly empty. */
static int input_load(struct input *in, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return read_all(in, fd);
	in->bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (in->bytes == MAP_FAILED) {
		in->bytes = NULL;
		return -errno;
	}
	in->len = (size_t)st.st_size;
	in->mapped = true;
	return 0;
}

static int input_open(struct input *in, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	*in = (struct input){ 0 };
	if (fd < 0)
		return -errno;
	ret = input_load(in, fd);
	if (ret < 0)
		input_close(in);
	if (!is_stdin)
		close(fd);
	return ret;
}

/* Opens a file or says why it cannot be. A file that is none is bad input, not a poor machine. */
static int open_or_say(struct input *in, const char *path)
{
	int ret = input_open(in, path);

	if (ret == 0)
		return STATUS_DONE;
	cli_error(path,
		  ret == -EACCES ? "Read it as a user who may, or copy it first." :
				   "Name a recording with -i, or - for standard input.",
		  "cannot be read: %s", strerror(-ret));
	return ret == -EACCES || ret == -ENOMEM ? STATUS_IMPOSSIBLE : STATUS_BAD_INPUT;
}

/* --- the verb ---------------------------------------------------------------------------- */

static int read_names(struct hadal_boot *boot, const char *path)
{
	struct input in;
	int status = open_or_say(&in, path);

	if (status != STATUS_DONE)
		return status;
	if (boot_in_names(boot, in.bytes, in.len) < 0)
		status = STATUS_IMPOSSIBLE;
	input_close(&in);
	return status;
}

static void say_lines(const struct hadal_lines *lines, const char *path)
{
	for (size_t i = 0; i < lines->count; i++)
		cli_warn("%s: %s", path, lines->at[i]);
}

static int out_of_memory(const char *path)
{
	cli_error(path, "Free some memory, or cut the recording to its CBMEM area.",
		  "not enough memory for it");
	return STATUS_IMPOSSIBLE;
}

static int read_recording(struct hadal_boot *boot, const struct boot_options *opts,
			  const struct input *in)
{
	int ret = boot_in_read(boot, in->bytes, in->len, opts->has_base ? &opts->base : NULL);

	if (ret == -ENOMEM)
		return out_of_memory(opts->input);
	if (ret == 0)
		return STATUS_DONE;
	cli_error(
		opts->input,
		"It should be a dump, a JSON document of `hadal boot`, or what `cbmem -t` printed.",
		"%s",
		boot->damage.count ? boot->damage.at[0] :
		in->len		   ? "is no recording of a kind that hadal knows" :
				     "is empty");
	return STATUS_BAD_INPUT;
}

static int write_boot(const struct hadal_boot *boot, const struct boot_options *opts,
		      const struct report_out *out)
{
	struct timeline line;
	int ret;

	if (opts->list)
		return opts->writer->list(boot, out);
	ret = timeline_init(&line, boot, opts->tick_khz, opts->writer->compatible);
	if (ret < 0)
		return ret;
	if (!line.khz)
		cli_warn("%s: the counter's frequency is unknown, so times are in ticks; give it "
			 "with --tick-khz",
			 opts->input);
	ret = opts->writer->write(&line, out);
	timeline_free(&line);
	return ret;
}

/* The directory itself may know more than the coreboot table, which is what list shows. */
static void say_unlisted(const struct hadal_boot *boot, const struct boot_options *opts)
{
	size_t unlisted = 0;

	for (size_t i = 0; i < boot->directory_count; i++)
		unlisted += !boot->directory[i].in_table;
	if (opts->list && opts->writer->compatible && boot->has_table && unlisted)
		cli_warn(
			"%s: CBMEM's own directory holds %zu entries that the coreboot table does not "
			"list; --format=table shows them",
			opts->input, unlisted);
}

/* What -v asks for. */
static void say_found(const struct hadal_boot *boot, const struct boot_options *opts)
{
	fprintf(stderr, "hadal boot: %s: %zu stamps from a %s; counter: ", opts->input,
		boot->stamps.count, boot->source);
	if (boot->khz)
		fprintf(stderr, "%u kHz, says the %s\n", boot->khz, boot->khz_from);
	else
		fputs("frequency unknown\n", stderr);
	fprintf(stderr,
		"hadal boot: %s: %zu entries of CBMEM, %zu leftovers, %zu stamps from before a suspend\n",
		opts->input, boot->directory_count, boot->leftovers.count, boot->presuspend.count);
}

static int show(const struct hadal_boot *boot, const struct boot_options *opts)
{
	int status = boot->damage.count ? STATUS_BAD_INPUT : STATUS_DONE;
	struct report_out out;

	if (opts->common.verbose)
		say_found(boot, opts);
	say_lines(&boot->damage, opts->input);
	say_lines(&boot->notes, opts->input);
	say_unlisted(boot, opts);
	if (!opts->list && !boot->has_stamps) {
		cli_error(opts->input, "`hadal boot list` shows what else it holds.",
			  "holds no timestamps");
		return STATUS_BAD_INPUT;
	}
	if (cli_open_output(&out, &opts->common, opts->writer->plain) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (write_boot(boot, opts, &out) < 0)
		status = out_of_memory(opts->input);
	return cli_close_output(&out, &opts->common, status);
}

static int run_recording(const struct boot_options *opts)
{
	struct hadal_boot boot = { 0 };
	struct input in;
	int status;

	if (!opts->input)
		return cli_usage("which recording? Name it with -i");
	status = open_or_say(&in, opts->input);
	if (status != STATUS_DONE)
		return status;
	status = read_recording(&boot, opts, &in);
	if (status == STATUS_DONE && opts->names)
		status = read_names(&boot, opts->names);
	if (status == STATUS_DONE)
		status = show(&boot, opts);
	hadal_boot_free(&boot);
	input_close(&in);
	return status;
}

static int run(int argc, char **argv)
{
	struct boot_options opts = { 0 };
	int status;

	if (argc > 1 && strcmp(argv[1], "list") == 0) {
		cli_set_verb("boot list");
		opts.list = true;
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	status = parse(&opts, argc, argv);
	return status >= 0 ? status : run_recording(&opts);
}

const struct verb boot_verb = {
	.name = "boot",
	.summary = "where firmware spent the boot",
	.help = help,
	.run = run,
};
