/* SPDX-License-Identifier: MIT */
/*
 * A histogram of lengths of any size, with the same relative width everywhere: each power of two is cut
 * into HISTOGRAM_PARTS buckets of equal width, so a bucket is never wider than an eighth of its value.
 * Fixed memory, no allocation, no division; two of them are merged by adding their counts.
 */
#ifndef HADAL_CORE_HISTOGRAM_H
#define HADAL_CORE_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_PART_BITS 3
#define HISTOGRAM_PARTS (1u << HISTOGRAM_PART_BITS)
#define HISTOGRAM_BUCKETS ((64 - HISTOGRAM_PART_BITS + 1) * HISTOGRAM_PARTS)

/* struct histogram - how often each bucket was hit; all zero is an empty one */
struct histogram {
	uint64_t counts[HISTOGRAM_BUCKETS];
};

/* The bucket of any value: 0 to HISTOGRAM_BUCKETS - 1. */
unsigned int histogram_bucket(uint64_t value);

/* The least value in @bucket, which must be below HISTOGRAM_BUCKETS. */
uint64_t histogram_least(unsigned int bucket);

/* The largest value in @bucket, which must be below HISTOGRAM_BUCKETS. */
uint64_t histogram_most(unsigned int bucket);

/* Counts @value @times; the counts wrap at 2^64. */
void histogram_add(struct histogram *histogram, uint64_t value, uint64_t times);

#endif
