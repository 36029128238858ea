// SPDX-License-Identifier: MIT
/* How fast the TSC runs: measured against the HPET. IA-PC HPET Specification 1.0a, 2.3. */
#include "board/clock.h"

#include "board/io.h"
#include "core/port.h"

#define HPET 0xfed00000u
#define HPET_PERIOD_FS (HPET + 0x004)
#define HPET_PERIOD_MAX_FS 100000000u
#define HPET_CONFIG (HPET + 0x010)
#define HPET_CONFIG_ENABLE 0x1
#define HPET_COUNTER (HPET + 0x0f0)

#define FS_PER_MS 1000000000000ull
#define KHZ_STEP 100

/* TSC ticks while the HPET makes at least @hpet_ticks; *@hpet_ticks becomes how many it made. */
static uint64_t ticks_during(uint32_t *hpet_ticks)
{
	uint32_t start = read_reg(HPET_COUNTER);
	uint64_t tsc = port_clock();
	uint32_t made;

	do {
		made = read_reg(HPET_COUNTER) - start;
	} while (made < *hpet_ticks);
	*hpet_ticks = made;
	return port_clock() - tsc;
}

uint32_t clock_measure_khz(void)
{
	uint32_t period_fs = read_reg(HPET_PERIOD_FS);
	uint32_t per_ms, made, khz;

	if (!period_fs || period_fs > HPET_PERIOD_MAX_FS)
		return 0;
	per_ms = (uint32_t)port_div_u64(FS_PER_MS, period_fs);
	made = per_ms;
	write_reg(HPET_CONFIG, HPET_CONFIG_ENABLE);
	/* Ticks in a millisecond are kHz. */
	khz = (uint32_t)port_div_u64(ticks_during(&made) * per_ms, made);
	write_reg(HPET_CONFIG, 0);
	return (khz + KHZ_STEP / 2) / KHZ_STEP * KHZ_STEP;
}
