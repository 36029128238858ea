/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the virtual OA device.
 *
 *	main.c		parameters, refusal outside a virtual machine, load and unload
 *	parent_pci.c, parent_platform.c		what the DRM device hangs on
 *	platform.c	the GPUs that it can play, as data
 *	sysctl.c	/proc/sys/dev/i915, where no driver owns it
 *	device.c	the DRM device: its life, who may do what
 *	attributes.c	files of the card in sysfs
 *	ioctl.c		what tools ask at start-up, and the table of calls
 *	query.c		the query call: topology, engines, sets
 *	set.c		one metric set: fetched from user space or built in
 *	sets.c		all sets of a device: by id, by UUID, in sysfs
 *	builtin.c	sets that were there from the start; builtin_sets.c is generated
 *	registers.c	the register log
 *	properties.c	what a stream is asked to be
 *	stream.c	the stream: its file, its reports
 *	report.c	what a report holds (docs/oa-device.md)
 *
 * Locks, outermost first: oa_device.stream_lock (which stream is open), oa_stream.lock (its state),
 * oa_sets.lock (adding and removing sets), oa_device.log_lock. None is held while user memory is
 * copied, except oa_stream.lock by its reader. Sets are found under RCU and counted.
 */
#ifndef HADAL_OA_H
#define HADAL_OA_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <uapi/drm/i915_drm.h>

#include "core/oa_config.h"
#include "core/uuid.h"

#define OA_VENDOR 0x8086

/* The unslice and slice clock of every GPU played here: 60 units of 16.666 MHz. */
#define OA_CLOCK_HZ 1000000000u
#define OA_CLOCK_RATIO 60u

/* Render timestamp register, the only one that REG_READ gives. */
#define OA_TIMESTAMP_REGISTER 0x2358

/*
 * struct oa_platform - a GPU to play
 * @graphics: version times 100
 * @timestamp_hz: what GETPARAM says
 * @timestamp_shift: report timestamps tick 2^this times as fast
 * @subslices, @eus: of its one slice, and of each subslice; all are there
 * @formats: bit mask of report formats
 */
struct oa_platform {
	const char *name;
	u16 devid;
	u16 graphics;
	u32 timestamp_hz;
	u8 timestamp_shift;
	u8 subslices;
	u8 eus;
	u32 formats;
};

/* Settings of the one device, fixed when the module is loaded. */
struct oa_settings {
	const struct oa_platform *platform;
	const struct oa_rules *rules;
	u16 devid;
	u8 revision;
	int perf_revision;
	bool builtin;
};

extern struct oa_settings oa_settings;

/*
 * struct oa_set - a metric set, alive while somebody counts a reference
 * @hash: of all registers in order; the reports depend on it
 */
struct oa_set {
	struct kref ref;
	struct rcu_head rcu;
	struct rhash_head node;
	char uuid[UUID_TEXT_LENGTH + 1] __aligned(4);
	u32 id;
	bool builtin;
	u64 hash;
	struct oa_register *registers[OA_CLASSES];
	u32 counts[OA_CLASSES];
	struct kobj_attribute id_file;
	struct attribute *files[2];
	struct attribute_group group;
};

/*
 * struct oa_sets - all sets of a device
 * @lock: changes; finding one takes RCU only
 * @folder: `metrics` in sysfs, NULL before and after its life
 * @first_dynamic: ids below are for built-in sets
 */
struct oa_sets {
	struct mutex lock;
	struct xarray ids;
	struct rhashtable uuids;
	struct kobject *folder;
	u32 count;
	u32 first_dynamic;
};

struct oa_stream;

/*
 * struct oa_device
 * @stream: the one that is open, or NULL
 * @programmed: the set whose registers were written last, or NULL
 */
struct oa_device {
	struct drm_device drm;
	struct oa_sets sets;
	struct mutex stream_lock;
	struct oa_stream *stream;
	struct mutex log_lock;
	struct oa_set *programmed;
	struct dentry *log;
};

static inline struct oa_device *to_oa_device(struct drm_device *drm)
{
	return container_of(drm, struct oa_device, drm);
}

