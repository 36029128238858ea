// SPDX-License-Identifier: MIT
/* Reads recordings of OA streams, record by record, from a file, a pipe or memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/load.h"
#include "hadal/oa_recording.h"
#include "lib/oa_recording.h"

/* Read ahead: the largest record fits several times. */
#define WINDOW_BYTES (256u << 10)

/* Faster clocks are no clocks, and twice as much would not fit the arithmetic of times. */
#define MAX_HZ UINT64_C(5000000000)

/*
 * struct recording - the public part, then what only the reader needs
 * @fd: where more comes from
 * @own: the window, NULL for a recording in memory, of which all is there
 * @bytes: the window or the memory: from @start to @end not read yet
 * @offset: of @start in the file
 * @record_offset: of the record read last
 * @begun: the version record was there
 * @stopped: what follows cannot be told apart
 * @pending: @next was read ahead by the opening
 */
struct recording {
	struct hadal_oa_recording pub;
	int fd;
	uint8_t *own;
	const uint8_t *bytes;
	size_t start;
	size_t end;
	uint64_t offset;
	uint64_t record_offset;
	bool begun;
	bool stopped;
	bool pending;
	struct hadal_oa_record next;
	uint8_t topology[HADAL_OA_RECORD_MAX_BYTES];
};

/* A record as it lies in the window. */
struct raw_record {
	uint32_t type;
	struct bytes body;
};

static struct recording *recording_of(struct hadal_oa_recording *pub)
{
	return (struct recording *)pub;
}

void hadal_oa_recording_note(struct hadal_oa_recording *pub, const char *fmt, ...)
{
	struct hadal_oa_damage *damage = &pub->damage[pub->damage_count];
	va_list ap;

	pub->damage_total++;
	if (pub->damage_count == HADAL_OA_MAX_DAMAGE)
		return;
	pub->damage_count++;
	damage->offset = recording_of(pub)->record_offset;
	va_start(ap, fmt);
	vsnprintf(damage->text, sizeof(damage->text), fmt, ap);
	va_end(ap);
}

/* --- bytes ------------------------------------------------------------------------------- */

