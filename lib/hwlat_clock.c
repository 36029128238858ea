// SPDX-License-Identifier: MIT
/* The clocks of a run: the one that its records are told in, and whether the CPU's counter is one. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat.h"

#define CLOCKSOURCES "/sys/devices/system/clocksource/clocksource0/available_clocksource"

uint64_t hwlat_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A TSC that the kernel has caught jumping or drifting is taken off its list of clocks. */
int hwlat_clock_check(struct finding *finding)
{
#if defined(__x86_64__) || defined(__i386__)
	if (access(CLOCKSOURCES, R_OK) == 0 && !file_has_word(CLOCKSOURCES, "tsc")) {
		finding_set(
			finding, FINDING_BLOCKED,
			"See why: sudo dmesg | grep -i tsc. If the firmware is known to be right, "
			"boot with tsc=reliable.",
			"the TSC is unstable: the kernel does not trust it as a clock");
		return -EIO;
	}
#endif
	(void)finding;
	return 0;
}
