// SPDX-License-Identifier: MIT
/* Numbers as decimal text. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/decimal.h"

#define MICRO 1000000u

/* A double is these bits times a power of two. */
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1075

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

char *decimal_u64(char *at, uint64_t value)
{
	char digits[20];
	char *start = digits + sizeof(digits);

	while (value >= 100) {
		start -= 2;
		memcpy(start, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10) {
		start -= 2;
		memcpy(start, pairs + value * 2, 2);
	} else {
		*--start = (char)('0' + value);
	}
	return decimal_text(at, start, (size_t)(digits + sizeof(digits) - start));
}

/* @value with leading zeros, @count digits of it. */
static char *fixed(char *at, uint32_t value, int count)
{
	for (int i = count - 1; i >= 0; i--) {
		at[i] = (char)('0' + value % 10);
		value /= 10;
	}
	return at + count;
}

/*
 * Millionths of a value of at least 0, rounded to even; false if there are 2^63 or more. Exact: 53
 * bits times a million are 73.
 */
static bool to_millionths(double value, uint64_t *millionths)
{
	unsigned __int128 product, half, rest;
	uint64_t bits, mantissa;
	int shift;

	memcpy(&bits, &value, sizeof(bits));
	shift = EXPONENT_BIAS - (int)(bits >> MANTISSA_BITS);
	mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	if (bits >> MANTISSA_BITS)
		mantissa |= UINT64_C(1) << MANTISSA_BITS;
	if (shift <= 0 || value >= 9e12)
		return false;
	if (shift > 100) {
		*millionths = 0;
		return true;
	}
	product = (unsigned __int128)mantissa * MICRO;
	half = (unsigned __int128)1 << (shift - 1);
	rest = product & ((half << 1) - 1);
	*millionths = (uint64_t)(product >> shift);
	*millionths += rest > half || (rest == half && *millionths & 1);
	return true;
}

char *decimal_real(char *at, double value)
{
	uint64_t millionths;

	if (!isfinite(value))
		return at;
	if (signbit(value)) {
		*at++ = '-';
		value = -value;
	}
	if (!to_millionths(value, &millionths))
		return at + snprintf(at, DECIMAL_ROOM - 1, "%.6f", value);
	at = decimal_u64(at, millionths / MICRO);
	*at++ = '.';
	return fixed(at, (uint32_t)(millionths % MICRO), 6);
}

char *decimal_us(char *at, uint64_t ns)
{
	at = decimal_u64(at, ns / 1000);
	*at++ = '.';
	return fixed(at, (uint32_t)(ns % 1000), 3);
}

char *decimal_text(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}
