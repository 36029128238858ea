// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register log, /sys/kernel/debug/hadal_oa_registers: what the last programming wrote, in
 * order, one register a line ("mux 0x00009888 0x12345678"), after a line that names the set.
 * Sets never change, so the log is a reference to the one that was programmed.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "oa.h"

static const char *const class_names[OA_CLASSES] = { "mux", "boolean", "flex" };

/* The set that an open file shows, and a place in it. */
struct log_reader {
	struct oa_set *set;
	enum oa_class cls;
	u32 index;
};

/* Line 0 names the set, line n is its register n - 1. */
static void *log_at(struct log_reader *reader, loff_t line)
{
	u64 index;
	u32 cls;

	if (!reader->set)
		return NULL;
	if (line == 0)
		return SEQ_START_TOKEN;
	index = line - 1;
	for (cls = 0; cls < OA_CLASSES; cls++) {
		if (index < reader->set->counts[cls]) {
			reader->cls = cls;
			reader->index = index;
			return reader;
		}
		index -= reader->set->counts[cls];
	}
	return NULL;
}

static void *log_start(struct seq_file *seq, loff_t *pos)
{
	return log_at(seq->private, *pos);
}

static void *log_next(struct seq_file *seq, void *v, loff_t *pos)
{
	return log_at(seq->private, ++*pos);
}

static void log_stop(struct seq_file *seq, void *v)
{
}

static int log_show(struct seq_file *seq, void *v)
{
	const struct log_reader *reader = seq->private;
	const struct oa_register *reg;

	if (v == SEQ_START_TOKEN) {
		seq_printf(seq, "set %s %u\n", reader->set->uuid, reader->set->id);
		return 0;
	}
	reg = &reader->set->registers[reader->cls][reader->index];
	seq_printf(seq, "%s 0x%08x 0x%08x\n", class_names[reader->cls], reg->address, reg->value);
	return 0;
}

static const struct seq_operations log_ops = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};

static int log_open(struct inode *inode, struct file *file)
{
	struct log_reader *reader = __seq_open_private(file, &log_ops, sizeof(*reader));
	struct oa_device *dev = inode->i_private;

	if (!reader)
		return -ENOMEM;
	mutex_lock(&dev->log_lock);
	reader->set = dev->programmed;
	if (reader->set)
		kref_get(&reader->set->ref);
	mutex_unlock(&dev->log_lock);
	return 0;
}

static int log_release(struct inode *inode, struct file *file)
{
	struct log_reader *reader = ((struct seq_file *)file->private_data)->private;

	oa_set_put(reader->set);
	return seq_release_private(inode, file);
}

static const struct file_operations log_fops = {
	.owner = THIS_MODULE,
	.open = log_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = log_release,
};

/* Without debugfs the device works as well. */
void oa_registers_init(struct oa_device *dev)
{
	dev->log = debugfs_create_file("hadal_oa_registers", 0400, NULL, dev, &log_fops);
}

void oa_registers_exit(struct oa_device *dev)
{
	debugfs_remove(dev->log);
}

/* Writes the registers of @set, which keeps it alive until the next one is written. */
void oa_registers_write(struct oa_device *dev, struct oa_set *set)
{
	struct oa_set *last;

	kref_get(&set->ref);
	mutex_lock(&dev->log_lock);
	last = dev->programmed;
	dev->programmed = set;
	mutex_unlock(&dev->log_lock);
	oa_set_put(last);
}
