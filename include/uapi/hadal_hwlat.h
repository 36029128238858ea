/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * What /dev/hadal_hwlat says and understands.
 *
 * The open file is the run. open() takes a private copy of the settings in
 * /sys/kernel/hadal_hwlat/ (EBUSY while another run exists); write() takes lines "name=value" with
 * the names of those files and changes the copy, all lines or none; the first read() or poll()
 * starts the run; read() gives whole records (EINVAL if not even one fits, EAGAIN with O_NONBLOCK
 * and nothing there); the last close() stops it.
 *
 * All records are 64 bytes in native byte order. Times are CLOCK_BOOTTIME and TSC.
 */
#ifndef _UAPI_HADAL_HWLAT_H
#define _UAPI_HADAL_HWLAT_H

#include <linux/types.h>

#define HADAL_HWLAT_DEVICE "/dev/hadal_hwlat"
#define HADAL_HWLAT_SYSFS "/sys/kernel/hadal_hwlat"

#define HADAL_HWLAT_GAP 1
#define HADAL_HWLAT_WINDOW 2

/* Flags of a gap. */
#define HADAL_HWLAT_SMI_BELIEVED 1 /* the SMI counter is known to count */
#define HADAL_HWLAT_BACKWARD 2	   /* the clock went back by duration_ns: no latency */
#define HADAL_HWLAT_NMI_TIME 4	   /* nmi_ns is known */

/* One stretch without a clock read, longer than the threshold. */
struct hadal_hwlat_gap {
	__u32 type; /* HADAL_HWLAT_GAP */
	__u32 cpu;
	__u64 seq; /* over all records of the run; a hole means lost records */
	__u64 start_ns;
	__u64 start_tsc;
	__u64 duration_ns;
	__u32 smi; /* SMIs since the counter was last read, in this slice */
	__u32 nmi;
	__u64 nmi_ns; /* time in the NMI handlers, without entry and exit */
	__u32 flags;
	__u32 reserved;
};

/* One window: what was watched. Present also when nothing was found. */
struct hadal_hwlat_window {
	__u32 type; /* HADAL_HWLAT_WINDOW */
	__u32 cpu;
	__u64 seq;
	__u64 start_ns;
	__u64 start_tsc;
	__u64 duration_ns; /* first read to last read */
	__u32 smi;	   /* since this CPU's last window record (or the start of the run): */
	__u32 nmi;	   /* breaths, sleeps and other CPUs' turns are counted too */
	__u64 watched_ns;  /* sum of the slices; the rest of duration_ns was not watched */
	__u32 slices;
	__u32 dropped; /* gaps on this CPU that found no room for a record */
};

/* What read() gives; the type says which. */
union hadal_hwlat_record {
	__u32 type;
	struct hadal_hwlat_gap gap;
	struct hadal_hwlat_window window;
};

#define HADAL_HWLAT_AT(record, field, offset)                                                      \
	_Static_assert(__builtin_offsetof(struct record, field) == (offset), #record "." #field)

HADAL_HWLAT_AT(hadal_hwlat_gap, type, 0);
HADAL_HWLAT_AT(hadal_hwlat_gap, cpu, 4);
HADAL_HWLAT_AT(hadal_hwlat_gap, seq, 8);
HADAL_HWLAT_AT(hadal_hwlat_gap, start_ns, 16);
HADAL_HWLAT_AT(hadal_hwlat_gap, start_tsc, 24);
HADAL_HWLAT_AT(hadal_hwlat_gap, duration_ns, 32);
HADAL_HWLAT_AT(hadal_hwlat_gap, smi, 40);
HADAL_HWLAT_AT(hadal_hwlat_gap, nmi, 44);
HADAL_HWLAT_AT(hadal_hwlat_gap, nmi_ns, 48);
HADAL_HWLAT_AT(hadal_hwlat_gap, flags, 56);
HADAL_HWLAT_AT(hadal_hwlat_gap, reserved, 60);
HADAL_HWLAT_AT(hadal_hwlat_window, type, 0);
HADAL_HWLAT_AT(hadal_hwlat_window, cpu, 4);
HADAL_HWLAT_AT(hadal_hwlat_window, seq, 8);
HADAL_HWLAT_AT(hadal_hwlat_window, start_ns, 16);
HADAL_HWLAT_AT(hadal_hwlat_window, start_tsc, 24);
HADAL_HWLAT_AT(hadal_hwlat_window, duration_ns, 32);
HADAL_HWLAT_AT(hadal_hwlat_window, smi, 40);
HADAL_HWLAT_AT(hadal_hwlat_window, nmi, 44);
HADAL_HWLAT_AT(hadal_hwlat_window, watched_ns, 48);
HADAL_HWLAT_AT(hadal_hwlat_window, slices, 56);
HADAL_HWLAT_AT(hadal_hwlat_window, dropped, 60);
_Static_assert(sizeof(union hadal_hwlat_record) == 64, "a record is 64 bytes");
_Static_assert(sizeof(struct hadal_hwlat_gap) == 64, "a gap is 64 bytes");
_Static_assert(sizeof(struct hadal_hwlat_window) == 64, "a window is 64 bytes");

#undef HADAL_HWLAT_AT

#endif
