// SPDX-License-Identifier: GPL-2.0-only
/*
 * smi_inject: real SMIs and NMIs of known length in the lab's emulated machine, and the truth about
 * them. /sys/kernel/debug/smi_inject/control takes lines name=value and run=1 or run=0, and shows
 * the settings; /sys/kernel/debug/smi_inject/truth is JSON.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "smi_inject.h"

#define CONTROL_MAX 1024 /* bytes in one write */

static DEFINE_MUTEX(lock);
static struct smi_settings settings;
static struct smi_machine machine;
static struct dentry *folder;

static int start(void)
{
	int err = settings_check(&settings);

	if (err)
		return err;
	trigger_stop(&machine);
	nmi_reset(smi_ticks(settings.nmi_ns));
	truth_begin();
	return trigger_start(&settings, &machine);
}

static int handle_line(char *line)
{
	if (strcmp(line, "run=1") == 0)
		return start();
	if (strcmp(line, "run=0") == 0) {
		trigger_stop(&machine);
		return 0;
	}
	return trigger_idle() ? settings_set(&settings, line) : -EBUSY;
}

static ssize_t control_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	char *text, *rest, *line;
	int err = 0;

	if (size > CONTROL_MAX)
		return -EINVAL;
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	mutex_lock(&lock);
	while (!err && (line = strsep(&rest, "\n ")))
		err = *line ? handle_line(line) : 0;
	mutex_unlock(&lock);
	kfree(text);
	return err ? err : size;
}

static int control_show(struct seq_file *file, void *unused)
{
	mutex_lock(&lock);
	settings_show(file, &settings);
	seq_printf(file, "run=%u\n", !trigger_idle());
	mutex_unlock(&lock);
	return 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	return single_open(file, control_show, NULL);
}

static const struct file_operations control_ops = {
	.owner = THIS_MODULE,
	.open = control_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.write = control_write,
	.release = single_release,
};

static int truth_file_show(struct seq_file *file, void *unused)
{
	mutex_lock(&lock);
	truth_show(file);
	mutex_unlock(&lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(truth_file);

static int __init smi_inject_init(void)
{
	int err = machine_find(&machine);

	if (err)
		return err;
	settings = settings_default;
	err = trigger_map();
	if (err)
		goto put_machine;
	err = smram_install(&machine);
	if (err)
		goto unmap;
	err = nmi_install();
	if (err)
		goto remove_handler;
	truth_begin();
	folder = debugfs_create_dir("smi_inject", NULL);
	debugfs_create_file("control", 0600, folder, NULL, &control_ops);
	debugfs_create_file("truth", 0400, folder, NULL, &truth_file_fops);
	return 0;

remove_handler:
	smram_remove(&machine);
unmap:
	trigger_unmap();
put_machine:
	machine_put(&machine);
	return err;
}

static void __exit smi_inject_exit(void)
{
	debugfs_remove(folder);
	trigger_stop(&machine);
	nmi_remove();
	smram_remove(&machine);
	trigger_unmap();
	machine_put(&machine);
}

module_init(smi_inject_init);
module_exit(smi_inject_exit);

MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("SMIs and NMIs of known length, in QEMU's q35 machine only");
