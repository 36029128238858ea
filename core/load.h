/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores at any alignment, in a stated byte order, and a bounds-checked view of bytes
 * that somebody else wrote. Bytes from outside are only read through here, never by laying a
 * struct over them.
 */
#ifndef HADAL_CORE_LOAD_H
#define HADAL_CORE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At -Os a compiler may turn these few bytes of code into calls that are longer. */
#define LOAD_INLINE inline __attribute__((always_inline))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOAD_HOST_BIG_ENDIAN 1
#else
#define LOAD_HOST_BIG_ENDIAN 0
#endif

/* Values at any alignment, inside objects of any type. */
struct __attribute__((__packed__, __may_alias__)) load_any16 {
	uint16_t v;
};

struct __attribute__((__packed__, __may_alias__)) load_any32 {
	uint32_t v;
};

struct __attribute__((__packed__, __may_alias__)) load_any64 {
	uint64_t v;
};

/* Swaps the bytes of a value if @swap is true. */
static LOAD_INLINE uint16_t load_swap16(uint16_t v, bool swap)
{
	return swap ? __builtin_bswap16(v) : v;
}

static LOAD_INLINE uint32_t load_swap32(uint32_t v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

static LOAD_INLINE uint64_t load_swap64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

/* The value at @p, which need not be aligned, in little-endian or (@big) big-endian order. */
static LOAD_INLINE uint16_t load_u16(const void *p, bool big)
{
	return load_swap16(((const struct load_any16 *)p)->v, big != LOAD_HOST_BIG_ENDIAN);
}

static LOAD_INLINE uint32_t load_u32(const void *p, bool big)
{
	return load_swap32(((const struct load_any32 *)p)->v, big != LOAD_HOST_BIG_ENDIAN);
}

static LOAD_INLINE uint64_t load_u64(const void *p, bool big)
{
	return load_swap64(((const struct load_any64 *)p)->v, big != LOAD_HOST_BIG_ENDIAN);
}

static LOAD_INLINE uint16_t load_le16(const void *p)
{
	return load_u16(p, false);
}

static LOAD_INLINE uint32_t load_le32(const void *p)
{
	return load_u32(p, false);
}

static LOAD_INLINE uint64_t load_le64(const void *p)
{
	return load_u64(p, false);
}

/* Stores @v at @p, which need not be aligned, in little-endian order. */
static LOAD_INLINE void store_le16(void *p, uint16_t v)
{
	((struct load_any16 *)p)->v = load_swap16(v, LOAD_HOST_BIG_ENDIAN);
}

static LOAD_INLINE void store_le32(void *p, uint32_t v)
{
	((struct load_any32 *)p)->v = load_swap32(v, LOAD_HOST_BIG_ENDIAN);
}

static LOAD_INLINE void store_le64(void *p, uint64_t v)
{
	((struct load_any64 *)p)->v = load_swap64(v, LOAD_HOST_BIG_ENDIAN);
}

/* Adds @by to the aligned little-endian word at @p in one step, whatever other CPUs do there. */
static LOAD_INLINE void atomic_add_le32(uint32_t *p, uint32_t by)
{
#if LOAD_HOST_BIG_ENDIAN
	uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
	uint32_t sum;

	do {
		store_le32(&sum, load_le32(&old) + by);
	} while (!__atomic_compare_exchange_n(p, &old, sum, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
#else
	__atomic_fetch_add(p, by, __ATOMIC_RELAXED);
#endif
}

/*
 * struct bytes - a view of bytes that somebody else wrote
 * @data: first byte, owned by whoever made the view
 * @len: how many there are
 * @big: they hold big-endian values
 */
struct bytes {
	const uint8_t *data;
	size_t len;
	bool big;
};

/* True if @len bytes at @off lie inside the view. Nothing here can wrap. */
static inline bool bytes_has(const struct bytes *b, uint64_t off, uint64_t len)
{
	return off <= b->len && len <= b->len - off;
}

/* The part of the view from @off on, at most @len bytes long; empty if @off is past its end. */
static inline struct bytes bytes_sub(const struct bytes *b, uint64_t off, uint64_t len)
{
	struct bytes sub = { b->data, 0, b->big };

	if (off < b->len) {
		sub.data += off;
		sub.len = b->len - (size_t)off;
		if (len < sub.len)
			sub.len = (size_t)len;
	}
	return sub;
}

/* The value at @off in the view's byte order. The caller has made sure that it is there. */
static LOAD_INLINE uint16_t bytes_u16(const struct bytes *b, size_t off)
{
	return load_u16(b->data + off, b->big);
}

static LOAD_INLINE uint32_t bytes_u32(const struct bytes *b, size_t off)
{
	return load_u32(b->data + off, b->big);
}

static LOAD_INLINE uint64_t bytes_u64(const struct bytes *b, size_t off)
{
	return load_u64(b->data + off, b->big);
}

#endif
