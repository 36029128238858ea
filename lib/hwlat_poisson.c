// SPDX-License-Identifier: MIT
/* The exact interval of a Poisson mean, by bisection of its tails. */
#include <math.h>

#include "hadal/hwlat_analysis.h"

/* Terms of a tail that are this small beside the first change nothing. */
#define NEGLIGIBLE 1e-16
#define BISECTIONS 80

/* The probability of @count or fewer at @mean, which is at least @count. */
static double at_most(double count, double mean)
{
	double term = 1, sum = 1;

	for (double k = count; k > 0 && term > NEGLIGIBLE; k--) {
		term *= k / mean;
		sum += term;
	}
	return sum * exp(count * log(mean) - mean - lgamma(count + 1));
}

/* The probability of @count or more at @mean, which is at most @count. */
static double at_least(double count, double mean)
{
	double term = 1, sum = 1;

	for (double k = count + 1; term > NEGLIGIBLE; k++) {
		term *= mean / k;
		sum += term;
	}
	return sum * exp(count * log(mean) - mean - lgamma(count + 1));
}

void hwlat_poisson_interval(uint64_t count, double *least, double *most)
{
	const double n = (double)count, tail = count ? 0.025 : 0.05;
	double low = 0, high = n, middle;

	for (int i = 0; count && i < BISECTIONS; i++) {
		middle = (low + high) / 2;
		if (at_least(n, middle) < tail)
			low = middle;
		else
			high = middle;
	}
	*least = low;
	low = n;
	high = n + 10 * sqrt(n) + 10;
	for (int i = 0; i < BISECTIONS; i++) {
		middle = (low + high) / 2;
		if (at_most(n, middle) > tail)
			low = middle;
		else
			high = middle;
	}
	*most = high;
}
