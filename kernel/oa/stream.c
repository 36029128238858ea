// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream: its file, its reports.
 *
 * The unit makes one report whenever the timestamp is a multiple of the period, so reports have
 * numbers: timestamp / period. As what a report holds follows from its time, none is stored; a
 * reader is given those from the next number on up to now. The buffer that a unit would have only
 * counts: a reader that is behind by more than it holds has lost them.
 */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>

#include "oa.h"

#define BUFFER_BYTES (16u << 20)
#define OPEN_FLAGS                                                                                 \
	(I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED)
#define READS_AT_ONCE 1024

/* Every DRM file has a default context under this handle, and here no other. */
#define DEFAULT_CONTEXT 0

/*
 * struct oa_stream
 * @period_shift: 2^this ticks are a period
 * @next: number of the first report that was not read
 * @lost: status records that the reader has not had yet
 * @pollin: what the timer saw
 */
struct oa_stream {
	struct oa_device *dev;
	struct mutex lock;
	struct oa_set *set;
	struct oa_law law;
	bool samples;
	bool periodic;
	bool enabled;
	u32 period_shift;
	u64 next;
	u8 lost;
	bool pollin;
	u64 poll_ns;
	struct hrtimer timer;
	wait_queue_head_t wait;
	struct {
		struct drm_i915_perf_record_header header;
		u32 report[OA_REPORT_BYTES_MAX / 4];
	} record;
};

#define LOST_BUFFER 1
#define LOST_REPORT 2

static u64 newest(const struct oa_stream *stream)
{
	return oa_ticks(stream->law.platform) >> stream->period_shift;
}

static bool has_report(struct oa_stream *stream)
{
	return stream->periodic && newest(stream) >= READ_ONCE(stream->next);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct oa_stream *stream = container_of(timer, struct oa_stream, timer);

	if (has_report(stream)) {
		WRITE_ONCE(stream->pollin, true);
		wake_up(&stream->wait);
	}
	hrtimer_forward_now(timer, ns_to_ktime(stream->poll_ns));
	return HRTIMER_RESTART;
}

/* The unit starts with an empty buffer. */
static void enable(struct oa_stream *stream)
{
	if (stream->enabled)
		return;
	stream->enabled = true;
	stream->pollin = false;
	stream->lost = 0;
	WRITE_ONCE(stream->next, newest(stream) + 1);
	if (stream->periodic && stream->samples)
		hrtimer_start(&stream->timer, ns_to_ktime(stream->poll_ns), HRTIMER_MODE_REL);
}

static void disable(struct oa_stream *stream)
{
	if (!stream->enabled)
		return;
	WRITE_ONCE(stream->enabled, false);
	hrtimer_cancel(&stream->timer);
	wake_up_all(&stream->wait);
}

/*
 * Reports that were not read yet count for the new set: were they counted back from now, counters
 * could seem to run backwards.
 */
static void program(struct oa_stream *stream, struct oa_set *set)
{
	u64 last_read = stream->next ? stream->next - 1 : 0;

	oa_registers_write(stream->dev, set);
	oa_law_change(&stream->law, set->hash, last_read << stream->period_shift);
}

/* Returns the id of the set before. */
static long switch_set(struct oa_stream *stream, u64 id)
{
	struct oa_set *set = oa_sets_by_id(&stream->dev->sets, id);
	struct oa_set *last = stream->set;
	long last_id = last->id;

	if (!set)
		return -EINVAL;
	if (set == last) {
		oa_set_put(set);
		return last_id;
	}
	program(stream, set);
	stream->set = set;
	oa_set_put(last);
	return last_id;
}

static long do_ioctl(struct oa_stream *stream, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case I915_PERF_IOCTL_ENABLE:
		enable(stream);
		return 0;
	case I915_PERF_IOCTL_DISABLE:
		disable(stream);
		return 0;
	case I915_PERF_IOCTL_CONFIG:
		return oa_settings.perf_revision >= 2 ? switch_set(stream, arg) : -EINVAL;
	default:
		return -EINVAL;
	}
}

static long stream_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct oa_stream *stream = file->private_data;
	long ret = -ENODEV;

	mutex_lock(&stream->lock);
	if (!drm_dev_is_unplugged(&stream->dev->drm))
		ret = do_ioctl(stream, cmd, arg);
	mutex_unlock(&stream->lock);
	return ret;
}

