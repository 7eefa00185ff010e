// SPDX-License-Identifier: GPL-2.0-or-later
/* The anatomy as plain data: keys, look-ups, figures per child, and its end. */
#include "unit.h"

#include <math.h>

#include "model/rows/fields.h"
#include "model/run/run.h"

static void assert_distinct(const char *const *keys, int count)
{
	for (int i = 0; i < count; i++) {
		assert_non_null(keys[i]);
		assert_true(keys[i][0]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(keys[i], keys[j]);
	}
}

static void test_keys(void **state)
{
	assert_distinct(relocation_keys, RELOC_KIND_COUNT);
	assert_distinct(binding_method_keys, BINDING_METHOD_COUNT);
	assert_distinct(cost_keys, COST_COUNT);
	assert_distinct(cost_titles, COST_COUNT);
	assert_string_equal(cost_keys[COST_VFORK], "vfork");
	assert_string_equal(relocation_keys[RELOC_JUMP_SLOT], "jump_slot");
}

static void test_empty(void **state)
{
	struct anatomy *anatomy = anatomy__new();
	struct anatomy_row of_root = { .group = NO_GROUP, .faults = 7 };
	struct anatomy_row of_group = { .group = 0, .faults = 7 };

	assert_null(anatomy__sample(anatomy, NO_GROUP));
	assert_null(anatomy__fork_cost(anatomy, 0));
	assert_null(anatomy__layout(anatomy, 0));
	assert_true(anatomy__per_child(anatomy, &of_root) == 7);
	assert_true(anatomy__per_child(anatomy, &of_group) == 0);
	assert_true(isnan(anatomy_row__ns(&of_root)));
	shape__free(&anatomy_shape, anatomy);
}

static void test_look_ups(void **state)
{
	struct sample samples[] = { { .group = 3, .children = 4 },
				    { .group = NO_GROUP, .children = 2 },
				    { .group = 1 } };
	struct fork_cost forks[] = { { .group = 3 }, { .group = 1 } };
	struct layout layouts[] = { { .group = 1 }, { .group = 3 } };
	struct anatomy anatomy = { .samples = samples, .sample_count = 3, .forks = forks,
				   .fork_count = 2, .layouts = layouts, .layout_count = 2 };
	struct anatomy_row row = { .group = 3, .faults = 10, .timed = 8, .ns = 20 };

	assert_ptr_equal(anatomy__sample(&anatomy, NO_GROUP), &samples[1]);
	assert_ptr_equal(anatomy__fork_cost(&anatomy, 1), &forks[1]);
	assert_ptr_equal(anatomy__layout(&anatomy, 3), &layouts[1]);
	assert_null(anatomy__layout(&anatomy, 0));
	assert_true(anatomy_row__ns(&row) == 2.5);
	assert_true(anatomy__per_child(&anatomy, &row) == 2.5);
	row.phase = PHASE_PARENT;
	assert_true(anatomy__per_child(&anatomy, &row) == 2.5);
	row.group = NO_GROUP; /* two processes were attached to */
	assert_true(anatomy__per_child(&anatomy, &row) == 5);
	row.group = 1; /* no child of it was recorded */
	assert_true(anatomy__per_child(&anatomy, &row) == 0);
}

/* A sanitizer or valgrind says if anything is left. */
static void test_all_is_freed(void **state)
{
	struct run *run = run__new();
	struct anatomy *anatomy = run->anatomy = anatomy__new();

	anatomy->samples = calloc(anatomy->sample_count = 1, sizeof(*anatomy->samples));
	anatomy->objects = calloc(anatomy->object_count = 1, sizeof(*anatomy->objects));
	anatomy->objects[0].path = strdup("/lib");
	anatomy->rows = calloc(anatomy->row_count = 1, sizeof(*anatomy->rows));
	anatomy->rows[0].place.section = strdup(".data");
	anatomy->rows[0].place.symbol = strdup("environ");
	anatomy->rows[0].code.section = strdup(".text");
	anatomy->rows[0].code.symbol = strdup("main");
	anatomy->rows[0].call = strdup("clone");
	anatomy->forks = calloc(anatomy->fork_count = 1, sizeof(*anatomy->forks));
	anatomy->layouts = calloc(anatomy->layout_count = 1, sizeof(*anatomy->layouts));
	anatomy->layouts[0].vmas = calloc(anatomy->layouts[0].vma_count = 1,
					  sizeof(*anatomy->layouts[0].vmas));
	anatomy->layouts[0].vmas[0].pages = strdup("a");
	anatomy->layouts[0].vmas[0].bytes = malloc(GOT_PIECE);
	anatomy->got_pages = calloc(anatomy->got_page_count = 1, sizeof(*anatomy->got_pages));
	anatomy->bindings = calloc(anatomy->binding_count = 1, sizeof(*anatomy->bindings));
	anatomy->symbols = calloc(anatomy->symbol_count = 1, sizeof(*anatomy->symbols));
	anatomy->symbols[0].symbol = strdup("_exit");
	anatomy->advice = calloc(anatomy->advice_count = 1, sizeof(*anatomy->advice));
	anatomy->advice[0].rule = strdup("A1");
	anatomy->advice[0].title = strdup("t");
	anatomy->advice[0].evidence = strdup("e");
	anatomy->advice[0].action = strdup("a");
	anatomy->advice[0].tried_with = strdup("w");
	anatomy->advice[0].tried = strdup("r");
	anatomy->verdict = strdup("yes");
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_look_ups),
		cmocka_unit_test(test_all_is_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
