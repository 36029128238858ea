// SPDX-License-Identifier: MIT
/* The verdict in a sentence, and hints at known sources where the evidence fits them. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

#define MS ((uint64_t)1000000)
#define S (1000 * MS)

const char *hwlat_length(uint64_t ns, char buf[32])
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 } };
	size_t i = 0;

	while (i < 2 && ns < units[i].ns)
		i++;
	snprintf(buf, 32, "%" PRIu64 ".%03" PRIu64 " %s", ns / units[i].ns,
		 ns % units[i].ns / (units[i].ns / 1000), units[i].name);
	return buf;
}

const char *hwlat_rate(double rate, char buf[32])
{
	snprintf(buf, 32, rate < 1000 ? "%.3g" : "%.0f", rate);
	return buf;
}

const char *hwlat_cpus_words(const struct cpus *cpus, char buf[HWLAT_CPUS_BYTES])
{
	const unsigned int count = cpus_count(cpus);
	char list[CPUS_LIST_BYTES];

	cpus_list(cpus, list);
	if (!count)
		snprintf(buf, HWLAT_CPUS_BYTES, "an unknown CPU");
	else if (strlen(list) > HWLAT_CPUS_BYTES - 8)
		snprintf(buf, HWLAT_CPUS_BYTES, "%u CPUs", count);
	else
		snprintf(buf, HWLAT_CPUS_BYTES, "CPU%s %.50s", report_plural(count), list);
	return buf;
}

static void say(struct hwlat_advice *advice, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct hwlat_advice *advice, const char *fmt, ...)
{
	const size_t used = strlen(advice->sentence);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(advice->sentence + used, sizeof(advice->sentence) - used, fmt, ap);
	va_end(ap);
}

/* --- who, and what to do about it -------------------------------------------------------------- */

static const char *const actors[] = {
	[HWLAT_SMI] = "Firmware (SMIs) takes",
	[HWLAT_NMI] = "NMIs take",
	[HWLAT_SMI_NMI] = "Firmware (SMIs), and NMIs after it, take",
	[HWLAT_STEAL] = "The hypervisor takes",
	[HWLAT_KERNEL] = "The kernel takes",
	[HWLAT_INSEPARABLE] = "The host or hardware takes",
	[HWLAT_UNEXPLAINED] = "Something below the kernel takes",
};

static const char *const actions[] = {
	[HWLAT_SMI] =
		"turn off in the firmware's setup what makes SMIs, update it, or ask its vendor",
	[HWLAT_NMI] = "see /proc/interrupts for NMIs: profilers and the NMI watchdog make them",
	[HWLAT_SMI_NMI] = "look for the SMIs first: NMIs are held back while one is served",
	[HWLAT_STEAL] = "give the virtual CPUs cores of their own on the host",
	[HWLAT_KERNEL] = "see /proc/interrupts and what else runs on these CPUs",
	[HWLAT_INSEPARABLE] =
		"nobody in a virtual machine can tell the two apart, so measure on the host",
	[HWLAT_UNEXPLAINED] = "no counter moved, so suspect memory, a bus or a device",
};

/* Where SMIs are not counted they are the first suspect. */
static bool smi_unknown(const struct hwlat_result *result)
{
	for (size_t i = 0; i < result->cpu_count; i++)
		if (result->cpus[i].smi != HWLAT_UNKNOWN)
			return false;
	return true;
}

static const char *action_for(const struct hwlat_result *result, enum hwlat_cause cause)
{
	if (cause == HWLAT_UNEXPLAINED && smi_unknown(result))
		return result->source ?
			       "the recording has no SMI counter, so run hadal hwlat on that machine" :
			       "SMIs cannot be counted here, so they are as likely as a stall of "
			       "memory, a bus or a device";
	return actions[cause];
}

static enum hwlat_cause main_cause(const struct hwlat_result *result)
{
	unsigned int most = HWLAT_UNEXPLAINED;

	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		if (i != HWLAT_KERNEL && result->causes[i] > result->causes[most])
			most = i;
	return (enum hwlat_cause)most;
}

/* --- the sentence ------------------------------------------------------------------------------ */

static void say_rate(const struct hwlat_analysis *analysis, struct hwlat_advice *advice)
{
	char rate[32], least[32], most[32];

	if (analysis->per_hour > 0)
		say(advice, ", %s an hour (95 %%: %s to %s)", hwlat_rate(analysis->per_hour, rate),
		    hwlat_rate(analysis->least_per_hour, least),
		    hwlat_rate(analysis->most_per_hour, most));
}

static void say_quiet(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	const struct hwlat_analysis *analysis = &result->analysis;
	char length[32];

	say(advice, "No gap");
	if (result->config.threshold_us)
		say(advice, " over %s", hwlat_length(result->config.threshold_us * 1000, length));
	if (analysis->watched_ns == HWLAT_UNKNOWN)
		say(advice, ", but how long it was watched is not known.");
	else
		say(advice, " in %s watched", hwlat_length(analysis->watched_ns, length));
	if (analysis->most_per_hour >= 0 && analysis->per_hour >= 0)
		say(advice, ": fewer than %s an hour, with 95 %% confidence.",
		    hwlat_rate(analysis->most_per_hour, length));
	else if (analysis->watched_ns != HWLAT_UNKNOWN)
		say(advice, ".");
}