/* Gets more behind what is in the window. Returns 0 at the end, else 1 or a negative errno. */
static int fill(struct recording *r)
{
	ssize_t got;

	if (!r->own)
		return 0;
	memmove(r->own, r->own + r->start, r->end - r->start);
	r->end -= r->start;
	r->start = 0;
	do {
		got = read(r->fd, r->own + r->end, WINDOW_BYTES - r->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	r->end += (size_t)got;
	return got > 0;
}

/* Has @count bytes in the window. Returns 1, 0 if the recording ends before, or an errno. */
static int want(struct recording *r, size_t count)
{
	int ret = 1;

	while (r->end - r->start < count && ret > 0)
		ret = fill(r);
	return ret;
}

static int end_within(struct recording *r)
{
	if (r->end > r->start)
		hadal_oa_recording_note(&r->pub, "ends within a record");
	r->stopped = true;
	return 0;
}

/* Judges a header. False: what follows it cannot be read. */
static bool check_header(struct recording *r, uint32_t type, size_t size)
{
	if (!r->begun && type != HADAL_OA_RECORD_VERSION)
		hadal_oa_recording_note(&r->pub,
					"does not begin as a recording of OA reports does");
	else if (size < HADAL_OA_RECORD_HEADER_BYTES)
		hadal_oa_recording_note(&r->pub, "a record of %zu bytes: the rest cannot be read",
					size);
	else
		return true;
	r->stopped = true;
	return false;
}

/* Takes the next record, of any kind. Returns 1, 0 at the end, or a negative errno. */
static int take(struct recording *r, struct raw_record *raw)
{
	size_t size;
	int ret;

	r->record_offset = r->offset;
	ret = want(r, HADAL_OA_RECORD_HEADER_BYTES);
	if (ret <= 0)
		return ret < 0 ? ret : end_within(r);
	raw->type = load_le32(r->bytes + r->start);
	size = load_le16(r->bytes + r->start + 6);
	if (!check_header(r, raw->type, size))
		return 0;
	ret = want(r, size);
	if (ret <= 0)
		return ret < 0 ? ret : end_within(r);
	raw->body = (struct bytes){ .data = r->bytes + r->start + HADAL_OA_RECORD_HEADER_BYTES,
				    .len = size - HADAL_OA_RECORD_HEADER_BYTES };
	r->start += size;
	r->offset += size;
	return 1;
}

/* --- records that say where the others come from ----------------------------------------- */

static void take_version(struct recording *r, const struct bytes *body)
{
	r->begun = body->len >= OA_VERSION_BODY && bytes_u32(body, 0) == OA_RECORDING_VERSION;
	if (r->begun)
		return;
	if (body->len < OA_VERSION_BODY)
		hadal_oa_recording_note(&r->pub, "a version record without a version");
	else
		hadal_oa_recording_note(&r->pub, "version %" PRIu32 " of the format, not %u",
					bytes_u32(body, 0), OA_RECORDING_VERSION);
	r->stopped = true;
}

/*
 * Copies the text of a field of @size bytes to where as many have room; the last is always the
 * terminator. Returns false if it was not a text in printable ASCII; it is one then.
 */
static bool take_text(const uint8_t *field, size_t size, char *text)
{
	bool good = memchr(field, '\0', size) != NULL;
	size_t i;

	for (i = 0; i + 1 < size && field[i]; i++) {
		bool printable = field[i] >= ' ' && field[i] <= '~';

		text[i] = printable ? (char)field[i] : '?';
		good &= printable;
	}
	text[i] = '\0';
	return good;
}

static void take_texts(struct recording *r, const struct bytes *body)
{
	struct hadal_oa_source *source = &r->pub.source;

	if (!take_text(body->data + OA_DEVICE_SET_NAME, sizeof(source->set_name), source->set_name))
		hadal_oa_recording_note(&r->pub, "the set's name is no text");
	if (!take_text(body->data + OA_DEVICE_SET_UUID, sizeof(source->set_uuid), source->set_uuid))
		hadal_oa_recording_note(&r->pub, "the set's UUID is no text");
}

static void take_device(struct recording *r, const struct bytes *body)
{
	struct hadal_oa_source *source = &r->pub.source;

	if (body->len < OA_DEVICE_BODY) {
		hadal_oa_recording_note(&r->pub, "a device record of %zu bytes instead of %u",
					body->len, OA_DEVICE_BODY);
		return;
	}
	if (r->pub.has_source) {
		hadal_oa_recording_note(&r->pub, "a second device record, not used");
		return;
	}
	r->pub.has_source = true;
	source->timestamp_hz = bytes_u64(body, OA_DEVICE_TIMESTAMP_HZ);
	source->device_id = bytes_u32(body, OA_DEVICE_ID);
	source->revision = bytes_u32(body, OA_DEVICE_REVISION);
	source->min_hz = bytes_u32(body, OA_DEVICE_MIN_HZ);
	source->max_hz = bytes_u32(body, OA_DEVICE_MAX_HZ);
	source->engine_class = bytes_u32(body, OA_DEVICE_ENGINE_CLASS);
	source->engine_instance = bytes_u32(body, OA_DEVICE_ENGINE_INSTANCE);
	source->format = bytes_u32(body, OA_DEVICE_FORMAT);
	take_texts(r, body);
	if (source->timestamp_hz == 0 || source->timestamp_hz > MAX_HZ) {
		hadal_oa_recording_note(&r->pub, "timestamps of %" PRIu64 " Hz: times are unknown",
					source->timestamp_hz);
		source->timestamp_hz = 0;
	}
}

static void take_topology(struct recording *r, const struct bytes *body)
{
	if (r->pub.topology_bytes) {
		hadal_oa_recording_note(&r->pub, "a second topology record, not used");
		return;
	}
	memcpy(r->topology, body->data, body->len);
	r->pub.topology = r->topology;
	r->pub.topology_bytes = body->len;
}

/* --- records of the stream --------------------------------------------------------------- */

static bool take_correlation(struct recording *r, const struct bytes *body,
			     struct hadal_oa_record *record)
{
	if (body->len < OA_CORRELATION_BODY) {
		hadal_oa_recording_note(&r->pub, "a correlation record of %zu bytes", body->len);
		return false;
	}
	record->correlation.cpu_ns = bytes_u64(body, 0);
	record->correlation.gpu_ticks = bytes_u64(body, 8);
	return true;
}

/* Returns true if @record is one for the caller. */
static bool sort_record(struct recording *r, const struct raw_record *raw,
			struct hadal_oa_record *record)
{
	record->type = (enum hadal_oa_record_type)raw->type;
	switch (raw->type) {
	case HADAL_OA_RECORD_SAMPLE:
		record->report = raw->body.data;
		record->report_bytes = raw->body.len;
		return true;
	case HADAL_OA_RECORD_REPORT_LOST:
	case HADAL_OA_RECORD_BUFFER_LOST:
		return true;
	case HADAL_OA_RECORD_CORRELATION:
		return take_correlation(r, &raw->body, record);
	case HADAL_OA_RECORD_VERSION:
		take_version(r, &raw->body);
		return false;
	case HADAL_OA_RECORD_DEVICE:
		take_device(r, &raw->body);
		return false;
	case HADAL_OA_RECORD_TOPOLOGY:
		take_topology(r, &raw->body);
		return false;
	default:
		r->pub.unknown++;
		return false;
	}
}

static int advance(struct recording *r, struct hadal_oa_record *record)
{
	while (!r->stopped) {
		struct raw_record raw;
		int ret = take(r, &raw);

		if (ret <= 0)
			return ret;
		if (sort_record(r, &raw, record))
			return 1;
	}
	return 0;
}

int hadal_oa_recording_next(struct hadal_oa_recording *recording, struct hadal_oa_record *record)
{
	struct recording *r = recording_of(recording);

	if (!r->pending)
		return advance(r, record);
	r->pending = false;
	*record = r->next;
	return 1;
}

/* --- opening and closing ----------------------------------------------------------------- */

static int begin(struct recording *r, struct hadal_oa_recording **recording)
{
	int ret = advance(r, &r->next);

	if (ret < 0) {
		hadal_oa_recording_close(&r->pub);
		return ret;
	}
	r->pending = ret > 0;
	if (r->offset == 0 && !r->pub.damage_total)
		hadal_oa_recording_note(&r->pub, "is empty");
	*recording = &r->pub;
	return 0;
}

int hadal_oa_recording_open(int fd, struct hadal_oa_recording **recording)
{
	struct recording *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->fd = fd;
	r->own = malloc(WINDOW_BYTES);
	r->bytes = r->own;
	if (!r->own) {
		free(r);
		return -ENOMEM;
	}
	return begin(r, recording);
}

int hadal_oa_recording_open_memory(const void *bytes, size_t length,
				   struct hadal_oa_recording **recording)
{
	struct recording *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->bytes = bytes;
	r->end = length;
	return begin(r, recording);
}

void hadal_oa_recording_close(struct hadal_oa_recording *recording)
{
	if (!recording)
		return;
	free(recording_of(recording)->own);
	free(recording);
}
