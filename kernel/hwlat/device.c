// SPDX-License-Identifier: GPL-2.0-only
/* /dev/hadal_hwlat: the open file is the run, so whoever dies stops it. Rules: see the uAPI. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hwlat.h"

static int hwlat_open(struct inode *inode, struct file *file)
{
	struct hwlat_run *run;

	hwlat_lock();
	run = hwlat_run_create(true);
	hwlat_unlock();
	if (IS_ERR(run))
		return PTR_ERR(run);
	file->private_data = run;
	return stream_open(inode, file);
}

static int hwlat_release(struct inode *inode, struct file *file)
{
	hwlat_lock();
	hwlat_run_destroy(file->private_data);
	hwlat_unlock();
	return 0;
}

static int hwlat_start_once(struct hwlat_run *run)
{
	int err = 0;

	if (READ_ONCE(run->started))
		return 0;
	hwlat_lock();
	if (!run->started)
		err = hwlat_run_start(run);
	hwlat_unlock();
	return err;
}

static int hwlat_take(struct hwlat_run *run, char __user *buf, size_t bytes)
{
	unsigned int copied = 0;
	int err;

	if (mutex_lock_interruptible(&run->read_lock))
		return -ERESTARTSYS;
	err = kfifo_to_user(&run->records, buf, bytes, &copied);
	mutex_unlock(&run->read_lock);
	return copied ? copied : err;
}

static ssize_t hwlat_read(struct file *file, char __user *buf, size_t bytes, loff_t *pos)
{
	struct hwlat_run *run = file->private_data;
	int done;

	if (bytes < sizeof(union hadal_hwlat_record))
		return -EINVAL;
	done = hwlat_start_once(run);
	while (!done) {
		if (!(file->f_flags & O_NONBLOCK) &&
		    wait_event_interruptible(run->wait, !kfifo_is_empty(&run->records)))
			return -ERESTARTSYS;
		done = hwlat_take(run, buf, min_t(size_t, bytes, INT_MAX));
		if (!done && (file->f_flags & O_NONBLOCK))
			return -EAGAIN;
	}
	return done;
}

static __poll_t hwlat_poll(struct file *file, poll_table *table)
{
	struct hwlat_run *run = file->private_data;

	if (hwlat_start_once(run))
		return EPOLLERR;
	poll_wait(file, &run->wait, table);
	return kfifo_is_empty(&run->records) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static int hwlat_parse_lines(struct hwlat_settings *set, char *text)
{
	char *line, *value;
	int err;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		value = strchr(line, '=');
		if (!value)
			return -EINVAL;
		*value++ = '\0';
		err = hwlat_settings_parse(set, line, value);
		if (err)
			return err;
	}
	return hwlat_settings_check(set);
}

static int hwlat_change(struct hwlat_run *run, char *text)
{
	struct hwlat_settings *set;
	int err;

	hwlat_lock();
	set = kmemdup(&run->set, sizeof(*set), GFP_KERNEL);
	err = set ? hwlat_parse_lines(set, text) : -ENOMEM;
	if (!err)
		err = hwlat_run_apply(run, set);
	hwlat_unlock();
	kfree(set);
	return err;
}

static ssize_t hwlat_write(struct file *file, const char __user *buf, size_t bytes, loff_t *pos)
{
	char *text;
	int err;

	if (bytes > PAGE_SIZE)
		return -EINVAL;
	text = memdup_user_nul(buf, bytes);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = strlen(text) == bytes ? hwlat_change(file->private_data, text) : -EINVAL;
	kfree(text);
	return err ? err : bytes;
}

static const struct file_operations hwlat_fops = {
	.owner = THIS_MODULE,
	.open = hwlat_open,
	.release = hwlat_release,
	.read = hwlat_read,
	.write = hwlat_write,
	.poll = hwlat_poll,
};

static struct miscdevice hwlat_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hadal_hwlat",
	.mode = 0600,
	.fops = &hwlat_fops,
};

int hwlat_device_init(void)
{
	return misc_register(&hwlat_device);
}

void hwlat_device_exit(void)
{
	misc_deregister(&hwlat_device);
}
