// SPDX-License-Identifier: MIT
/* Decoded recordings as comma-separated values: one line for each interval. */
#include <string.h>

#include "report/decimal.h"
#include "report/oa_read.h"

/* A name, in quotes if it has characters that would not do without (RFC 4180). */
static void write_name(const char *name, FILE *f)
{
	if (!strpbrk(name, ",\"\r\n")) {
		fprintf(f, ",%s", name);
		return;
	}
	fputs(",\"", f);
	for (; *name; name++) {
		if (*name == '"')
			fputc('"', f);
		fputc(*name, f);
	}
	fputc('"', f);
}

static void begin(struct oa_read_state *state)
{
	FILE *f = state->out->file;

	fputs("start_ns,duration_ns,reason,context", f);
	for (uint32_t i = 0; i < state->count; i++)
		write_name(oa_read_name(state->columns[i].counter), f);
	fputc('\n', f);
}

static char *write_times(const struct oa_read_state *state,
			 const struct hadal_oa_interval *interval, char *at)
{
	if (state->read->decoder->recording->source.timestamp_hz) {
		at = decimal_u64(at, interval->start_ns);
		*at++ = ',';
		at = decimal_u64(at, interval->duration_ns);
	} else {
		*at++ = ',';
	}
	*at++ = ',';
	return at;
}

static void write_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval)
{
	char *at = write_times(state, interval, state->line);

	at += oa_read_reason(interval->reason, at);
	*at++ = ',';
	if (interval->has_context)
		at += sprintf(at, "0x%x", interval->context);
	for (uint32_t i = 0; i < state->count; i++) {
		*at++ = ',';
		at = oa_read_value(at, &interval->values[state->columns[i].index], "");
	}
	*at++ = '\n';
	fwrite(state->line, 1, (size_t)(at - state->line), state->out->file);
}

static void end(struct oa_read_state *state)
{
	(void)state;
}

const struct oa_read_writer oa_read_csv = {
	.name = "csv",
	.plain = true,
	.begin = begin,
	.interval = write_interval,
	.end = end,
};
