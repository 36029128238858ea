// SPDX-License-Identifier: MIT
/* Any bytes as a recording: read record by record, decoded as the GPU that it names, written. */
#include <stdlib.h>
#include <string.h>

#include "hadal/oa_device.h"
#include "report/oa_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char metrics[] =
	"<metrics><set symbol_name='S' chipset='SKL' hw_config_guid='0'>"
	"<counter symbol_name='GpuTime' data_type='uint64' units='ns' "
	"equation='GPU_TIME 0 READ 1000000000 UMUL $GpuTimestampFrequency UDIV'/>"
	"<counter symbol_name='Clocks' data_type='uint64' equation='GPU_CLOCK 0 READ'/>"
	"<counter symbol_name='Busy' data_type='float' "
	"equation='A 0 READ 100 UMUL $Clocks FDIV' availability='$SliceMask 1 AND'/>"
	"<counter symbol_name='Wide' data_type='uint64' equation='A 31 READ B 7 READ UADD'/>"
	"<counter symbol_name='Eus' data_type='float' equation='C 7 READ $EuCoresTotalCount FDIV'/>"
	"</set></metrics>";

static const struct oa_read_writer *const writers[] = {
	&oa_read_table,
	&oa_read_csv,
	&oa_read_json,
	&oa_read_perfetto,
};

static void write_all(struct hadal_oa_decoder *decoder, const struct oa_generation *generation,
		      const struct oa_read_writer *writer)
{
	struct oa_read read = { .path = "r", .generation = generation, .decoder = decoder };
	struct report_out out = { .file = fopen("/dev/null", "we"), .width = 80 };
	struct hadal_oa_interval interval;
	struct oa_read_state state;

	if (!out.file || oa_read_begin(&state, writer, &read, &out) != 0)
		abort();
	while (hadal_oa_decoder_next(decoder, &interval) > 0)
		oa_read_interval(&state, &interval);
	if (decoder->intervals >= decoder->reports && decoder->reports)
		abort();
	oa_read_end(&state);
	oa_read_free(&state);
	fclose(out.file);
}

static void decode(struct hadal_oa_recording *recording, const struct hadal_oa_file *file,
		   const struct oa_read_writer *writer)
{
	struct hadal_oa_decoding what = {
		.file = file,
		.set = file->sets,
		.generation = hadal_oa_generation_of(recording->source.device_id),
	};
	struct hadal_oa_device device;
	struct hadal_oa_decoder *decoder;

	hadal_oa_recording_variables(recording, what.generation, &device);
	what.device = &device;
	if (hadal_oa_decoder_open(recording, &what, &decoder) != 0)
		return;
	write_all(decoder, what.generation, writer);
	hadal_oa_decoder_close(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hadal_oa_file *file;
	struct hadal_oa_recording *recording;

	if (!file && hadal_oa_parse("m.xml", metrics, strlen(metrics), &file) != 0)
		abort();
	if (hadal_oa_recording_open_memory(data, size, &recording) != 0)
		abort();
	if (recording->damage_count > recording->damage_total)
		abort();
	if (recording->has_source)
		decode(recording, file, writers[size % 4]);
	hadal_oa_recording_close(recording);
	return 0;
}
