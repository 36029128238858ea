/* SPDX-License-Identifier: MIT */
/*
 * Writers for decoded recordings. They write interval by interval, so that a recording of any
 * length takes the same memory, and the output of a pipe appears as it comes.
 */
#ifndef HADAL_REPORT_OA_READ_H
#define HADAL_REPORT_OA_READ_H

#include "hadal/oa_decode.h"
#include "report/report.h"

/*
 * struct oa_read - what is written
 * @path: names the recording
 * @generation: of its GPU, NULL if it is not known
 * @complete: all of it was read; known at the end
 */
struct oa_read {
	const char *path;
	const struct oa_generation *generation;
	const struct hadal_oa_decoder *decoder;
	bool complete;
};

/* One counter that is shown: @head is what the writer puts in front of its values. */
struct oa_column {
	const struct hadal_oa_counter *counter;
	uint32_t index;
	char *head;
	size_t head_length;
};

/*
 * struct oa_read_state - a writer at work
 * @line: room for all that is written of one interval
 * @least, @most: of each column, as far as the writer asks for them
 * @separator: what stands between this and what follows
 */
struct oa_read_state {
	const struct oa_read *read;
	const struct report_out *out;
	const struct oa_read_writer *writer;
	struct oa_column *columns;
	uint32_t count;
	char *line;
	struct hadal_oa_value *total;
	struct hadal_oa_value *least;
	struct hadal_oa_value *most;
	const char *separator;
};

/*
 * struct oa_read_writer - one format
 * @plain: for machines
 * @head: makes the head of a column, to be freed with free(); NULL for want of memory. @i counts
 *	the columns. NULL if the format has none.
 * @begin, @interval, @end: write
 */
struct oa_read_writer {
	const char *name;
	bool plain;
	char *(*head)(const struct hadal_oa_counter *counter, uint32_t i);
	void (*begin)(struct oa_read_state *state);
	void (*interval)(struct oa_read_state *state, const struct hadal_oa_interval *interval);
	void (*end)(struct oa_read_state *state);
};

extern const struct oa_read_writer oa_read_table;
extern const struct oa_read_writer oa_read_csv;
extern const struct oa_read_writer oa_read_json;
extern const struct oa_read_writer oa_read_perfetto;

/*
 * Begins to write @read, which must stay until the end, to @out. Returns 0 or -ENOMEM; the state
 * is to be freed with oa_read_free() in either case.
 */
int oa_read_begin(struct oa_read_state *state, const struct oa_read_writer *writer,
		  const struct oa_read *read, const struct report_out *out);

/* Writes one interval. */
void oa_read_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval);

/* Writes the end: sums, and what is known only now. */
void oa_read_end(struct oa_read_state *state);

void oa_read_free(struct oa_read_state *state);

/* --- for writers ------------------------------------------------------------------------- */

/* The name that a counter goes by: its symbol. Never NULL. */
const char *oa_read_name(const struct hadal_oa_counter *counter);

/* The words of a report's reason, joined by "+"; "" for none. @text has OA_READ_REASON_ROOM. */
#define OA_READ_REASON_ROOM 96
size_t oa_read_reason(uint32_t reason, char *text);

/* A value at @at, of DECIMAL_ROOM; @unknown stands for one that is not known or not finite. */
char *oa_read_value(char *at, const struct hadal_oa_value *value, const char *unknown);

#endif