/* Appends what is in stream->record. -ENOSPC if it does not fit. */
static int append(struct oa_stream *stream, char __user *buf, size_t count, size_t *done, u32 type,
		  u32 payload)
{
	struct drm_i915_perf_record_header *header = &stream->record.header;

	header->type = type;
	header->pad = 0;
	header->size = sizeof(*header) + payload;
	if (count - *done < header->size)
		return -ENOSPC;
	if (copy_to_user(buf + *done, &stream->record, header->size))
		return -EFAULT;
	*done += header->size;
	return 0;
}

static int append_status(struct oa_stream *stream, char __user *buf, size_t count, size_t *done)
{
	int err = 0;

	if (stream->lost & LOST_BUFFER) {
		err = append(stream, buf, count, done, DRM_I915_PERF_RECORD_OA_BUFFER_LOST, 0);
		if (!err)
			stream->lost &= ~LOST_BUFFER;
	}
	if (!err && stream->lost & LOST_REPORT) {
		err = append(stream, buf, count, done, DRM_I915_PERF_RECORD_OA_REPORT_LOST, 0);
		if (!err)
			stream->lost &= ~LOST_REPORT;
	}
	return err;
}

/*
 * When more reports have come than the buffer holds, the unit has overrun itself: it starts anew,
 * and what it held is gone, as are the reports of the meantime.
 */
static void check_overrun(struct oa_stream *stream, u64 last)
{
	u32 capacity = BUFFER_BYTES / oa_format_bytes(stream->law.format);

	if (last < stream->next || last - stream->next < capacity)
		return;
	stream->lost = LOST_BUFFER | LOST_REPORT;
	WRITE_ONCE(stream->next, last + 1);
}

static int append_reports(struct oa_stream *stream, char __user *buf, size_t count, size_t *done,
			  u64 last)
{
	u32 bytes = oa_format_bytes(stream->law.format);
	int err;

	while (stream->next <= last) {
		oa_report_fill(&stream->law, stream->next << stream->period_shift,
			       stream->record.report);
		err = append(stream, buf, count, done, DRM_I915_PERF_RECORD_SAMPLE, bytes);
		if (err)
			return err;
		WRITE_ONCE(stream->next, stream->next + 1);
		if (stream->next % READS_AT_ONCE == 0)
			cond_resched();
	}
	return 0;
}

static ssize_t read_records(struct oa_stream *stream, char __user *buf, size_t count)
{
	u64 last = newest(stream);
	size_t done = 0;
	int err;

	if (!stream->enabled)
		return -EIO;
	if (!stream->periodic)
		return -EAGAIN;
	check_overrun(stream, last);
	err = append_status(stream, buf, count, &done);
	if (!err)
		err = append_reports(stream, buf, count, &done, last);
	if (err != -ENOSPC)
		WRITE_ONCE(stream->pollin, false);
	if (done)
		return done;
	return err ? err : -EAGAIN;
}

static ssize_t read_locked(struct oa_stream *stream, char __user *buf, size_t count)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&stream->lock))
		return -ERESTARTSYS;
	ret = read_records(stream, buf, count);
	mutex_unlock(&stream->lock);
	return ret;
}

static ssize_t stream_read(struct file *file, char __user *buf, size_t count, loff_t *offset)
{
	struct oa_stream *stream = file->private_data;
	ssize_t ret;

	if (!READ_ONCE(stream->enabled) || !stream->samples)
		return -EIO;
	if (file->f_flags & O_NONBLOCK)
		return read_locked(stream, buf, count);
	if (!stream->periodic)
		return -EIO;
	do {
		ret = wait_event_interruptible(stream->wait,
					       !READ_ONCE(stream->enabled) || has_report(stream));
		if (ret)
			return ret;
		ret = read_locked(stream, buf, count);
	} while (ret == -EAGAIN);
	return ret;
}

static __poll_t stream_poll(struct file *file, poll_table *table)
{
	struct oa_stream *stream = file->private_data;

	poll_wait(file, &stream->wait, table);
	return READ_ONCE(stream->pollin) ? EPOLLIN : 0;
}

static void free_stream(struct oa_stream *stream)
{
	oa_set_put(stream->set);
	drm_dev_put(&stream->dev->drm);
	kfree(stream);
}

