/* SPDX-License-Identifier: GPL-2.0-only */
/* The records as trace events: the same names, the same fields. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM hadal

#if !defined(HADAL_HWLAT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define HADAL_HWLAT_TRACE_H

#include <linux/tracepoint.h>

#include "uapi/hadal_hwlat.h"

/* The layout that every trace header has. */
/* clang-format off */
TRACE_EVENT(hwlat_gap,
	TP_PROTO(const struct hadal_hwlat_gap *gap),
	TP_ARGS(gap),

	TP_STRUCT__entry(
		__field(u32, cpu)
		__field(u64, seq)
		__field(u64, start_ns)
		__field(u64, start_tsc)
		__field(u64, duration_ns)
		__field(u32, smi)
		__field(u32, nmi)
		__field(u64, nmi_ns)
		__field(u32, flags)
	),

	TP_fast_assign(
		__entry->cpu = gap->cpu;
		__entry->seq = gap->seq;
		__entry->start_ns = gap->start_ns;
		__entry->start_tsc = gap->start_tsc;
		__entry->duration_ns = gap->duration_ns;
		__entry->smi = gap->smi;
		__entry->nmi = gap->nmi;
		__entry->nmi_ns = gap->nmi_ns;
		__entry->flags = gap->flags;
	),

	TP_printk("cpu=%u seq=%llu start_ns=%llu start_tsc=%llu duration_ns=%llu smi=%u nmi=%u nmi_ns=%llu flags=0x%x",
		  __entry->cpu, __entry->seq, __entry->start_ns, __entry->start_tsc,
		  __entry->duration_ns, __entry->smi, __entry->nmi, __entry->nmi_ns,
		  __entry->flags)
);

TRACE_EVENT(hwlat_window,
	TP_PROTO(const struct hadal_hwlat_window *window),
	TP_ARGS(window),

	TP_STRUCT__entry(
		__field(u32, cpu)
		__field(u64, seq)
		__field(u64, start_ns)
		__field(u64, start_tsc)
		__field(u64, duration_ns)
		__field(u32, smi)
		__field(u32, nmi)
		__field(u64, watched_ns)
		__field(u32, slices)
		__field(u32, dropped)
	),

	TP_fast_assign(
		__entry->cpu = window->cpu;
		__entry->seq = window->seq;
		__entry->start_ns = window->start_ns;
		__entry->start_tsc = window->start_tsc;
		__entry->duration_ns = window->duration_ns;
		__entry->smi = window->smi;
		__entry->nmi = window->nmi;
		__entry->watched_ns = window->watched_ns;
		__entry->slices = window->slices;
		__entry->dropped = window->dropped;
	),

	TP_printk("cpu=%u seq=%llu start_ns=%llu start_tsc=%llu duration_ns=%llu smi=%u nmi=%u watched_ns=%llu slices=%u dropped=%u",
		  __entry->cpu, __entry->seq, __entry->start_ns, __entry->start_tsc,
		  __entry->duration_ns, __entry->smi, __entry->nmi, __entry->watched_ns,
		  __entry->slices, __entry->dropped)
);
/* clang-format on */

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
