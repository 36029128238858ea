/* SPDX-License-Identifier: MIT */
/* How fast the TSC runs. */
#ifndef HADAL_BOARD_CLOCK_H
#define HADAL_BOARD_CLOCK_H

#include <stdint.h>

/*
 * Measures the TSC against the HPET for 1 ms. Returns kHz, rounded to 100 kHz, which is as exact
 * as such a short look can be; 0 if there is no HPET.
 */
uint32_t clock_measure_khz(void);

#endif
