// SPDX-License-Identifier: MIT
/*
 * Preloaded into the tool: opening or mapping /dev/mem fails as it does on machines that do not
 * allow it. DENY_OPEN and DENY_MAP are errno values.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

/* Arguments beyond those of the call are garbage in registers, which the kernel ignores. */
long syscall(long call, ...)
{
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long args[6];
	va_list ap;

	va_start(ap, call);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(ap, long);
	va_end(ap);
	if (call == SYS_openat2 && number("DENY_OPEN") &&
	    strcmp((const char *)args[1], "/dev/mem") == 0) {
		errno = number("DENY_OPEN");
		return -1;
	}
	return real(call, args[0], args[1], args[2], args[3], args[4], args[5]);
}

/* The build's 64-bit file offsets make this mmap64 to the linker, as in the tool. */
void *mmap(void *address, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *(*real)(void *, size_t, int, int, int, off_t) =
		(void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap64");

	if (fd >= 0 && flags == MAP_SHARED && offset >= number("DENY_FROM") && number("DENY_MAP")) {
		errno = (int)number("DENY_MAP");
		return MAP_FAILED;
	}
	return real(address, len, prot, flags, fd, offset);
}
