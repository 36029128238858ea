// SPDX-License-Identifier: MIT
/* The options of `hadal hwlat`: read, checked against each other and against this machine. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/hwlat.h"
#include "hadal/duration.h"

#define NS_PER_US 1000

enum {
	OPT_WIDTH = CLI_OPT_VERB,
	OPT_WINDOW,
	OPT_THRESHOLD,
	OPT_LIMIT,
	OPT_MODE,
	OPT_BACKEND,
	OPT_MAX_RECORDS,
	OPT_WATCH,
	OPT_RESTORE,
	OPT_ALL,
};

static const struct option long_options[] = {
	CLI_LONG_OPTIONS,
	{ "input", required_argument, NULL, 'i' },
	{ "duration", required_argument, NULL, 'd' },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "window", required_argument, NULL, OPT_WINDOW },
	{ "threshold", required_argument, NULL, OPT_THRESHOLD },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "hardlimit", required_argument, NULL, OPT_LIMIT },
	{ "cpus", required_argument, NULL, 'c' },
	{ "mode", required_argument, NULL, OPT_MODE },
	{ "backend", required_argument, NULL, OPT_BACKEND },
	{ "max-records", required_argument, NULL, OPT_MAX_RECORDS },
	{ "watch", no_argument, NULL, OPT_WATCH },
	{ "restore", no_argument, NULL, OPT_RESTORE },
	{ "all", no_argument, NULL, OPT_ALL },
	{ NULL, 0, NULL, 0 },
};

/* What is asked for without options. */
static const struct hwlat_options defaults = {
	.config = {
		.width_us = 500000,
		.window_us = 1000000,
		.threshold_us = 10,
		.mode = HWLAT_ROUND_ROBIN,
	},
	.duration_ns = 60000000000,
	.limit_ns = HWLAT_UNKNOWN,
	.max_records = 100000,
};

static int read_duration(const char *option, uint64_t *ns)
{
	const int err = duration_parse(optarg, ns);

	if (err == -ERANGE)
		return cli_usage("%s=%s: that is too long", option, optarg);
	if (err)
		return cli_usage("%s=%s: not a whole number with ns, us, ms, s, m or h (bare: us)",
				 option, optarg);
	return -1;
}

static int read_us(const char *option, uint64_t *us)
{
	uint64_t ns;
	int status = read_duration(option, &ns);

	if (status >= 0)
		return status;
	if (ns % NS_PER_US)
		return cli_usage("%s=%s: the kernel takes whole microseconds", option, optarg);
	*us = ns / NS_PER_US;
	return *us ? -1 : cli_usage("%s=%s: it must be above 0", option, optarg);
}

static int read_cpus(struct hwlat_options *opts)
{
	opts->cpu_list = optarg;
	if (cpus_parse(&opts->config.cpus, optarg))
		return cli_usage("--cpus=%s: not a list of CPUs such as 0-3,8", optarg);
	return cpus_empty(&opts->config.cpus) ? cli_usage("--cpus: the list is empty") : -1;
}

static int read_backend(struct hwlat_options *opts)
{
	opts->backend = optarg;
	if (hwlat_backend_find(optarg))
		return -1;
	return cli_usage("--backend=%s: it is module, tracer, user or passive", optarg);
}

/* What says how to watch, or what to do with gaps. */
static bool is_sampling(int opt)
{
	return opt == OPT_WIDTH || opt == OPT_WINDOW || opt == OPT_THRESHOLD || opt == OPT_LIMIT ||
	       opt == OPT_MODE || opt == OPT_ALL;
}

/* What makes no sense with a recording, which was watched elsewhere and is over. */
static bool is_live(int opt)
{
	return opt == 'd' || opt == 'c' || opt == OPT_THRESHOLD || opt == OPT_MODE ||
	       opt == OPT_BACKEND || opt == OPT_WATCH || opt == OPT_RESTORE || opt == OPT_ALL;
}

static const char *long_name(int opt)
{
	size_t i = 0;

	while (long_options[i].val != opt)
		i++;
	return long_options[i].name;
}

static int read_own(struct hwlat_options *opts, int opt)
{
	if (is_sampling(opt) && !opts->sampling_option)
		opts->sampling_option = long_name(opt);
	if (is_live(opt) && !opts->live_option)
		opts->live_option = long_name(opt);
	opts->times_given |= opt == OPT_WIDTH || opt == OPT_WINDOW;
	switch (opt) {
	case 'i':
		opts->input = optarg;
		return -1;
	case 'd':
		return read_duration("--duration", &opts->duration_ns);
	case 'c':
		return read_cpus(opts);
	case OPT_WIDTH:
		return read_us("--width", &opts->config.width_us);
	case OPT_WINDOW:
		return read_us("--window", &opts->config.window_us);
	case OPT_THRESHOLD:
		return read_us("--threshold", &opts->config.threshold_us);
	case OPT_LIMIT:
		return read_duration("--limit", &opts->limit_ns);
	case OPT_MODE:
		return hwlat_mode_parse(optarg, &opts->config.mode) == 0 ?
			       -1 :
			       cli_usage("--mode=%s: it is none, round-robin or per-cpu", optarg);
	case OPT_BACKEND:
		return read_backend(opts);
	case OPT_MAX_RECORDS:
		return cli_parse_u64(optarg, &opts->max_records) == 0 && opts->max_records ?
			       -1 :
			       cli_usage("--max-records=%s: not a number above 0", optarg);
	case OPT_WATCH:
		opts->watch = true;
		return -1;
	case OPT_RESTORE:
		opts->restore = true;
		return -1;
	case OPT_ALL:
		opts->config.all = true;
		return -1;
	default:
		return cli_option(&opts->common, opt, &hwlat_verb);
	}
}

