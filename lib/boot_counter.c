// SPDX-License-Identifier: MIT
/* Reads the counter, and finds out how fast it runs. */
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "lib/boot_counter.h"
#include "lib/port/counter.h"

#define MEASURE_NS 50000000
#define MEASURE_PAIRS 32

/* The kernel's factor has 32 bits; what it measures differs from what is nominal by up to this. */
#define KERNEL_PPB 10
#define NOMINAL_PPB 50000

bool counter_readable(void)
{
#ifdef PORT_COUNTER_NAME
	return true;
#else
	return false;
#endif
}

uint64_t counter_now(void)
{
	return port_counter();
}

#if defined(__x86_64__) || defined(__i386__)

/* Leaf 0x15: the ratio of TSC and crystal, where the CPU knows the crystal. */
static uint32_t cpu_khz(const char **from)
{
	unsigned int denominator, numerator, crystal, edx, max;

	*from = "CPUID leaf 0x15";
	if (__get_cpuid(0x15, &denominator, &numerator, &crystal, &edx) && denominator &&
	    numerator && crystal)
		return (uint32_t)((uint64_t)crystal * numerator / denominator / 1000);
	/* A hypervisor's range of leaves, of which the first says how many there are. */
	*from = "the hypervisor";
	if (!__get_cpuid(1, &denominator, &numerator, &crystal, &edx) || !(crystal >> 31))
		return 0;
	__cpuid(0x40000000, max, numerator, crystal, edx);
	if (max < 0x40000010 || max > 0x400000ff)
		return 0;
	__cpuid(0x40000010, max, numerator, crystal, edx);
	return max;
}

#elif defined(__aarch64__)

static uint32_t cpu_khz(const char **from)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	*from = "CNTFRQ_EL0";
	return (uint32_t)(hz / 1000);
}

#else

static uint32_t cpu_khz(const char **from)
{
	*from = "unknown";
	return 0;
}

#endif

/* The kernel's own conversion, which it shows in the first page of any perf event. */
static bool ask_kernel(struct counter_rate *rate)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY,
					.exclude_kernel = 1,
					.exclude_hv = 1 };
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	const struct perf_event_mmap_page *page;
	bool known = false;

	if (fd < 0)
		return false;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (page == MAP_FAILED)
		return false;
	if (page->cap_user_time && page->time_mult && page->time_shift < 64) {
		rate->mult = page->time_mult;
		rate->shift = page->time_shift;
		known = true;
	}
	munmap((void *)page, size);
	return known;
}

static int64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Counter and clock read together: the tightest of a few pairs. */
static void read_both(uint64_t *ticks, int64_t *ns)
{
	int64_t best = INT64_MAX, before, after;
	uint64_t now;

	for (int i = 0; i < MEASURE_PAIRS; i++) {
		before = raw_ns();
		now = counter_now();
		after = raw_ns();
		if (after - before >= best)
			continue;
		best = after - before;
		*ticks = now;
		*ns = before + best / 2;
	}
}

static uint32_t measure_khz(void)
{
	const struct timespec wait = { .tv_nsec = MEASURE_NS };
	uint64_t start_ticks = 0, ticks = 0;
	int64_t start_ns = 0, ns = 0;

	read_both(&start_ticks, &start_ns);
	nanosleep(&wait, NULL);
	read_both(&ticks, &ns);
	ticks -= start_ticks;
	ns -= start_ns;
	return ns > 0 ? (uint32_t)((unsigned __int128)ticks * 1000000 / (uint64_t)ns) : 0;
}

static void set_khz(struct counter_rate *rate, uint32_t khz)
{
	/* 2^shift * 10^6 / khz has to fit in 32 bits. */
	rate->khz = khz;
	for (rate->shift = 32; rate->shift; rate->shift--)
		if ((1000000ull << rate->shift) / khz <= UINT32_MAX)
			break;
	rate->mult = (uint32_t)((1000000ull << rate->shift) / khz);
}

void counter_find_rate(struct counter_rate *rate)
{
	uint32_t khz;

	*rate = (struct counter_rate){ .from = "the kernel", .ppb = KERNEL_PPB };
	if (ask_kernel(rate)) {
		rate->khz = (uint32_t)(((unsigned __int128)1000000 << rate->shift) / rate->mult);
		return;
	}
	rate->ppb = NOMINAL_PPB;
	khz = cpu_khz(&rate->from);
	if (!khz) {
		khz = measure_khz();
		rate->from = "measurement";
	}
	if (khz)
		set_khz(rate, khz);
}
