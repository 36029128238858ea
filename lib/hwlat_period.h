/* SPDX-License-Identifier: MIT */
/*
 * Whether sightings come periodically, though only parts of the time were watched.
 *
 * A comb is a period and a phase; its teeth are the times at which a periodic source strikes. The
 * best comb has the sightings on its teeth and no tooth in watched time without one.
 */
#ifndef HADAL_LIB_HWLAT_PERIOD_H
#define HADAL_LIB_HWLAT_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fewer say nothing. */
#define PERIOD_SIGHTINGS_MIN 5

/* struct period_spell - time that was watched without a break */
struct period_spell {
	int64_t start_ns;
	int64_t end_ns;
};

/*
 * struct period_input - what was seen, and when somebody looked
 * @at_ns: the sightings, in order
 * @spells: in order and without overlap; none if nobody knows when it was watched, and then
 * @duty: the share of the time that was, above 0
 * @cycle_ns: without @spells, from one stretch of watching to the next, 0 if unknown
 * @cycles: how many CPUs take turns
 */
struct period_input {
	const int64_t *at_ns;
	size_t count;
	const struct period_spell *spells;
	size_t spell_count;
	double duty;
	double cycle_ns;
	unsigned int cycles;
};

/*
 * struct period_comb - a period, by which the sightings can be told from chance
 * @error_ns: standard error of the period
 * @jitter_ns: robust spread of the sightings around their teeth
 * @tolerance_ns: how far from a tooth a sighting may be
 * @phase_ns: a tooth, on the clock of the input
 * @hits: sightings on a tooth of their own
 * @missing: teeth well inside watched time without a sighting
 * @score: harmonic mean of the share of sightings on teeth and of teeth with a sighting
 * @likelihood: logarithm of how well it explains the sightings, up to a constant; only differences of
 *	combs with the same hits mean something
 * @chance: how probable as good a comb is for a source without a period
 */
struct period_comb {
	double period_ns;
	double error_ns;
	double jitter_ns;
	double tolerance_ns;
	double phase_ns;
	size_t hits;
	size_t missing;
	double score;
	double likelihood;
	double chance;
};

/*
 * Finds the period of the sightings. @tests is how many times the caller asks for the same run: that
 * many more chances there are to find one where none is. Returns whether there is one.
 */
bool period_find(const struct period_input *in, unsigned int tests, struct period_comb *comb);

/* Whether a sighting is on a tooth of @comb. */
bool period_on_tooth(const struct period_comb *comb, int64_t at_ns);

/* --- the two halves of the search, for period_find() ------------------------------------------ */

/*
 * Fits a comb to the sightings, outwards from @first and @second which lie @steps teeth apart, and
 * sets all but the counts and what follows from them. Returns false if too few are near its teeth.
 */
bool period_fit(const struct period_input *in, size_t first, size_t second, unsigned int steps,
		struct period_comb *comb);

/* Counts hits and what is missing, and sets the score. */
void period_score(const struct period_input *in, struct period_comb *comb);

/* The share of watched time that is on a tooth: how probable a hit is for any sighting. */
double period_exposure(const struct period_input *in, const struct period_comb *comb);

/* Whether the sightings are bound to the watching and not to a clock of their own. */
bool period_is_own_rhythm(const struct period_input *in, const struct period_comb *comb);

#endif
