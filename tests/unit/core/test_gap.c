/* SPDX-License-Identifier: MIT */
/* core/gap against a clock that reads what a script says. */
#include "core/gap.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define SCRIPT_MAX 4096

static uint64_t script[SCRIPT_MAX];
static uint32_t looks[SCRIPT_MAX];
static unsigned int script_used;
static unsigned int reads;

static uint64_t fake_clock(void)
{
	if (reads >= script_used) {
		printf("Bail out! the loop read the clock %u times, the script has %u\n", reads + 1,
		       script_used);
		exit(1);
	}
	return script[reads++];
}

/* Asked right after the clock, so it answers for the read that has just been taken. */
static uint32_t fake_look(void)
{
	return looks[reads - 1];
}

#define SCRIPT(...)                                                                                \
	do {                                                                                       \
		static const uint64_t tap_reads[] = { __VA_ARGS__ };                               \
		set_script(tap_reads, sizeof(tap_reads) / sizeof(tap_reads[0]));                   \
	} while (0)

static void set_script(const uint64_t *values, size_t count)
{
	memcpy(script, values, count * sizeof(*values));
	memset(looks, 0, sizeof(looks));
	script_used = (unsigned int)count;
	reads = 0;
}

static void begin(struct gap_loop *loop, uint64_t length, uint64_t threshold)
{
	gap_begin(loop, fake_clock(), length, threshold);
}

static bool find(struct gap_loop *loop, struct gap *gap)
{
	return gap_find(loop, gap, fake_clock, fake_look);
}

static void test_gap_find_quiet_slice(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(100, 101, 103, 105, 110);
	begin(&loop, 10, 5);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(reads, 5);
	CHECK_EQ(loop.first, 100);
	CHECK_EQ(loop.last, 110);
	CHECK_EQ(loop.watched, 10);
}

static void test_gap_find_threshold_is_exceeded_not_met(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 5, 11);
	begin(&loop, 20, 5);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.start, 5);
	CHECK_EQ(gap.end, 11);
	CHECK_EQ(gap_length(&gap), 6);
	CHECK(!gap_is_backward(&gap));
	CHECK_EQ(gap.smi + gap.nmi + gap.nmi_ns + gap.seen, 0);
}

static void test_gap_find_several_in_one_slice(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 51, 52, 252, 253, 303, 304, 305);
	begin(&loop, 305, 10);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap_length(&gap), 50);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.start, 52);
	CHECK_EQ(gap_length(&gap), 200);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.end, 303);
	CHECK_EQ(gap_length(&gap), 50);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 305);
}

static void test_gap_find_without_resume_watches_the_handling(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 51, 81, 82, 100);
	begin(&loop, 100, 20);
	REQUIRE(find(&loop, &gap));
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.start, 51);
	CHECK_EQ(gap.end, 81);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 100);
}

static void test_gap_resume_leaves_the_handling_out(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 51, 1051, 1052, 2000);
	begin(&loop, 2000, 49);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(loop.watched, 51);
	gap_resume(&loop, fake_clock());
	loop.threshold = 948;
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 51 + (2000 - 1051));
	CHECK_EQ(loop.first, 0);
	CHECK_EQ(loop.last, 2000);
}

static void test_gap_extend_counts_as_watched(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 51, 91, 95, 100);
	begin(&loop, 100, 20);
	REQUIRE(find(&loop, &gap));
	gap_extend(&loop, &gap, fake_clock());
	CHECK_EQ(gap.start, 1);
	CHECK_EQ(gap.end, 91);
	CHECK_EQ(loop.watched, 91);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 100);
}

static void test_gap_resume_past_the_end(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 50, 101);
	begin(&loop, 100, 20);
	REQUIRE(find(&loop, &gap));
	gap_resume(&loop, fake_clock());
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 50);
	CHECK_EQ(loop.last, 101);
}

static void test_gap_find_gap_across_the_end(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 99, 5099, 5100);
	begin(&loop, 100, 99);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap_length(&gap), 5000);
	gap_resume(&loop, fake_clock());
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 5099);
}

