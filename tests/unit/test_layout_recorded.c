// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <stdlib.h>

#include "source/ebpf/anatomy/snapshot.h"

enum { EXE = 7, LIBRARY = 8, CACHE = 9, PAGE = 0x1000 };

/* The number of an object is its inode here. */
static uint32_t number(void *context, uint32_t dev, uint64_t ino, const char *path)
{
	++*(int *)context;
	assert_int_equal(dev, 1);
	assert_null(path);
	return ino;
}

static struct mapping_record mapped(uint64_t ino, const char *rights, uint64_t start, uint64_t end,
				    uint64_t offset)
{
	return (struct mapping_record){
		.start = start,
		.end = end,
		.offset = offset,
		.ino = ino,
		.dev = ino ? 1 : 0,
		.read = rights[0] == 'r',
		.write = rights[1] == 'w',
		.exec = rights[2] == 'x',
	};
}

static struct layout made(const struct mapping_record *records, size_t count)
{
	struct layout layout = { 0 };
	int numbered = 0;

	layout_recorded__make(&layout, records, count, number, &numbered);
	assert_int_equal(layout.recorded, layout.vma_count > 0);
	assert_true(numbered <= layout.vma_count);
	return layout;
}

static void assert_vma(const struct layout_vma *vma, uint32_t object, uint64_t start, uint64_t end,
		       uint64_t offset)
{
	assert_int_equal(vma->object, object);
	assert_int_equal(vma->start, start);
	assert_int_equal(vma->end, end);
	assert_int_equal(vma->offset, offset);
	assert_null(vma->pages);
	assert_null(vma->bytes);
	assert_false(vma->anon_known);
}

/* As ld.so maps a library: all of it, then its segments over that, then RELRO out of the data. */
static void test_library(void **state)
{
	const struct mapping_record records[] = {
		mapped(LIBRARY, "r--", 0x10000, 0x18000, 0),
		mapped(LIBRARY, "r-x", 0x12000, 0x15000, 2 * PAGE),
		mapped(LIBRARY, "r--", 0x15000, 0x16000, 5 * PAGE),
		mapped(LIBRARY, "rw-", 0x16000, 0x18000, 5 * PAGE),
		mapped(0, "rw-", 0x18000, 0x1a000, 0),
		mapped(LIBRARY, "r--", 0x16000, 0x17000, 5 * PAGE),
	};
	struct layout layout = made(records, 6);

	assert_int_equal(layout.vma_count, 6);
	assert_vma(&layout.vmas[0], LIBRARY, 0x10000, 0x12000, 0);
	assert_vma(&layout.vmas[1], LIBRARY, 0x12000, 0x15000, 2 * PAGE);
	assert_true(layout.vmas[1].exec);
	assert_vma(&layout.vmas[2], LIBRARY, 0x15000, 0x16000, 5 * PAGE);
	assert_vma(&layout.vmas[3], LIBRARY, 0x16000, 0x17000, 5 * PAGE);
	assert_false(layout.vmas[3].write);
	assert_vma(&layout.vmas[4], LIBRARY, 0x17000, 0x18000, 6 * PAGE);
	assert_true(layout.vmas[4].write);
	assert_vma(&layout.vmas[5], LIBRARY, 0x18000, 0x1a000, 7 * PAGE);
	assert_int_equal(layout.vmas[5].kind, PLACE_BSS);
	free(layout.vmas);
}

/* What is mapped into the middle leaves both ends; the offset of the second one goes on. */
static void test_middle(void **state)
{
	const struct mapping_record records[] = {
		mapped(EXE, "r-x", 0x10000, 0x20000, 0),
		mapped(LIBRARY, "r-x", 0x14000, 0x15000, PAGE),
	};
	struct layout layout = made(records, 2);

	assert_int_equal(layout.vma_count, 3);
	assert_vma(&layout.vmas[0], EXE, 0x10000, 0x14000, 0);
	assert_vma(&layout.vmas[1], LIBRARY, 0x14000, 0x15000, PAGE);
	assert_vma(&layout.vmas[2], EXE, 0x15000, 0x20000, 5 * PAGE);
	free(layout.vmas);
}

/* Nobody knows whether they are still there: files that are no code, and memory of their own. */
static void test_others(void **state)
{
	const struct mapping_record records[] = {
		mapped(CACHE, "r--", 0x10000, 0x12000, 0),
		mapped(0, "rw-", 0x12000, 0x13000, 0),
		mapped(EXE, "r-x", 0x30000, 0x31000, 0),
		mapped(0, "rw-", 0x31000, 0x32000, 0), /* behind code: no .bss */
	};
	struct layout layout = made(records, 4);

	assert_int_equal(layout.vma_count, 1);
	assert_vma(&layout.vmas[0], EXE, 0x30000, 0x31000, 0);
	free(layout.vmas);
}

static void test_nothing(void **state)
{
	struct layout layout = made(NULL, 0);

	assert_int_equal(layout.vma_count, 0);
	assert_null(layout.vmas);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_middle),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
