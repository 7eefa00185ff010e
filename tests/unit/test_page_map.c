// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "analysis/forks/page_map.h"
#include "format/output.h"
#include "report/anatomy/anatomy_tables.h"

enum { CODE, DATA, BSS, HEAP, HUGE_ONE };

static struct layout_vma vmas[] = {
	[CODE] = { .start = 0x10000, .end = 0x15000, .offset = 0, .object = 0, .kind = PLACE_FILE,
		   .read = true, .exec = true, .anon_known = true, .pages = "ff..f" },
	/* The file's fifth page is mapped a second time, writable. */
	[DATA] = { .start = 0x15000, .end = 0x18000, .offset = 0x4000, .object = 0,
		   .kind = PLACE_FILE, .read = true, .write = true, .anon_known = true,
		   .anon = true, .pages = "af." },
	[BSS] = { .start = 0x18000, .end = 0x1a000, .offset = 0x7000, .object = 0,
		  .kind = PLACE_BSS, .read = true, .write = true },
	[HEAP] = { .start = 0x20000, .end = 0x21000, .object = NO_OBJECT, .kind = PLACE_HEAP,
		   .pages = "a" },
	[HUGE_ONE] = { .start = 0, .end = UINT64_MAX, .object = 1, .kind = PLACE_FILE },
};

static struct layout layout = { .vmas = vmas, .vma_count = 5 };

static struct anatomy_row rows[] = {
	{ .phase = PHASE_CHILD, .actor = ACTOR_PROGRAM, .class = FAULT_FILE_MAP, .is_exec = true,
	  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0x4010 } },
	{ .phase = PHASE_CHILD, .actor = ACTOR_LDSO, .class = FAULT_COW_COPY,
	  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0x4ff8 } },
	{ .phase = PHASE_CHILD, .actor = ACTOR_KERNEL, .class = FAULT_COW_COPY, /* outdone */
	  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0x4000 } },
	{ .phase = PHASE_CHILD, .actor = ACTOR_PROGRAM, .class = FAULT_ZERO_FILL,
	  .place = { .kind = PLACE_BSS, .object = 0, .offset = 0x8000 } },
	{ .phase = PHASE_EXEC, .actor = ACTOR_PROGRAM, .class = FAULT_FILE_COW, /* not of a child */
	  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0x6000 } },
	{ .phase = PHASE_CHILD, .actor = ACTOR_PROGRAM, .class = FAULT_FILE_COW, /* nowhere */
	  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0xf0000 } },
	{ .phase = PHASE_CHILD, .actor = ACTOR_PROGRAM, .class = FAULT_FILE_COW, /* too large */
	  .place = { .kind = PLACE_FILE, .object = 1, .offset = 0x1000 } },
};

static struct object objects[] = { { .path = "/bin/prog" }, { .path = "/data" } };
static struct group groups[] = { { .exec_target = NO_EXE } };
static struct anatomy anatomy = {
	.rows = rows, .row_count = sizeof(rows) / sizeof(rows[0]),
	.layouts = &layout, .layout_count = 1,
	.objects = objects, .object_count = 2,
};
static struct run run = { .machine.page_bytes = 4096, .anatomy = &anatomy, .groups = groups, .group_count = 1 };

static void assert_strip(const struct page_strip *strip, const char *expected)
{
	assert_int_equal(strip->count, strlen(expected));
	for (size_t i = 0; i < strip->count; i++)
		assert_int_equal(page_state_letters[strip->states[i]], expected[i]);
}