/* parent_pci.c, parent_platform.c: both make a device that oa_device_create() is called for. */
int oa_parent_pci_init(void);
void oa_parent_pci_exit(void);
int oa_parent_platform_init(void);
void oa_parent_platform_exit(void);

/* platform.c */
const struct oa_platform *oa_platform_find(const char *name);
u32 oa_platform_eus(const struct oa_platform *platform);

/* sysctl.c */
extern int oa_paranoid;
extern int oa_max_sample_rate;
int oa_sysctl_init(void);
void oa_sysctl_exit(void);

/* device.c */
int oa_device_create(struct device *parent);
void oa_device_destroy(struct device *parent);
bool oa_may(void);

/* attributes.c */
extern const struct attribute_group oa_card_attributes;

/* ioctl.c */
extern const struct drm_ioctl_desc oa_ioctls[];
extern const int oa_ioctl_count;

/* query.c */
int oa_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/*
 * struct oa_builtin_block - registers of one class, which a set has if @available says so
 * struct oa_builtin - one set; its blocks are in the order in which they are joined
 */
struct oa_builtin_block {
	enum oa_class cls;
	bool (*available)(void);
	const struct oa_register *registers;
	u32 count;
};

struct oa_builtin {
	const char *gen;
	const char *uuid;
	const struct oa_builtin_block *blocks;
	u32 count;
};

/* builtin_sets.c, made from the metric files by make-builtin-sets */
extern const struct oa_builtin oa_builtins[];
extern const u32 oa_builtin_count;

/* set.c */
struct oa_set *oa_set_fetch(const struct drm_i915_perf_oa_config *from);
struct oa_set *oa_set_build(const struct oa_builtin *from);
void oa_set_put(struct oa_set *set);

/* sets.c */
int oa_sets_init(struct oa_sets *sets);
void oa_sets_free(struct oa_sets *sets);
int oa_sets_show(struct oa_sets *sets, struct kobject *card);
void oa_sets_hide(struct oa_sets *sets);
int oa_sets_add_builtin(struct oa_sets *sets, struct oa_set *set);
struct oa_set *oa_sets_by_id(struct oa_sets *sets, u64 id);
struct oa_set *oa_sets_by_uuid(struct oa_sets *sets, const char *uuid);
int oa_add_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int oa_remove_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* builtin.c */
int oa_builtin_add(struct oa_sets *sets);

/* registers.c */
void oa_registers_init(struct oa_device *dev);
void oa_registers_exit(struct oa_device *dev);
void oa_registers_write(struct oa_device *dev, struct oa_set *set);

/*
 * struct oa_request - the properties of PERF_OPEN
 * @set_id: 0 if not given
 * @period: 2^exponent+1 timestamps; @periodic: an exponent was given
 */
struct oa_request {
	bool has_context;
	bool has_sseu;
	bool hold_preemption;
	bool samples;
	bool periodic;
	u64 context;
	u32 set_id;
	u32 format;
	u32 exponent;
	u64 poll_ns;
};

/* properties.c */
int oa_properties_read(struct oa_request *request, u64 user_properties, u32 count);

/* stream.c */
int oa_open_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
void oa_stream_detach(struct oa_device *dev);

/* report.c */
#define OA_REPORT_BYTES_MAX 256
#define OA_A_COUNTERS 46
#define OA_C_COUNTERS 8

struct oa_format;

/*
 * struct oa_law - what the counters of a stream follow
 * @hash: of the set that is programmed
 * @offset: keeps counters from jumping when the set is changed: A, then C
 */
struct oa_law {
	const struct oa_platform *platform;
	const struct oa_format *format;
	u64 hash;
	u64 offset[OA_A_COUNTERS + OA_C_COUNTERS];
};

const struct oa_format *oa_format_find(u32 id);
u32 oa_format_bytes(const struct oa_format *format);
u64 oa_ticks(const struct oa_platform *platform);
void oa_law_change(struct oa_law *law, u64 hash, u64 ticks);
void oa_report_fill(const struct oa_law *law, u64 ticks, u32 *report);

#endif