static void test_gap_find_zero_length_watches_nothing(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(7);
	begin(&loop, 0, 10);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 0);
}

static void test_gap_find_backward_step_is_its_own_class(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(1000, 1030, 10, 10);
	begin(&loop, 100, 40);
	REQUIRE(find(&loop, &gap));
	CHECK(gap_is_backward(&gap));
	CHECK_EQ(gap.start, 1030);
	CHECK_EQ(gap.end, 10);
	CHECK_EQ(gap_length(&gap), 1020);
	CHECK_EQ(loop.watched, 30);
	gap_resume(&loop, fake_clock());
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 30);
}

static void test_gap_find_backward_by_one_tick(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(1000, 1005, 1004);
	begin(&loop, 10, 40);
	REQUIRE(find(&loop, &gap));
	CHECK(gap_is_backward(&gap));
	CHECK_EQ(gap_length(&gap), 1);
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 5);
}

static void test_gap_resume_backward_ends_the_slice(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(1000, 1001, 1060, 60);
	begin(&loop, 100, 50);
	REQUIRE(find(&loop, &gap));
	CHECK(!gap_is_backward(&gap));
	gap_resume(&loop, fake_clock());
	CHECK(!find(&loop, &gap));
	CHECK_EQ(loop.watched, 60);
}

static void test_gap_find_looks_of_both_ends(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 2, 102, 103, 203, 300);
	looks[1] = 1; /* a step before the gap's: not its own */
	looks[2] = 2; /* at its start */
	looks[3] = 4; /* at its end */
	looks[4] = 8; /* the start of the next gap */
	begin(&loop, 300, 97);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.seen, 2 | 4);
	REQUIRE(find(&loop, &gap));
	CHECK_EQ(gap.seen, 8);
}

static void test_gap_find_look_alone_is_no_gap(void)
{
	struct gap_loop loop;
	struct gap gap;

	SCRIPT(0, 1, 2, 3);
	looks[2] = 1;
	begin(&loop, 3, 10);
	CHECK(!find(&loop, &gap));
}

static void test_gap_buffer_counts_what_it_drops(void)
{
	struct gap store[2] = { { 0 } };
	struct gap_buffer buffer = { .gaps = store, .size = 2 };
	struct gap gap = { 0 };
	unsigned int i;

	for (i = 1; i <= 5; i++) {
		gap.start = i;
		gap_buffer_add(&buffer, &gap);
	}
	CHECK_EQ(buffer.used, 2);
	CHECK_EQ(buffer.dropped, 3);
	CHECK_EQ(store[0].start, 1);
	CHECK_EQ(store[1].start, 2);
}

/* A clock whose steps are 7 ticks, every 32nd 10, and one in 5000 is a hundred thousand. */
static uint64_t stepping_clock(void)
{
	static uint64_t now, steps;

	steps++;
	now += steps % 5000 == 0 ? 100000 : steps % 32 == 0 ? 10 : 7;
	return now;
}

static uint32_t look_nowhere(void)
{
	return 0;
}

static void test_gap_measure_floor_leaves_the_rare_step_out(void)
{
	struct gap_floor floor;

	gap_measure_floor(&floor, stepping_clock, look_nowhere);
	CHECK_EQ(floor.least, 7);
	CHECK_EQ(floor.usual, 10);
}

/* Of a coarse clock most steps do not move; what moves is one tick. */
static uint64_t coarse_clock(void)
{
	static uint64_t reads_done;

	return reads_done++ / 9;
}

static void test_gap_measure_floor_of_a_coarse_clock(void)
{
	struct gap_floor floor;

	gap_measure_floor(&floor, coarse_clock, look_nowhere);
	CHECK_EQ(floor.least, 1);
	CHECK_EQ(floor.usual, 1);
}

static uint64_t falling_clock(void)
{
	static uint64_t now = UINT64_MAX;

	return now -= 3;
}

