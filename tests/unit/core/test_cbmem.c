// SPDX-License-Identifier: MIT
/* CBMEM: what one stage writes the next finds, and what nobody wrote harms no reader. */
#include <stdlib.h>
#include <string.h>

#include "core/cbmem.h"
#include "core/error.h"
#include "core/port.h"
#include "tests/port/machine.h"
#include "tests/tap.h"

static struct cbmem cbmem;

static void start(void)
{
	machine_power_on(0xa5);
	machine_next_stage();
	CHECK_EQ(cbmem_create(&cbmem, machine_cbmem_memory(), MACHINE_CBMEM_BYTES), 0);
}

static struct bytes memory(void)
{
	return (struct bytes){ machine_cbmem_memory(), MACHINE_CBMEM_BYTES, false };
}

static void test_layout_is_coreboots(void)
{
	static const uint32_t root[] = { 254, 2, 0, 4096, 0 };
	static const uint32_t entry_0[] = { 0x3fc76b7e, 0, 4096, 0xff4017ff };
	static const uint32_t entry_1[] = { 0x3fc76b7e, (uint32_t)-4096, 4096, 0x53a11439 };
	static const uint32_t pointer[] = { 0xc0389481, (uint32_t)-4088 };
	static const uint32_t small[] = { 62,	      1, 0,    32,	  (uint32_t)-3072,
					  0x3fc76b7e, 0, 1024, 0xff4017ff };
	static const uint32_t small_pointer[] = { 0xc0389481, (uint32_t)-1016 };
	const uint8_t *limit = machine_cbmem_memory() + MACHINE_CBMEM_BYTES;

	start();
	CHECK(memcmp(limit - 4096, root, sizeof(root)) == 0);
	CHECK(memcmp(limit - 4096 + 20, entry_0, sizeof(entry_0)) == 0);
	CHECK(memcmp(limit - 4096 + 36, entry_1, sizeof(entry_1)) == 0);
	CHECK(memcmp(limit - 8, pointer, sizeof(pointer)) == 0);
	CHECK(memcmp(limit - 4096 - 1024, small, sizeof(small)) == 0);
	CHECK(memcmp(limit - 4096 - 8, small_pointer, sizeof(small_pointer)) == 0);
}

static void test_add_and_find(void)
{
	uint8_t *big, *small;
	size_t bytes = 0;

	start();
	big = cbmem_add(&cbmem, 0x1111, 0x910);
	small = cbmem_add(&cbmem, 0x2222, 32);
	REQUIRE(big && small);
	CHECK_EQ(big - machine_cbmem_memory(), MACHINE_CBMEM_BYTES - 3 * 4096);
	CHECK_EQ(small - machine_cbmem_memory(), MACHINE_CBMEM_BYTES - 4096 - 1024 - 32);
	for (size_t i = 0; i < 0x910; i++)
		CHECK_EQ(big[i], 0);
	CHECK(cbmem_find(&cbmem, 0x1111, &bytes) == big);
	CHECK_EQ(bytes, 0x910);
	CHECK(cbmem_find(&cbmem, 0x2222, &bytes) == small);
	CHECK_EQ(bytes, 32);
	CHECK(cbmem_find(&cbmem, 0x3333, &bytes) == NULL);
	big[0] = 7;
	CHECK(cbmem_add(&cbmem, 0x1111, 8) == big);
	CHECK_EQ(big[0], 7);
}

static void test_next_stage_finds_it_again(void)
{
	struct cbmem next = { 0 };
	size_t bytes;
	void *entry;

	start();
	entry = cbmem_add(&cbmem, 0x1111, 100);
	CHECK_EQ(cbmem_recover(&next, machine_cbmem_memory(), MACHINE_CBMEM_BYTES), 0);
	CHECK(cbmem_find(&next, 0x1111, &bytes) == entry);
	CHECK_EQ(bytes, 100);
	CHECK(cbmem_add(&next, 0x2222, 5000) != NULL);
}

static void test_limits(void)
{
	struct cbmem down = { 0 };
	size_t bytes;
	uint32_t id;

	CHECK(cbmem_find(&down, 1, &bytes) == NULL);
	CHECK(cbmem_add(&down, 1, 4) == NULL);
	machine_power_on(0);
	CHECK_EQ(cbmem_create(&down, machine_cbmem_memory(), 8192), -CORE_ENOMEM);
	CHECK(down.limit == NULL);
	CHECK_EQ(cbmem_recover(&down, machine_cbmem_memory(), MACHINE_CBMEM_BYTES), -CORE_ENOENT);

	start();
	CHECK(cbmem_add(&cbmem, 1, MACHINE_CBMEM_BYTES) == NULL);
	CHECK(cbmem_add(&cbmem, 1, SIZE_MAX) == NULL);
	CHECK(cbmem_add(&cbmem, 1, SIZE_MAX - 40) == NULL);
	CHECK(cbmem_add(&cbmem, 1, 14 * 4096) != NULL);
	CHECK(cbmem_add(&cbmem, 2, 4096) == NULL);
	/* 3072 bytes are left for small entries, and at most 61 of them. */
	for (id = 100; cbmem_add(&cbmem, id, 1); id++)
		;
	CHECK_EQ(id - 100, 61);
	CHECK_EQ(cbmem_recover(&down, machine_cbmem_memory(), MACHINE_CBMEM_BYTES), 0);
}

