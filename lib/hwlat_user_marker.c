// SPDX-License-Identifier: MIT
/*
 * Does the mark work here? Other ways to enter the kernel (FRED), an emulator or a 32-bit kernel below may
 * leave it alone, or wipe it without reason.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/hwlat_user.h"
#include "lib/port/marker.h"

#define FAULTS 16
#define QUIET_SPINS 64

/* A tick comes every 1 to 10 ms; a CPU that runs one thread without ticks has one a second. */
#define TICKS_WANTED 16

/* Interrupts of these two reads of /proc/interrupts that find no mark to wipe. */
#define READS_TOLERATED 8
#define TICKS_NS 1500000000

/* A page fault is an entry that can be had at will. */
static bool faults_wipe(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *page =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool wiped = page != MAP_FAILED;

	for (int i = 0; wiped && i < FAULTS; i++) {
		wiped = madvise((void *)page, size, MADV_DONTNEED) == 0;
		port_marker_arm();
		*page = 1;
		wiped = wiped && port_marker_wiped();
	}
	if (page != MAP_FAILED)
		munmap((void *)page, size);
	return wiped;
}

/* Without an entry it stays: of a few short spins at least half see none. */
static bool lasts(void)
{
	int untouched = 0;

	for (int i = 0; i < QUIET_SPINS; i++) {
		port_marker_arm();
		for (volatile int spin = 0; spin < 100; spin++)
			;
		untouched += !port_marker_wiped();
	}
	return untouched >= QUIET_SPINS / 2;
}

static uint64_t faults_and_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)(usage.ru_minflt + usage.ru_majflt + usage.ru_nvcsw + usage.ru_nivcsw);
}

static uint64_t count_wipes(uint64_t *others)
{
	const uint64_t start = hwlat_now_ns(), before = faults_and_switches();
	uint64_t wipes = 0;

	port_marker_arm();
	while (wipes < TICKS_WANTED && hwlat_now_ns() - start < TICKS_NS) {
		for (volatile int spin = 0; spin < 1000; spin++)
			;
		if (port_marker_wiped()) {
			wipes++;
			port_marker_arm();
		}
	}
	*others = faults_and_switches() - before;
	return wipes;
}

/*
 * Interrupts without a wipe: the mark is good for nothing. Wipes without an interrupt, a fault or a switch
 * in the kernel's own account: something below it wipes too, such as a hypervisor without the help of the
 * CPU, whose guests are ordinary programs to the CPU.
 */
static enum user_mark ticks_wipe(unsigned int cpu)
{
	uint64_t before = HWLAT_UNKNOWN, after = HWLAT_UNKNOWN, others = 0, wipes = 0;
	struct proc_file file;

	if (!proc_file_open(&file, "/proc/interrupts") && !proc_file_read(&file)) {
		before = interrupts_of_cpu(file.text, cpu);
		wipes = count_wipes(&others);
		if (!proc_file_read(&file))
			after = interrupts_of_cpu(file.text, cpu);
	}
	proc_file_close(&file);
	if (before == HWLAT_UNKNOWN || after == HWLAT_UNKNOWN)
		return wipes ? USER_MARK_SHARED : USER_MARK_NONE;
	if (!wipes && after - before > READS_TOLERATED)
		return USER_MARK_NONE;
	return wipes > after - before + others ? USER_MARK_SHARED : USER_MARK_EXACT;
}

enum user_mark user_try_mark(unsigned int cpu)
{
	return PORT_MARKER && faults_wipe() && lasts() ? ticks_wipe(cpu) : USER_MARK_NONE;
}