/* The device can be opened again before its file is gone for good. */
static void close_stream(struct oa_stream *stream)
{
	struct oa_device *dev = stream->dev;

	mutex_lock(&dev->stream_lock);
	mutex_lock(&stream->lock);
	disable(stream);
	mutex_unlock(&stream->lock);
	dev->stream = NULL;
	mutex_unlock(&dev->stream_lock);
}

static int stream_release(struct inode *inode, struct file *file)
{
	struct oa_stream *stream = file->private_data;

	close_stream(stream);
	free_stream(stream);
	return 0;
}

static const struct file_operations stream_fops = {
	.owner = THIS_MODULE,
	.release = stream_release,
	.read = stream_read,
	.poll = stream_poll,
	.unlocked_ioctl = stream_ioctl,
	.compat_ioctl = stream_ioctl,
};

/* Does it take more than a user has, while perf_stream_paranoid is 1? */
static bool is_privileged(const struct oa_request *request)
{
	u32 version = oa_settings.platform->graphics / 100;

	if (request->hold_preemption || request->has_sseu)
		return true;
	if (!request->has_context)
		return true;
	return !(version == 7 || (version == 12 && !request->samples));
}

/* The checks of the request as a whole, in the order of their errors. */
static int check(struct oa_device *dev, const struct oa_request *request)
{
	bool alone = request->has_context && oa_settings.platform->graphics / 100 == 12;

	if (request->has_context && request->context != DEFAULT_CONTEXT)
		return -ENOENT;
	if (request->hold_preemption && !request->has_context)
		return -EINVAL;
	if (is_privileged(request) && !oa_may())
		return -EACCES;
	if (!READ_ONCE(dev->sets.folder))
		return -EINVAL;
	if (!request->samples && !alone)
		return -EINVAL;
	if (dev->stream)
		return -EBUSY;
	return request->format ? 0 : -EINVAL;
}

static struct oa_stream *new_stream(struct oa_device *dev, const struct oa_request *request)
{
	const struct oa_platform *platform = oa_settings.platform;
	struct oa_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->set = oa_sets_by_id(&dev->sets, request->set_id);
	if (!stream->set) {
		kfree(stream);
		return ERR_PTR(-EINVAL);
	}
	drm_dev_get(&dev->drm);
	stream->dev = dev;
	mutex_init(&stream->lock);
	init_waitqueue_head(&stream->wait);
	hrtimer_init(&stream->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	stream->timer.function = on_timer;
	stream->samples = request->samples;
	stream->periodic = request->periodic;
	stream->period_shift = request->exponent + 1 + platform->timestamp_shift;
	stream->poll_ns = request->poll_ns;
	stream->law.platform = platform;
	stream->law.format = oa_format_find(request->format);
	stream->law.hash = stream->set->hash;
	return stream;
}

static int file_flags(u32 flags)
{
	return (flags & I915_PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0) |
	       (flags & I915_PERF_FLAG_FD_NONBLOCK ? O_NONBLOCK : 0);
}

/* Once the file exists, the stream is another thread's to close. */
static int open_locked(struct oa_device *dev, const struct oa_request *request, u32 flags)
{
	struct oa_stream *stream;
	int fd, err;

	err = check(dev, request);
	if (err)
		return err;
	stream = new_stream(dev, request);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	oa_registers_write(dev, stream->set);
	if (!(flags & I915_PERF_FLAG_DISABLED))
		enable(stream);
	dev->stream = stream;
	fd = anon_inode_getfd("[i915_perf]", &stream_fops, stream, file_flags(flags));
	if (fd < 0) {
		dev->stream = NULL;
		disable(stream);
		free_stream(stream);
	}
	return fd;
}

int oa_open_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_i915_perf_open_param *param = data;
	struct oa_device *dev = to_oa_device(drm);
	struct oa_request request;
	int ret;

	if (param->flags & ~OPEN_FLAGS)
		return -EINVAL;
	ret = oa_properties_read(&request, param->properties_ptr, param->num_properties);
	if (ret)
		return ret;
	mutex_lock(&dev->stream_lock);
	ret = open_locked(dev, &request, param->flags);
	mutex_unlock(&dev->stream_lock);
	return ret;
}

/* The device goes away: an open stream gives no more reports. */
void oa_stream_detach(struct oa_device *dev)
{
	mutex_lock(&dev->stream_lock);
	if (dev->stream) {
		mutex_lock(&dev->stream->lock);
		disable(dev->stream);
		mutex_unlock(&dev->stream->lock);
	}
	mutex_unlock(&dev->stream_lock);
}
