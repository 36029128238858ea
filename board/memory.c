// SPDX-License-Identifier: MIT
/* The four copies that compilers call by themselves. */
#include "board/memory.h"

void *memset(void *to, int byte, size_t bytes)
{
	size_t words = bytes / 4;
	void *at = to;

	bytes %= 4;
	__asm__ volatile("rep stosl"
			 : "+D"(at), "+c"(words)
			 : "a"((byte & 0xff) * 0x01010101u)
			 : "memory");
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(byte) : "memory");
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	size_t words = bytes / 4;
	void *at = to;

	bytes %= 4;
	__asm__ volatile("rep movsl" : "+D"(at), "+S"(from), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
	return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	uint8_t *at = to;
	const uint8_t *source = from;

	if (at <= source)
		return memcpy(to, from, bytes);
	while (bytes--)
		at[bytes] = source[bytes];
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const uint8_t *x = a, *y = b;

	for (; bytes; bytes--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
