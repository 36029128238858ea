// SPDX-License-Identifier: MIT
/* `hadal hwlat`: who takes a CPU away from a running system. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/hwlat.h"
#include "report/hwlat_out.h"

static const char help[] =
	"Usage: hadal hwlat [OPTIONS]\n"
	"\n"
	"Watches CPUs and tells every stretch of time in which one was taken away below the\n"
	"operating system: by SMIs, NMIs, a hypervisor, or hardware that stalls. It keeps CPUs\n"
	"busy for --width of every --window: for qualifying machines, never for production.\n"
	"There, --backend=passive only reads counters.\n"
	"\n"
	"  -i, --input=FILE       a recording instead: a trace, a report of hwlatdetect, a document\n"
	"                         of this tool; - is standard input\n"
	"  -d, --duration=TIME    how long (60s)\n"
	"      --window=TIME      from one stretch of watching to the next (1s)\n"
	"      --width=TIME       watched in each window, less than it (500ms)\n"
	"      --threshold=TIME   tell gaps longer than this (10us)\n"
	"      --limit=TIME       status 1 if a gap is longer than this; also --hardlimit\n"
	"  -c, --cpus=LIST        such as 0-3,8 (all online ones that are not isolated)\n"
	"      --mode=MODE        round-robin, per-cpu: all at once, or none (round-robin)\n"
	"      --backend=NAME     module, tracer or user (the first that works); passive\n"
	"      --all              user: also the gaps in which the kernel ran\n"
	"      --max-records=N    gaps to keep; the sums hold all (100000)\n"
	"      --watch            JSON Lines while it runs\n"
	"      --restore          put back what a killed run left in the tracer, and end\n"
	"      --format=FORMAT    table (default), json, hwlatdetect, hist, perfetto,\n"
	"                         openmetrics, html\n"
	"      --json             the same as --format=json\n"
	"  -o, --output=FILE      write there\n"
	"  -v, --verbose          list all gaps\n"
	"  -q, --quiet            no progress, no warnings\n"
	"      --color=WHEN       auto, always, never\n"
	"  -h, --help             this text\n"
	"\n"
	"TIME is a whole number with ns, us, ms, s, m or h; a bare number is microseconds.\n"
	"Ctrl-C ends the run and shows what was measured so far.\n"
	"\n"
	"Exit status: 0 done; 1 --limit exceeded; 2 usage; 3 not possible here, or the limit was\n"
	"passed only by gaps that a virtual machine cannot tell from its host's; 4 bad input.\n"
	"\n"
	"Examples:\n"
	"  sudo hadal hwlat -d 60s\n"
	"  sudo hadal hwlat -d 10m --limit 100us --json -o hwlat.json\n"
	"  sudo hadal hwlat -d 1h --mode per-cpu -c 2-7 --watch\n"
	"  hadal hwlat --backend=user -d 5s\n"
	"  hadal hwlat -i trace.txt --format=html -o trace.html\n"
	"  sudo hadal hwlat --backend=passive -d 24h --watch\n";

static int explain(const char *thing, const struct finding *why)
{
	cli_error(thing, *why->next ? why->next : NULL, "%s", why->reason);
	return STATUS_IMPOSSIBLE;
}

static int restore(void)
{
	struct finding why;
	const int err = hwlat_restore(&why);

	if (err == -ENOENT) {
		cli_warn("nothing to restore");
		return STATUS_DONE;
	}
	return err ? explain("--restore", &why) : STATUS_DONE;
}

/* The one that was named, or the first that works; NULL after saying what is in the way. */
static const struct hwlat_backend *choose_backend(const struct hwlat_options *opts)
{
	const struct hwlat_backend *backend;
	struct finding why[8];
	size_t count = 0;

	if (opts->backend)
		return hwlat_backend_find(opts->backend);
	for (; (backend = hwlat_backend_at(count)) && count < 8; count++) {
		if (hwlat_backend_is_passive(backend))
			break;
		hwlat_backend_check(backend, &why[count]);
		if (why[count].state == FINDING_READY)
			return backend;
	}
	for (size_t i = 0; i < count; i++)
		explain(hwlat_backend_name(hwlat_backend_at(i)), &why[i]);
	return NULL;
}

/*
 * struct work - one run, from its opening to its document
 * @write_errno: why the output's first lost line was lost
 */
struct work {
	const struct hwlat_options *opts;
	struct hwlat_run *run;
	struct hwlat_result result;
	struct hwlatdetect detect;
	struct report_out out;
	int write_errno;
};

static void watch_gap(struct work *work, const struct hwlat_gap *gap)
{
	if (work->opts->format == FORMAT_HWLATDETECT) {
		hwlatdetect_sample(&work->result, gap, &work->out);
		fflush(work->out.file);
	} else {
		hwlat_watch_gap(&work->out, gap);
	}
	if (ferror(work->out.file) && !work->write_errno)
		work->write_errno = errno;
}

static void take_gap(void *context, const struct hwlat_gap *gap)
{
	struct work *work = context;

	hwlat_result_gap(&work->result, gap);
	if (work->opts->watch)
		watch_gap(work, gap);
}

static void take_window(void *context, const struct hwlat_window *window)
{
	struct work *work = context;

	hwlat_result_window(&work->result, window);
	if (work->opts->watch && work->opts->format == FORMAT_JSON)
		hwlat_watch_window(&work->out, window);
}

