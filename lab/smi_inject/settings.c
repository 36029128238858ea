// SPDX-License-Identifier: GPL-2.0-only
/* The settings of a run: lines name=value, their ranges, how they are shown. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "smi_inject.h"

#define TCO_TICK_NS 600000000
#define TCO_MIN_TICKS 2
#define TCO_MAX_TICKS 1023
#define PERIOD_MIN_NS 10000
#define PERIOD_MAX_NS 20000000000ULL /* the handler compares 32 bits of HPET ticks */
#define LENGTH_MAX_NS 1000000000
#define NMI_MAX_NS 900000 /* the kernel complains about NMI handlers from 1 ms */
#define HANDLER_NS 5000	  /* a period must leave this much besides its event */

const struct smi_settings settings_default = {
	.trigger = TRIGGER_ONCE,
	.event = KIND_SMI,
	.cpu = 0,
	.count = 1,
	.period_ns = 10000000,
	.lengths = 1,
	.length_ns = { 150000 },
};

static const char *const trigger_names[] = { "once", "hpet", "tco" };
static const char *const event_names[] = { "smi", "nmi", "smi+nmi" };

static int set_cpu(struct smi_settings *settings, char *value)
{
	unsigned int cpu;

	if (strcmp(value, "all") == 0) {
		settings->cpu = CPU_ALL;
		return 0;
	}
	if (kstrtouint(value, 10, &cpu) || cpu >= SMM_CPUS)
		return -EINVAL;
	settings->cpu = cpu;
	return 0;
}

static int set_lengths(struct smi_settings *settings, char *value)
{
	u32 length[SMM_LENGTHS];
	unsigned int n = 0;
	char *word;

	while ((word = strsep(&value, ","))) {
		if (n == SMM_LENGTHS || kstrtou32(word, 10, &length[n]) ||
		    length[n] > LENGTH_MAX_NS)
			return -EINVAL;
		n++;
	}
	memcpy(settings->length_ns, length, n * sizeof(length[0]));
	settings->lengths = n;
	return 0;
}

static int set_trigger(struct smi_settings *settings, char *value)
{
	int found = match_string(trigger_names, ARRAY_SIZE(trigger_names), value);

	if (found < 0)
		return -EINVAL;
	settings->trigger = found;
	return 0;
}

static int set_event(struct smi_settings *settings, char *value)
{
	int found = match_string(event_names, ARRAY_SIZE(event_names), value);

	if (found < 0)
		return -EINVAL;
	settings->event = found;
	return 0;
}

static int set_count(struct smi_settings *settings, char *value)
{
	return kstrtou32(value, 10, &settings->count);
}

static int set_period(struct smi_settings *settings, char *value)
{
	return kstrtou64(value, 10, &settings->period_ns);
}

static int set_nmi(struct smi_settings *settings, char *value)
{
	return kstrtou32(value, 10, &settings->nmi_ns);
}

static const struct {
	const char *name;
	int (*set)(struct smi_settings *settings, char *value);
} setters[] = {
	{ "trigger", set_trigger }, { "event", set_event },	 { "cpu", set_cpu },
	{ "count", set_count },	    { "period_ns", set_period }, { "length_ns", set_lengths },
	{ "nmi_ns", set_nmi },
};

int settings_set(struct smi_settings *settings, char *line)
{
	char *name = strsep(&line, "=");
	unsigned int i;

	if (!line)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(setters); i++)
		if (strcmp(name, setters[i].name) == 0)
			return setters[i].set(settings, line);
	return -EINVAL;
}

static u64 longest(const struct smi_settings *settings)
{
	u64 ns = 0;
	unsigned int i;

	if (settings->event != KIND_NMI)
		for (i = 0; i < settings->lengths; i++)
			ns = max_t(u64, ns, settings->length_ns[i]);
	return settings->event == KIND_SMI ? ns : ns + settings->nmi_ns;
}

static bool tco_can(const struct smi_settings *settings)
{
	u64 ticks = div_u64(settings->period_ns, TCO_TICK_NS);

	return settings->cpu == 0 && settings->event != KIND_NMI && ticks >= TCO_MIN_TICKS &&
	       ticks <= TCO_MAX_TICKS && ticks * TCO_TICK_NS == settings->period_ns;
}

static bool hpet_can(const struct smi_settings *settings)
{
	return settings->period_ns >= PERIOD_MIN_NS && settings->period_ns <= PERIOD_MAX_NS;
}

int settings_check(const struct smi_settings *settings)
{
	if (settings->nmi_ns > NMI_MAX_NS)
		return -EINVAL;
	if (!smram_covers(settings->cpu) ||
	    (settings->cpu != CPU_ALL && !cpu_online(settings->cpu)))
		return -ENXIO;
	if (settings->trigger == TRIGGER_ONCE)
		return settings->count == 1 ? 0 : -EINVAL;
	if (longest(settings) + HANDLER_NS > settings->period_ns)
		return -EINVAL;
	if (settings->trigger == TRIGGER_TCO)
		return tco_can(settings) ? 0 : -EINVAL;
	return hpet_can(settings) ? 0 : -EINVAL;
}

void settings_show(struct seq_file *file, const struct smi_settings *settings)
{
	unsigned int i;

	seq_printf(file, "trigger=%s\n", trigger_names[settings->trigger]);
	seq_printf(file, "event=%s\n", event_names[settings->event]);
	if (settings->cpu == CPU_ALL)
		seq_puts(file, "cpu=all\n");
	else
		seq_printf(file, "cpu=%d\n", settings->cpu);
	seq_printf(file, "count=%u\n", settings->count);
	seq_printf(file, "period_ns=%llu\n", settings->period_ns);
	seq_printf(file, "length_ns=%u", settings->length_ns[0]);
	for (i = 1; i < settings->lengths; i++)
		seq_printf(file, ",%u", settings->length_ns[i]);
	seq_printf(file, "\nnmi_ns=%u\n", settings->nmi_ns);
}
