// SPDX-License-Identifier: MIT
/* Fits a comb to sightings: least squares of time against tooth, outwards from two of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hwlat_period.h"

/* While the period is still vague, a sighting may be this far from its tooth. */
#define LOOSE 0.03
/* What is never closer than this share of the period is taken as on the tooth. */
#define TIGHT 0.002
/* Spreads of a normal distribution within which almost all lie. */
#define SPREADS 3.5
/* The standard deviation of a normal distribution over its median deviation. */
#define MEDIAN_TO_SIGMA 1.4826
/* More would change the spread by nothing that matters. */
#define SPREAD_SAMPLE 256
#define ROUNDS 3
/* A comb that so small a share of the sightings is near to is not worth looking at. */
#define FEWEST 0.6

/* struct sums - of a regression of y (ns from the anchor) on x (teeth from the anchor) */
struct sums {
	double n, x, y, xx, xy, yy;
};

static void sums_add(struct sums *s, double x, double y)
{
	s->n += 1;
	s->x += x;
	s->y += y;
	s->xx += x * x;
	s->xy += x * y;
	s->yy += y * y;
}

/* A line through the points so far. */
static void solve(const struct sums *s, double *period, double *offset)
{
	const double spread = s->n * s->xx - s->x * s->x;

	if (spread > 0)
		*period = (s->n * s->xy - s->x * s->y) / spread;
	*offset = (s->y - *period * s->x) / s->n;
}

static double distance(const struct period_input *in, size_t i, size_t anchor)
{
	return (double)(in->at_ns[i] - in->at_ns[anchor]);
}

/* Takes a sighting into the fit if it lies near a tooth. */
static void take(struct sums *s, double y, double *period, double *offset)
{
	const double x = round((y - *offset) / *period);

	if (fabs(y - *offset - x * *period) > LOOSE * *period)
		return;
	sums_add(s, x, y);
	solve(s, period, offset);
}

/*
 * The nearest sightings first, so that the period is known well enough for those far off. Returns how
 * many were taken.
 */
static size_t grow(const struct period_input *in, size_t first, size_t second, double *period,
		   double *offset)
{
	struct sums s = { 0 };
	size_t left = first, right = second + 1;

	sums_add(&s, 0, 0);
	sums_add(&s, round(distance(in, second, first) / *period), distance(in, second, first));
	for (size_t i = first + 1; i < second; i++)
		take(&s, distance(in, i, first), period, offset);
	while (left > 0 || right < in->count) {
		const double before = left > 0 ? -distance(in, left - 1, first) : INFINITY;
		const double after = right < in->count ? distance(in, right, second) : INFINITY;

		take(&s, distance(in, before < after ? --left : right++, first), period, offset);
	}
	return (size_t)s.n;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median distance of those sightings that are near a tooth at all, as a standard deviation. */
static double spread(const struct period_input *in, size_t anchor, double period, double offset)
{
	const size_t step = in->count / SPREAD_SAMPLE + 1;
	double off[SPREAD_SAMPLE];
	size_t used = 0;

	for (size_t i = 0; i < in->count && used < SPREAD_SAMPLE; i += step) {
		const double y = distance(in, i, anchor) - offset;
		const double residual = fabs(y - round(y / period) * period);

		if (residual <= LOOSE * period)
			off[used++] = residual;
	}
	if (!used)
		return LOOSE * period;
	qsort(off, used, sizeof(off[0]), compare_doubles);
	return off[used / 2] * MEDIAN_TO_SIGMA;
}

/* All sightings again, with a period that is known by now. Returns the period's standard error. */
static double refit(const struct period_input *in, size_t anchor, double tolerance, double *period,
		    double *offset)
{
	struct sums s = { 0 };
	double variance, squares;

	for (size_t i = 0; i < in->count; i++) {
		const double y = distance(in, i, anchor);
		const double x = round((y - *offset) / *period);

		if (fabs(y - *offset - x * *period) <= tolerance)
			sums_add(&s, x, y);
	}
	if (s.n < 3)
		return INFINITY;
	solve(&s, period, offset);
	squares = s.yy - *offset * s.y - *period * s.xy;
	variance = squares > 0 ? squares / (s.n - 2) : 0;
	return sqrt(variance / (s.xx - s.x * s.x / s.n));
}

static double tolerance_of(double jitter, double period)
{
	return fmin(fmax(jitter * SPREADS, TIGHT * period), LOOSE * period);
}

bool period_fit(const struct period_input *in, size_t first, size_t second, unsigned int steps,
		struct period_comb *comb)
{
	double period = distance(in, second, first) / steps, offset = 0;

	*comb = (struct period_comb){ 0 };
	if ((double)grow(in, first, second, &period, &offset) < FEWEST * (double)in->count)
		return false;
	comb->tolerance_ns = LOOSE * period;
	for (int i = 0; i < ROUNDS; i++) {
		comb->error_ns = refit(in, first, comb->tolerance_ns, &period, &offset);
		comb->jitter_ns = spread(in, first, period, offset);
		comb->tolerance_ns = tolerance_of(comb->jitter_ns, period);
	}
	comb->period_ns = period;
	comb->phase_ns = (double)in->at_ns[first] + offset;
	return period > 0 && isfinite(comb->error_ns);
}

bool period_on_tooth(const struct period_comb *comb, int64_t at_ns)
{
	const double y = (double)at_ns - comb->phase_ns;

	return fabs(y - round(y / comb->period_ns) * comb->period_ns) <= comb->tolerance_ns;
}
