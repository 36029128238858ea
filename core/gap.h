/* SPDX-License-Identifier: MIT */
/*
 * The sampling loop: read a clock again and again, and call every step that took too long a gap.
 *
 *   slice   |r r r r r r r r . . . . . r r r r h h r r r r r r r|
 *            first           gap       ^       ^ handling, not watched
 *
 * A home brings two functions, both inlined into the loop:
 *   clock   the counter, 64 bits, never wrapping, in ticks;
 *   look    what else a step looks at, as bits kept with the gap (0: nothing). It is called right
 *           after the clock, so what it reports may belong to the step that has just ended or to
 *           the next one: a gap carries the bits of both of its ends.
 * One clock read and one compare of ticks a step; no division, no call, and nothing is written to
 * memory until a gap is found. The home prepares what it needs (pinned, interrupts off), then:
 *
 *	gap_begin(&loop, clock(), length, threshold);
 *	while (gap_find(&loop, &gap, clock, look)) {
 *		... read counters, gap_buffer_add() ...
 *		gap_resume(&loop, clock());
 *	}
 *
 * Watching goes on from the read given to gap_resume(); without it, from the end of the gap, and
 * then the handling is a step like any other.
 * Nothing here fails, allocates, or keeps a pointer; all times are ticks of the home's clock.
 */
#ifndef HADAL_CORE_GAP_H
#define HADAL_CORE_GAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GAP_INLINE static inline __attribute__((always_inline))

typedef uint64_t gap_clock_fn(void);
typedef uint32_t gap_look_fn(void);

/* One gap. gap_find() fills start, end and seen, the home the counters that it has. */
struct gap {
	uint64_t start;	 /* last read before the gap */
	uint64_t end;	 /* first read after it; below start if the clock went backwards */
	uint64_t nmi_ns; /* time in NMI handlers */
	uint32_t smi;	 /* system management interrupts since the counter was last read */
	uint32_t nmi;	 /* the same for NMIs */
	uint32_t seen;	 /* bits from look */
};

/* One slice. The caller reads first, last and watched when gap_find() has returned false. */
struct gap_loop {
	uint64_t threshold; /* a step above this is a gap */
	uint64_t end;	    /* the first read at or past this one ends the slice */
	uint64_t first;	    /* the slice's first read */
	uint64_t last;	    /* its latest read */
	uint64_t watched;   /* time between watched reads, gaps included */
};

/* Gaps of a slice in memory of the caller's, and how many found no room. */
struct gap_buffer {
	struct gap *gaps;
	uint32_t size;
	uint32_t used;
	uint32_t dropped;
};

/* What the loop itself costs, by gap_measure_floor(). */
struct gap_floor {
	uint64_t least; /* the shortest step */
	uint64_t usual; /* at most one step in a thousand is longer */
};

#define GAP_FLOOR_STEPS 1024
#define GAP_FLOOR_ROUNDS 64

/** gap_is_backward() - whether the clock went backwards, which is no latency. */
GAP_INLINE bool gap_is_backward(const struct gap *gap)
{
	return gap->end < gap->start;
}

/** gap_length() - the size of a gap, or of the step back, in ticks. */
GAP_INLINE uint64_t gap_length(const struct gap *gap)
{
	return gap_is_backward(gap) ? gap->start - gap->end : gap->end - gap->start;
}

/**
 * gap_begin() - prepare a slice of @length ticks from @now, a read of the clock.
 * @threshold: steps of more than this many ticks are gaps; 0 makes every step one that moves. Below
 *	2^63, or steps back go unseen.
 */
GAP_INLINE void gap_begin(struct gap_loop *loop, uint64_t now, uint64_t length, uint64_t threshold)
{
	*loop = (struct gap_loop){
		.threshold = threshold,
		.end = now + length,
		.first = now,
		.last = now,
	};
}

/**
 * gap_resume() - what passed since the gap was not watched, what comes after @now is.
 */
GAP_INLINE void gap_resume(struct gap_loop *loop, uint64_t now)
{
	if (now < loop->last)
		loop->end = 0;
	loop->last = now;
}

/**
 * gap_extend() - the gap lasted until @now after all: the home met another before it was done.
 */
