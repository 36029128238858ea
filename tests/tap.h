/* SPDX-License-Identifier: MIT */
/*
 * The smallest test harness that prints TAP: core tests use it because they also run where no
 * test library exists (other architectures, under emulation).
 *
 *	int main(void)
 *	{
 *		TAP_RUN(test_one);
 *		TAP_RUN(test_two);
 *		return tap_done();
 *	}
 *
 * A test is a void function; CHECK and CHECK_EQ note a failure and go on, REQUIRE returns from it.
 */
#ifndef HADAL_TESTS_TAP_H
#define HADAL_TESTS_TAP_H

#include <inttypes.h>
#include <stdio.h>

static int tap_count;
static int tap_failed;
static int tap_broken;

static inline void tap_not_true(const char *file, int line, const char *cond)
{
	tap_broken = 1;
	printf("# %s:%d: not true: %s\n", file, line, cond);
}

#define CHECK(cond)                                                                                \
	do {                                                                                       \
		if (!(cond))                                                                       \
			tap_not_true(__FILE__, __LINE__, #cond);                                   \
	} while (0)

#define CHECK_EQ(have, want)                                                                       \
	do {                                                                                       \
		long long tap_have = (long long)(have), tap_want = (long long)(want);              \
		if (tap_have != tap_want) {                                                        \
			tap_broken = 1;                                                            \
			printf("# %s:%d: %s is %lld (0x%llx), expected %lld (0x%llx)\n", __FILE__, \
			       __LINE__, #have, tap_have, (unsigned long long)tap_have, tap_want,  \
			       (unsigned long long)tap_want);                                      \
		}                                                                                  \
	} while (0)

#define REQUIRE(cond)                                                                              \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			tap_not_true(__FILE__, __LINE__, #cond);                                   \
			return;                                                                    \
		}                                                                                  \
	} while (0)

#define TAP_RUN(fn)                                                                                \
	do {                                                                                       \
		tap_broken = 0;                                                                    \
		fn();                                                                              \
		tap_failed += tap_broken;                                                          \
		printf("%sok %d - %s\n", tap_broken ? "not " : "", ++tap_count, #fn);              \
		fflush(stdout);                                                                    \
	} while (0)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