static void test_gap_measure_floor_of_a_broken_clock_ends(void)
{
	struct gap_floor floor;

	gap_measure_floor(&floor, falling_clock, look_nowhere);
	CHECK_EQ(floor.least, 0);
	CHECK_EQ(floor.usual, 0);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Every third step or so is long, some go back; the slice must agree with a plain walk. */
static void random_script(uint32_t *state)
{
	uint64_t now = 1000000;
	unsigned int i;

	for (i = 0; i < SCRIPT_MAX; i++) {
		const uint32_t kind = next_random(state) % 16;

		script[i] = now;
		if (kind == 0)
			now -= next_random(state) % 2000;
		else if (kind < 5)
			now += next_random(state) % 300;
		else
			now += next_random(state) % 20;
	}
	memset(looks, 0, sizeof(looks));
	script_used = SCRIPT_MAX;
	reads = 0;
}

/*
 * The same answer from the script alone. Read 0 opens the slice. Then come stretches of steps up to
 * a gap or to the end; the step after a gap is the handling, which is not watched.
 */
static void oracle(uint64_t length, uint64_t threshold, struct gap_buffer *out, uint64_t *watched)
{
	const uint64_t end = script[0] + length;
	unsigned int i = 0;

	*watched = 0;
	while (script[i] < end) {
		struct gap gap = { .start = script[i], .end = script[i + 1] };
		const bool back = gap.end < gap.start;

		i++;
		if (!back)
			*watched += gap.end - gap.start;
		if (!back && gap.end - gap.start <= threshold)
			continue;
		gap_buffer_add(out, &gap);
		i++;
		if (back || script[i] < script[i - 1])
			return;
	}
}

static void test_gap_find_agrees_with_a_plain_walk(void)
{
	static struct gap have_store[SCRIPT_MAX], want_store[SCRIPT_MAX];
	uint32_t state = 1;
	unsigned int round, i;

	for (round = 0; round < 2000; round++) {
		struct gap_buffer have = { .gaps = have_store, .size = SCRIPT_MAX };
		struct gap_buffer want = { .gaps = want_store, .size = SCRIPT_MAX };
		const uint64_t length = next_random(&state) % 10000;
		const uint64_t threshold = 20 + next_random(&state) % 200;
		struct gap_loop loop;
		struct gap gap;
		uint64_t watched;

		random_script(&state);
		oracle(length, threshold, &want, &watched);
		begin(&loop, length, threshold);
		while (find(&loop, &gap)) {
			gap_buffer_add(&have, &gap);
			gap_resume(&loop, fake_clock());
		}
		CHECK_EQ(loop.watched, watched);
		CHECK_EQ(have.used, want.used);
		for (i = 0; i < want.used && i < have.used; i++) {
			CHECK_EQ(have_store[i].start, want_store[i].start);
			CHECK_EQ(have_store[i].end, want_store[i].end);
		}
		REQUIRE(true);
	}
}

int main(void)
{
	TAP_RUN(test_gap_find_quiet_slice);
	TAP_RUN(test_gap_find_threshold_is_exceeded_not_met);
	TAP_RUN(test_gap_find_several_in_one_slice);
	TAP_RUN(test_gap_find_without_resume_watches_the_handling);
	TAP_RUN(test_gap_resume_leaves_the_handling_out);
	TAP_RUN(test_gap_extend_counts_as_watched);
	TAP_RUN(test_gap_resume_past_the_end);
	TAP_RUN(test_gap_find_gap_across_the_end);
	TAP_RUN(test_gap_find_zero_length_watches_nothing);
	TAP_RUN(test_gap_find_backward_step_is_its_own_class);
	TAP_RUN(test_gap_find_backward_by_one_tick);
	TAP_RUN(test_gap_resume_backward_ends_the_slice);
	TAP_RUN(test_gap_find_looks_of_both_ends);
	TAP_RUN(test_gap_find_look_alone_is_no_gap);
	TAP_RUN(test_gap_buffer_counts_what_it_drops);
	TAP_RUN(test_gap_measure_floor_leaves_the_rare_step_out);
	TAP_RUN(test_gap_measure_floor_of_a_coarse_clock);
	TAP_RUN(test_gap_measure_floor_of_a_broken_clock_ends);
	TAP_RUN(test_gap_find_agrees_with_a_plain_walk);
	return tap_done();
}
