// SPDX-License-Identifier: MIT
/* core/histogram: every value has one bucket, and buckets are in order, whole and narrow. */
#include "core/histogram.h"
#include "tests/tap.h"

static struct histogram histogram;

static void test_small_values_have_their_own(void)
{
	for (unsigned int value = 0; value < 2 * HISTOGRAM_PARTS; value++) {
		CHECK_EQ(histogram_bucket(value), value);
		CHECK_EQ(histogram_least(value), value);
		CHECK_EQ(histogram_most(value), value);
	}
}

static void test_known_buckets(void)
{
	CHECK_EQ(histogram_bucket(16), 16);
	CHECK_EQ(histogram_bucket(17), 16);
	CHECK_EQ(histogram_bucket(18), 17);
	CHECK_EQ(histogram_bucket(31), 23);
	CHECK_EQ(histogram_bucket(32), 24);
	CHECK_EQ(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	CHECK(histogram_least(HISTOGRAM_BUCKETS - 1) == UINT64_MAX - (UINT64_MAX >> 4));
	CHECK(histogram_most(HISTOGRAM_BUCKETS - 1) == UINT64_MAX);
}

static void test_buckets_have_no_holes(void)
{
	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
		const uint64_t least = histogram_least(bucket), most = histogram_most(bucket);

		CHECK_EQ(histogram_bucket(least), bucket);
		CHECK_EQ(histogram_bucket(most), bucket);
		CHECK(most - least <= least / HISTOGRAM_PARTS);
		if (bucket)
			CHECK_EQ(histogram_most(bucket - 1) + 1, least);
	}
}

static void test_add(void)
{
	histogram_add(&histogram, 0, 1);
	histogram_add(&histogram, 16, 2);
	histogram_add(&histogram, 17, 3);
	histogram_add(&histogram, UINT64_MAX, 4);
	CHECK_EQ(histogram.counts[0], 1);
	CHECK_EQ(histogram.counts[16], 5);
	CHECK_EQ(histogram.counts[17], 0);
	CHECK_EQ(histogram.counts[HISTOGRAM_BUCKETS - 1], 4);
}

int main(void)
{
	TAP_RUN(test_small_values_have_their_own);
	TAP_RUN(test_known_buckets);
	TAP_RUN(test_buckets_have_no_holes);
	TAP_RUN(test_add);
	return tap_done();
}