static void take_counts(void *context, const struct hwlat_counts *counts)
{
	struct work *work = context;

	hwlat_result_counts(&work->result, counts);
	if (work->opts->watch)
		hwlat_watch_counts(&work->out, counts);
}

static void write_start(struct work *work)
{
	work->result.facts = *hwlat_run_facts(work->run);
	if (work->opts->format == FORMAT_HWLATDETECT)
		hwlatdetect_head(&work->detect, &work->result, &work->out);
	else if (work->opts->watch)
		hwlat_watch_start(&work->result, &work->result.facts, &work->out);
}

static int write_document(struct work *work)
{
	const struct hwlat_options *opts = work->opts;

	if (opts->format == FORMAT_HWLATDETECT)
		hwlatdetect_tail(&work->detect, &work->result, &work->out, !opts->watch);
	else if (opts->watch)
		hwlat_watch_end(&work->result, &work->out);
	else
		return hwlat_show(opts, &work->result, &work->out);
	return 0;
}

static int run_failed(const struct hwlat_run *run, int err)
{
	const char *hint = err == -ENODEV ? "Was the module unloaded? What came before is shown." :
					    "What came before is shown.";

	cli_error(hwlat_run_facts(run)->backend, hint, "the run ended early: %s", strerror(-err));
	return STATUS_IMPOSSIBLE;
}

/* Runs, stops, and leaves the result in @work. Returns a status for what went wrong, or done. */
static int measure(struct work *work)
{
	const struct hwlat_sink sink = { take_gap, take_window, work, take_counts };
	struct hwlat_loop loop = {
		.run = work->run,
		.sink = &sink,
		.result = &work->result,
		.out = work->out.file,
		.duration_ns = work->opts->duration_ns,
		.live = !work->opts->common.quiet && isatty(STDERR_FILENO),
	};
	int err, status = STATUS_DONE;

	hwlat_loop_catch_signals();
	err = hwlat_run_start(work->run);
	if (!err) {
		write_start(work);
		err = hwlat_loop_wait(&loop);
	}
	if (err)
		status = run_failed(work->run, err);
	err = hwlat_run_stop(work->run, &sink);
	if (err && status == STATUS_DONE)
		status = run_failed(work->run, err);
	hwlat_result_finish(&work->result, work->run,
			    status == STATUS_DONE && !loop.ended_by && !loop.output_lost);
	work->detect.interrupted = loop.ended_by != 0;
	return status;
}

static int close_run(struct hwlat_run *run)
{
	const int err = hwlat_run_close(run);

	if (!err)
		return STATUS_DONE;
	cli_error("settings",
		  "See what is left: sudo hadal doctor; then: sudo hadal hwlat --restore",
		  "not all could be put back: %s", strerror(-err));
	return STATUS_IMPOSSIBLE;
}

static int run_and_write(struct work *work)
{
	int status = measure(work);
	const int closed = close_run(work->run);

	if (status == STATUS_DONE)
		status = closed;
	if (hwlat_result_analyse(&work->result) || write_document(work)) {
		cli_error(NULL, NULL, "%s", strerror(ENOMEM));
		status = STATUS_IMPOSSIBLE;
	}
	if (work->write_errno)
		errno = work->write_errno;
	return status == STATUS_DONE ? hwlat_status_of(&work->result) : status;
}

static int open_run(struct work *work, const struct hwlat_backend *backend)
{
	struct finding why;
	int err;

	finding_set(&why, FINDING_BLOCKED, NULL, "cannot be started");
	err = hwlat_run_open(&work->run, backend, &work->opts->config, &why);
	return err ? explain(hwlat_backend_name(backend), &why) : STATUS_DONE;
}

static int run_with_output(struct work *work, const struct hwlat_backend *backend)
{
	int status = hwlat_result_init(&work->result, &work->opts->config, work->opts->max_records,
				       work->opts->limit_ns);

	if (status) {
		cli_error(NULL, NULL, "%s", strerror(-status));
		status = STATUS_IMPOSSIBLE;
	} else {
		status = open_run(work, backend);
	}
	if (status == STATUS_DONE)
		status = run_and_write(work);
	hwlat_result_free(&work->result);
	return cli_close_output(&work->out, &work->opts->common, status);
}

static int run(int argc, char **argv)
{
	const struct hwlat_backend *backend;
	struct hwlat_options opts;
	struct work work = { .opts = &opts };
	int status = hwlat_options_read(&opts, argc, argv);

	if (status >= 0)
		return status;
	if (opts.restore)
		return restore();
	if (opts.input)
		return hwlat_run_input(&opts);
	backend = choose_backend(&opts);
	if (!backend)
		return STATUS_IMPOSSIBLE;
	work.detect.duration_ns = opts.duration_ns;
	work.detect.cpu_list = opts.cpu_list;
	work.detect.smi_counts = access("/usr/sbin/rdmsr", X_OK) == 0;
	status = cli_open_output(&work.out, &opts.common, opts.format != FORMAT_TABLE);
	return status == STATUS_DONE ? run_with_output(&work, backend) : status;
}

const struct verb hwlat_verb = {
	.name = "hwlat",
	.summary = "who takes a CPU away: SMIs, NMIs, the hypervisor, hardware",
	.help = help,
	.run = run,
};