static void test_states(void **state)
{
	struct page_map map = page_map__of(&run, &layout);
	uint64_t counts[PAGE_STATE_COUNT];

	assert_int_equal(map.count, 4); /* no heap */
	assert_strip(&map.strips[0], "....m"); /* an instruction is fetched where that is allowed */
	assert_strip(&map.strips[1], "Ls."); /* and written where that is */
	assert_strip(&map.strips[2], "?o");
	assert_strip(&map.strips[3], "");
	assert_int_equal(page_map__same_object(&map, 0), 3);
	assert_int_equal(page_map__same_object(&map, 3), 1);
	page_strips__count(map.strips, 3, counts);
	assert_int_equal(counts[PAGE_UNTOUCHED], 5);
	assert_int_equal(counts[PAGE_BY_LDSO], 1);
	assert_int_equal(counts[PAGE_BY_KERNEL], 0);
	page_map__free(&map);
}

/* One page of the file, mapped to be read and again to be written, as some linkers have it. */
static void test_shared_page(void **state)
{
	struct layout_vma both[] = {
		{ .start = 0x10000, .end = 0x11000, .object = 0, .kind = PLACE_FILE, .read = true,
		  .pages = "f" },
		{ .start = 0x11000, .end = 0x12000, .object = 0, .kind = PLACE_FILE, .read = true,
		  .write = true, .pages = "a" },
	};
	struct layout two = { .vmas = both, .vma_count = 2 };
	struct anatomy_row read_and_written[] = {
		{ .phase = PHASE_CHILD, .actor = ACTOR_LDSO, .class = FAULT_FILE_MAP,
		  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0x100 } },
		{ .phase = PHASE_CHILD, .actor = ACTOR_LDSO, .class = FAULT_COW_COPY,
		  .place = { .kind = PLACE_FILE, .object = 0, .offset = 0xb40 } },
	};
	struct anatomy small = { .rows = read_and_written, .row_count = 2 };
	struct run run_of_two = { .machine.page_bytes = 4096, .anatomy = &small };
	struct page_map map = page_map__of(&run_of_two, &two);

	assert_strip(&map.strips[0], "m");
	assert_strip(&map.strips[1], "L");
	page_map__free(&map);
}

/* Pages are those of the run, whatever this machine has. */
static void test_larger_pages(void **state)
{
	struct layout_vma vma = { .start = 0x10000, .end = 0x20000, .object = 0, .kind = PLACE_FILE, .read = true,
				  .write = true, .pages = "aaaa" };
	struct layout one = { .vmas = &vma, .vma_count = 1 };
	struct anatomy_row written = { .phase = PHASE_CHILD, .actor = ACTOR_LDSO, .class = FAULT_COW_COPY,
				       .place = { .kind = PLACE_FILE, .object = 0, .offset = 0xb000 } };
	struct anatomy small = { .rows = &written, .row_count = 1 };
	struct run run_of_one = { .machine.page_bytes = 16384, .anatomy = &small };
	struct page_map map = page_map__of(&run_of_one, &one);

	assert_strip(&map.strips[0], "ssLs");
	page_map__free(&map);
}

static char *picture(unsigned int width)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	struct table_output output = { .stream = stream, .width = width };

	page_map__print(&run, 0, false, &output);
	fclose(stream);
	return text;
}

static void test_picture(void **state)
{
	char *text = picture(0);

	assert_non_null(strstr(text, "\n    ....m|Ls.|?o\n"));
	assert_non_null(strstr(text, "  L copied by ld.so  o own without a copy  m mapped"));
	assert_null(strstr(text, "copied by the kernel"));
	free(text);
}

/* Mappings of more than 16 pages are drawn smaller, so that an object fits its line. */
static void test_scale(void **state)
{
	static char pages[101];
	char *text;

	memset(pages, 'f', 100);
	vmas[CODE].end += 95 * 0x1000;
	vmas[CODE].pages = pages;
	text = picture(40);
	/* 4 + 25 + 1 + 3 + 1 + 2 columns; the fifth page was fetched: the second cell. */
	assert_non_null(strstr(text, "\n    .m.......................|Ls.|?o\n"));
	assert_non_null(strstr(text, "(1:4) "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_shared_page),
		cmocka_unit_test(test_larger_pages),
		cmocka_unit_test(test_picture),
		cmocka_unit_test(test_scale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