static void test_locked_root_takes_no_more(void)
{
	uint32_t *flags = (void *)(machine_cbmem_memory() + MACHINE_CBMEM_BYTES - 4096 + 8);

	start();
	*flags = CBMEM_FLAG_LOCKED;
	CHECK(cbmem_add(&cbmem, 1, 2000) == NULL);
}

/*
 * No word of the two roots may make recovery accept what it then runs astray in: each is set to
 * hostile values, and whatever is accepted must still add and find inside its memory.
 */
static void test_recover_with_each_word_hostile(void)
{
	static const uint32_t values[] = { 0,	 1,	     3,		 62,	     63,
					   254,	 255,	     0x7fffffff, 0x80000000, 0xffffffff,
					   4096, 0xfffff000, 0xc0389481, 0x3fc76b7e, 0x1fff };
	static uint8_t sound[MACHINE_CBMEM_BYTES];
	uint8_t *at = machine_cbmem_memory();
	uint8_t *end = at + MACHINE_CBMEM_BYTES;
	unsigned int refused = 0;
	struct cbmem next;
	uint8_t *entry;
	size_t bytes;

	start();
	cbmem_add(&cbmem, 0x1111, 0x910);
	cbmem_add(&cbmem, 0x2222, 32);
	memcpy(sound, at, sizeof(sound));
	for (size_t off = MACHINE_CBMEM_BYTES - 8192; off < MACHINE_CBMEM_BYTES; off += 4) {
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			memcpy(at, sound, sizeof(sound));
			memcpy(at + off, &values[v], 4);
			if (cbmem_recover(&next, at, MACHINE_CBMEM_BYTES) < 0) {
				refused++;
				continue;
			}
			entry = cbmem_find(&next, 0x2222, &bytes);
			CHECK(!entry || (entry >= at && entry + bytes <= end));
			entry = cbmem_add(&next, 0x3333, 6000);
			CHECK(!entry || (entry >= at && entry + 6000 <= end));
			entry = cbmem_add(&next, 0x4444, 16);
			CHECK(!entry || (entry >= at && entry + 16 <= end));
		}
	}
	CHECK(refused > 250);
}

static void test_reader_in_the_other_byte_order(void)
{
	struct bytes m = memory();
	struct cbmem_directory dir;
	struct cbmem_item item;
	uint8_t *p = machine_cbmem_memory();
	uint8_t t;

	start();
	cbmem_add(&cbmem, 0x1111, 0x910);
	cbmem_add(&cbmem, 0x2222, 32);
	for (size_t i = MACHINE_CBMEM_BYTES - 8192; i < MACHINE_CBMEM_BYTES; i += 4) {
		t = p[i], p[i] = p[i + 3], p[i + 3] = t;
		t = p[i + 1], p[i + 1] = p[i + 2], p[i + 2] = t;
	}
	REQUIRE(cbmem_directory_search(&dir, &m) == 0);
	CHECK_EQ(dir.bytes.big, !LOAD_HOST_BIG_ENDIAN);
	CHECK_EQ(cbmem_directory_find(&dir, 0x1111, &item), 0);
	CHECK_EQ(item.size, 0x910);
	CHECK_EQ(item.offset, MACHINE_CBMEM_BYTES - 3 * 4096);
	CHECK_EQ(cbmem_directory_find(&dir, 0x2222, &item), 0);
	CHECK_EQ(cbmem_recover(&cbmem, p, MACHINE_CBMEM_BYTES), -CORE_EBADMSG);
}

/* Copies of exactly the bytes at hand, so that a sanitizer sees the first one read too far. */
static void test_reader_cut_short_anywhere(void)
{
	struct cbmem_directory dir;
	struct cbmem_item item;
	uint8_t *copy;

	start();
	cbmem_add(&cbmem, 0x1111, 0x910);
	for (size_t len = MACHINE_CBMEM_BYTES - 8192; len <= MACHINE_CBMEM_BYTES; len += 1) {
		copy = malloc(len);
		REQUIRE(copy);
		memcpy(copy, machine_cbmem_memory(), len);
		if (cbmem_directory_search(&dir, &(struct bytes){ copy, len, false }) == 0) {
			CHECK_EQ(len, MACHINE_CBMEM_BYTES);
			CHECK_EQ(cbmem_directory_find(&dir, 0x1111, &item), 0);
		}
		free(copy);
	}
	/* The top of the area alone: the directory is there, its entries are below. */
	copy = malloc(4096);
	REQUIRE(copy);
	memcpy(copy, machine_cbmem_memory() + MACHINE_CBMEM_BYTES - 4096, 4096);
	CHECK_EQ(cbmem_directory_search(&dir, &(struct bytes){ copy, 4096, false }), 0);
	CHECK_EQ(dir.count, 3);
	cbmem_directory_item(&dir, 2, &item);
	CHECK(!item.sound);
	CHECK_EQ(item.id, 0x1111);
	CHECK_EQ(item.offset, -2 * 4096);
	CHECK_EQ(cbmem_directory_find(&dir, 0x1111, &item), -CORE_ENOENT);
	free(copy);
}

int main(void)
{
	TAP_RUN(test_layout_is_coreboots);
	TAP_RUN(test_add_and_find);
	TAP_RUN(test_next_stage_finds_it_again);
	TAP_RUN(test_limits);
	TAP_RUN(test_locked_root_takes_no_more);
	TAP_RUN(test_recover_with_each_word_hostile);
	TAP_RUN(test_reader_in_the_other_byte_order);
	TAP_RUN(test_reader_cut_short_anywhere);
	return tap_done();
}