/* In the order of enum hwlat_format. */
static const char *const formats[] = { "table",	   "json",	  "hwlatdetect", "hist",
				       "perfetto", "openmetrics", "html" };

static int check_format(struct hwlat_options *opts)
{
	const char *format = opts->common.format;
	unsigned int i = 0;

	if (!format)
		format = opts->watch ? "json" : "table";
	while (i < sizeof(formats) / sizeof(formats[0]) && strcmp(format, formats[i]) != 0)
		i++;
	if (i == sizeof(formats) / sizeof(formats[0]))
		return cli_usage("--format=%s: it is table, json, hwlatdetect, hist, perfetto, "
				 "openmetrics or html",
				 format);
	opts->format = (enum hwlat_format)i;
	if (opts->watch && opts->format != FORMAT_JSON && opts->format != FORMAT_HWLATDETECT)
		return cli_usage("--watch writes lines of json or hwlatdetect, not %s", format);
	return -1;
}

/* The passive back end has counts, no gaps: there is nothing to sample, nothing to compare. */
static int check_passive(const struct hwlat_options *opts)
{
	if (!opts->backend || !hwlat_backend_is_passive(hwlat_backend_find(opts->backend)))
		return -1;
	if (opts->sampling_option)
		return cli_usage("--%s: --backend=passive does not watch, it only reads counters",
				 opts->sampling_option);
	if (opts->format == FORMAT_HWLATDETECT)
		return cli_usage("--format=hwlatdetect: --backend=passive has no samples");
	return -1;
}

static int check_times(const struct hwlat_options *opts)
{
	const struct hwlat_config *config = &opts->config;

	if (config->width_us >= config->window_us)
		return cli_usage("--width=%" PRIu64 "us must be less than --window=%" PRIu64 "us",
				 config->width_us, config->window_us);
	if (opts->duration_ns / NS_PER_US < config->window_us)
		return cli_usage("--duration: %" PRIu64 " us is shorter than one window of %" PRIu64
				 " us; a bare number is microseconds",
				 opts->duration_ns / NS_PER_US, config->window_us);
	if (config->threshold_us > config->window_us)
		return cli_usage("--threshold=%" PRIu64 "us is longer than a window",
				 config->threshold_us);
	return -1;
}

/* hwlatdetect's readers rely on its status: it fails above the threshold, if not told otherwise. */
static void complete(struct hwlat_options *opts)
{
	if (opts->format == FORMAT_HWLATDETECT && opts->limit_ns == HWLAT_UNKNOWN)
		opts->limit_ns = opts->config.threshold_us * NS_PER_US;
}

static int check_given_cpus(const struct hwlat_options *opts)
{
	struct cpus missing = opts->config.cpus, online;
	char hint[128], list[CPUS_LIST_BYTES];
	int err = cpus_read(&online, "online");

	if (err) {
		cli_error("CPUs", "Is /sys mounted?", "%s", strerror(-err));
		return STATUS_IMPOSSIBLE;
	}
	cpus_remove(&missing, &online);
	if (cpus_empty(&missing))
		return -1;
	snprintf(hint, sizeof(hint), "Online are: %.100s", cpus_list(&online, list));
	cli_error("--cpus", hint, "not online: %s", cpus_list(&missing, list));
	return STATUS_IMPOSSIBLE;
}

static int choose_cpus(struct hwlat_options *opts)
{
	int err;

	if (opts->cpu_list)
		return check_given_cpus(opts);
	err = hwlat_default_cpus(&opts->config.cpus);
	if (err) {
		cli_error("CPUs", "Is /sys mounted?", "%s", strerror(-err));
		return STATUS_IMPOSSIBLE;
	}
	if (!cpus_empty(&opts->config.cpus))
		return -1;
	cli_error("CPUs", "Name those to watch with --cpus.", "all that are online are isolated");
	return STATUS_IMPOSSIBLE;
}

int hwlat_options_read(struct hwlat_options *opts, int argc, char **argv)
{
	int opt, status = -1;

	*opts = defaults;
	while (status < 0 &&
	       (opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS "i:d:c:", long_options, NULL)) !=
		       -1)
		status = read_own(opts, opt);
	if (status < 0 && optind < argc)
		status = cli_usage("%s: there is nothing to name here", argv[optind]);
	if (status < 0)
		status = check_format(opts);
	if (status < 0)
		status = check_passive(opts);
	if (status < 0)
		status = check_times(opts);
	if (status < 0 && opts->input && opts->live_option)
		status = cli_usage("--%s: -i reads a recording", opts->live_option);
	if (status < 0 && !opts->restore && !opts->input)
		status = choose_cpus(opts);
	complete(opts);
	return status;
}