GAP_INLINE void gap_extend(struct gap_loop *loop, struct gap *gap, uint64_t now)
{
	loop->watched += now - gap->end;
	loop->last = now;
	gap->end = now;
}

/* Closes the watched stretch at a gap. */
GAP_INLINE void gap_close(struct gap_loop *loop, const struct gap *gap)
{
	const bool backward = gap_is_backward(gap);

	loop->watched += (backward ? gap->start : gap->end) - loop->last;
	loop->last = gap->end;
	if (backward)
		loop->end = 0;
}

/**
 * gap_find() - watch until the next gap or the end of the slice.
 * @gap: filled when a gap was found; its counters are zeroed for the home to set
 *
 * A gap that begins inside the slice is found even if it ends after it. A clock that goes back ends
 * the slice, since nobody can tell any more when that should end.
 * Returns true for a gap: handle it and call again. False: the slice is over.
 */
GAP_INLINE bool gap_find(struct gap_loop *loop, struct gap *gap, gap_clock_fn *clock,
			 gap_look_fn *look)
{
	const uint64_t threshold = loop->threshold;
	const uint64_t end = loop->end;
	uint32_t seen_before = look();
	uint64_t last = loop->last;

	while (last < end) {
		const uint64_t now = clock();
		const uint32_t seen = look();

		if (__builtin_expect(now - last > threshold, 0)) {
			*gap = (struct gap){ .start = last,
					     .end = now,
					     .seen = seen | seen_before };
			gap_close(loop, gap);
			return true;
		}
		last = now;
		seen_before = seen;
	}
	loop->watched += last - loop->last;
	loop->last = last;
	return false;
}

/**
 * gap_buffer_add() - keep a copy of @gap, or count it as dropped when the buffer is full.
 */
GAP_INLINE void gap_buffer_add(struct gap_buffer *buffer, const struct gap *gap)
{
	if (buffer->used < buffer->size)
		buffer->gaps[buffer->used++] = *gap;
	else
		buffer->dropped++;
}

/* The shortest step that moved the clock, of GAP_FLOOR_ROUNDS. */
GAP_INLINE uint64_t gap_shortest_step(gap_clock_fn *clock, gap_look_fn *look)
{
	uint64_t shortest = UINT64_MAX;
	struct gap_loop loop;
	struct gap gap;
	uint32_t round;

	for (round = 0; round < GAP_FLOOR_ROUNDS; round++) {
		gap_begin(&loop, clock(), UINT32_MAX, 0);
		if (gap_find(&loop, &gap, clock, look) && !gap_is_backward(&gap) &&
		    gap_length(&gap) < shortest)
			shortest = gap_length(&gap);
	}
	return shortest == UINT64_MAX ? 0 : shortest;
}

/* How many steps of a slice are longer than @above, and how long the shortest of those is. */
GAP_INLINE uint32_t gap_count_steps(uint64_t length, uint64_t above, uint64_t *shortest,
				    gap_clock_fn *clock, gap_look_fn *look)
{
	struct gap_loop loop;
	struct gap gap;
	uint32_t count = 0;

	*shortest = UINT64_MAX;
	gap_begin(&loop, clock(), length, above);
	while (gap_find(&loop, &gap, clock, look)) {
		if (!gap_is_backward(&gap)) {
			count++;
			if (gap_length(&gap) < *shortest)
				*shortest = gap_length(&gap);
		}
		gap_resume(&loop, clock());
	}
	return count;
}

/**
 * gap_measure_floor() - what a step of this loop costs when nothing happens.
 *
 * A threshold of less than about five times the usual step finds the loop and not the machine.
 * Call it as the slices are run (pinned, interrupts off). It watches GAP_FLOOR_STEPS of the
 * shortest steps once for each longer length that it meets, until at most one step is longer.
 */
GAP_INLINE void gap_measure_floor(struct gap_floor *out, gap_clock_fn *clock, gap_look_fn *look)
{
	const uint64_t least = gap_shortest_step(clock, look);
	uint64_t usual = least, longer;
	uint32_t round;

	for (round = 0; round < GAP_FLOOR_ROUNDS; round++) {
		if (gap_count_steps(least * GAP_FLOOR_STEPS, usual, &longer, clock, look) <= 1)
			break;
		usual = longer;
	}
	out->least = least;
	out->usual = usual;
}

#endif
