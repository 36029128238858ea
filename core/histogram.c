// SPDX-License-Identifier: MIT
/* The log-linear histogram. */
#include "core/histogram.h"

/* The position of the highest bit that is set; @value is not 0. */
static unsigned int highest_bit(uint64_t value)
{
	unsigned int bit = 0;

	for (unsigned int step = 32; step; step >>= 1) {
		if (value >> step) {
			value >>= step;
			bit += step;
		}
	}
	return bit;
}

/* Values below HISTOGRAM_PARTS have a bucket each; from there on every power of two has as many. */
unsigned int histogram_bucket(uint64_t value)
{
	unsigned int shift;

	if (value < HISTOGRAM_PARTS)
		return (unsigned int)value;
	shift = highest_bit(value) - HISTOGRAM_PART_BITS;
	return (shift + 1) * HISTOGRAM_PARTS + (unsigned int)(value >> shift) % HISTOGRAM_PARTS;
}

uint64_t histogram_least(unsigned int bucket)
{
	const uint64_t part = bucket % HISTOGRAM_PARTS;

	if (bucket < HISTOGRAM_PARTS)
		return part;
	return (HISTOGRAM_PARTS + part) << (bucket / HISTOGRAM_PARTS - 1);
}

uint64_t histogram_most(unsigned int bucket)
{
	return bucket + 1 < HISTOGRAM_BUCKETS ? histogram_least(bucket + 1) - 1 : UINT64_MAX;
}

void histogram_add(struct histogram *histogram, uint64_t value, uint64_t times)
{
	histogram->counts[histogram_bucket(value)] += times;
}
