// SPDX-License-Identifier: MIT
/* Reading and judging while the Nth allocation fails, for every N: -ENOMEM, nothing kept, no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa.h"

/* Allocations of the library until one fails; below 0 none does. */
static int countdown = -1;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);

static bool fails(void)
{
	return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return fails() ? NULL : __real_realloc(memory, size);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t size)
{
	return fails() ? NULL : __real_reallocarray(memory, count, size);
}

/* Reads, compares and judges; the first error, or 0. */
static int use(const char *path)
{
	struct hadal_oa_question question = { .generation = oa_generation_find("hsw") };
	struct hadal_oa_file *file = NULL;
	struct hadal_oa_result result;
	int ret = hadal_oa_read(path, &file);

	if (ret == 0)
		ret = hadal_oa_find_duplicates(&file, 1);
	if (ret == 0)
		ret = hadal_oa_check_hashes(&file, 1);
	for (uint32_t i = 0; ret == 0 && i < file->set_count; i++) {
		ret = hadal_oa_check(file, &file->sets[i], &question, &result);
		if (ret == 0)
			hadal_oa_result_free(&result);
	}
	hadal_oa_free(file);
	return ret;
}

static void fail_each(const char *path, int at_least)
{
	int n = 0;
	int ret;

	do {
		countdown = n++;
		ret = use(path);
		assert_true(ret == 0 || ret == -ENOMEM);
	} while (ret != 0);
	/* The whole went through without meeting the failure. */
	assert_true(countdown >= 0);
	countdown = -1;
	assert_true(n > at_least);
}

static void test_metric_file(void **state)
{
	(void)state;
	fail_each(OA_DATA "/old-dialect.xml", 10);
}

static void test_large_metric_file(void **state)
{
	(void)state;
	fail_each(OA_DATA "/oa-bdw.xml", 30);
}

static void test_guids(void **state)
{
	(void)state;
	fail_each(OA_DATA "/guids-subset.xml", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metric_file),
		cmocka_unit_test(test_large_metric_file),
		cmocka_unit_test(test_guids),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("oa memory", tests, NULL, NULL);
}