static void say_period(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	const struct hwlat_period *period = &result->analysis.periods[0];
	char cpus[HWLAT_CPUS_BYTES], length[32], every[32];

	say(advice, "%s %s away for %s every %s (%" PRIu64 " of %" PRIu64 " gap%s%s): %s.",
	    actors[period->cause], hwlat_cpus_words(&period->cpus, cpus),
	    hwlat_length(period->duration_ns, length), hwlat_length(period->period_ns, every),
	    period->seen, period->of, report_plural(period->of),
	    result->analysis.joint ? ", those at once on several CPUs as one" : "",
	    action_for(result, period->cause));
}

static void say_longest(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	const struct hwlat_analysis *analysis = &result->analysis;
	const enum hwlat_cause cause = main_cause(result);
	const bool alone = result->causes[cause] == result->gaps;
	struct cpus cpus = { 0 };
	char length[32], on[HWLAT_CPUS_BYTES];

	for (size_t i = 0; i < result->cpu_count; i++)
		if (result->cpus[i].gaps && result->cpus[i].cpu < CPUS_MAX)
			cpus_add(&cpus, result->cpus[i].cpu);
	say(advice,
	    "%s %s away without a period that could be found: %" PRIu64 " gap%s%s, the longest %s",
	    actors[cause], hwlat_cpus_words(&cpus, on), analysis->events,
	    report_plural(analysis->events), alone ? "" : " (this is the commonest cause)",
	    hwlat_length(analysis->longest->duration_ns, length));
	say_rate(analysis, advice);
	say(advice, ": %s.", action_for(result, cause));
}

/* Of one CPU, the busiest: a broadcast SMI counts on each. */
static uint64_t most_of(const struct hwlat_result *result, enum hwlat_counter counter)
{
	uint64_t most = HWLAT_UNKNOWN;

	for (size_t i = 0; i < result->cpu_count; i++) {
		const uint64_t count = result->cpus[i].counts[counter];

		if (count != HWLAT_UNKNOWN && (most == HWLAT_UNKNOWN || count > most))
			most = count;
	}
	return most;
}

static void say_counts(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	static const char *const names[] = { "SMI", "NMI", "machine check", "thermal event" };
	char length[32];
	const uint64_t stolen = most_of(result, HWLAT_COUNT_STEAL_NS);

	say(advice, "In %s the busiest CPU had ", hwlat_length(result->facts.duration_ns, length));
	for (unsigned int i = 0; i < HWLAT_COUNT_STEAL_NS; i++) {
		const uint64_t count = most_of(result, (enum hwlat_counter)i);

		if (count == HWLAT_UNKNOWN)
			say(advice, "an unknown number of %ss, ", names[i]);
		else
			say(advice, "%" PRIu64 " %s%s, ", count, names[i], report_plural(count));
	}
	say(advice,
	    "and lost %s to a hypervisor; only a back end that watches can tell how long each lasts.",
	    stolen == HWLAT_UNKNOWN ? "an unknown time" : hwlat_length(stolen, length));
}

/* --- hints ------------------------------------------------------------------------------------- */

static bool is_smi(enum hwlat_cause cause)
{
	return cause == HWLAT_SMI || cause == HWLAT_SMI_NMI;
}

static void hint(struct hwlat_advice *advice, const char *text)
{
	for (size_t i = 0; i < advice->hint_count; i++)
		if (advice->hints[i] == text)
			return;
	if (advice->hint_count < HWLAT_HINTS_MAX)
		advice->hints[advice->hint_count++] = text;
}

/*
 * Monitors ask for fans and temperatures every half second to minute, and some firmware answers from an
 * SMI; Dell's takes milliseconds for it. A firmware that polls USB for the sake of old operating systems
 * does so many times a second.
 */
static void hint_period(const struct hwlat_period *period, struct hwlat_advice *advice)
{
	if (!is_smi(period->cause))
		return;
	if (period->period_ns >= S / 2 && period->period_ns <= 60 * S)
		hint(advice,
		     "An SMI at this pace fits firmware that is asked for fans, temperatures or power: "
		     "stop monitors (sensors, i8kutils, BMC agents) one by one, and measure again.");
	if (period->period_ns <= S / 8)
		hint(advice, "SMIs many times a second fit USB legacy emulation: turn \"USB legacy "
			     "support\" off in the firmware's setup, and measure again.");
}

/* Reads and writes of EFI variables were seen to take 0.3 s and more, and come when a program asks. */
static void hint_long(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	for (size_t i = 0; i < result->record_count; i++) {
		const struct hwlat_gap *gap = &result->records[i];

		if (!gap->backward && is_smi(gap->cause) && gap->duration_ns >= 50 * MS)
			hint(advice,
			     "An SMI of tens of milliseconds fits access to EFI variables: see who reads "
			     "/sys/firmware/efi/efivars at that time (systemd and fwupd do).");
	}
}

void hwlat_advise(const struct hwlat_result *result, struct hwlat_advice *advice)
{
	const struct hwlat_analysis *analysis = &result->analysis;

	*advice = (struct hwlat_advice){ .hint_count = 0 };
	if (result->facts.passive)
		say_counts(result, advice);
	else if (!analysis->events)
		say_quiet(result, advice);
	else if (analysis->period_count)
		say_period(result, advice);
	else
		say_longest(result, advice);
	for (size_t i = 0; i < analysis->period_count; i++)
		hint_period(&analysis->periods[i], advice);
	hint_long(result, advice);
}
