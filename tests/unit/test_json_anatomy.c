// SPDX-License-Identifier: GPL-2.0-or-later
/* The anatomy in a saved run: all of it comes back, and what contradicts itself does not. */
#include "run_text.h"

#include <math.h>

#include "made.h"

static void assert_figure(const struct estimate *figure, double value, double low, double high)
{
	assert_true(figure->known);
	assert_true(figure->value == value && figure->low == low && figure->high == high);
}

static void test_faults(void **state)
{
	char *text = slurp(GOLDEN "/anatomy.json");
	struct run *run = read_text(text);
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy__sample(anatomy, 0);
	const struct anatomy_row *slot = NULL;
	uint64_t child = 0, parent = 0;

	assert_int_equal(anatomy->full, 100);
	assert_true(anatomy->durations);
	assert_int_equal(sample->children, 200);
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		child += row->group == 0 && row->phase == PHASE_CHILD ? row->faults : 0;
		parent += row->group == 0 && row->phase == PHASE_PARENT ? row->faults : 0;
		if (row->place.symbol && !strcmp(row->place.symbol, "_exit@got") &&
		    row->class == FAULT_COW_COPY)
			slot = row;
	}
	assert_int_equal(child, 18 * 200);
	assert_int_equal(parent, 200 + 190);
	assert_non_null(slot);
	assert_int_equal(slot->actor, ACTOR_LDSO);
	assert_int_equal(slot->place.kind, PLACE_FILE);
	assert_int_equal(slot->place.object, 0);
	assert_int_equal(slot->place.offset, 0x3018);
	assert_string_equal(slot->place.section, ".got.plt");
	assert_string_equal(slot->code.symbol, "_dl_fixup");
	assert_int_equal(slot->code.symbol_offset, 0x180);
	assert_true(anatomy__per_child(anatomy, slot) == 1);
	assert_true(anatomy_row__ns(slot) == 3700);
	assert_true(anatomy->rows[0].place.offset == (uint64_t)-4096);
	assert_string_equal(anatomy->rows[0].call, "execve");
	assert_non_null(strchr(anatomy->objects[3].path, '\x1b'));
	assert_null(anatomy->objects[5].path);
	assert_true(anatomy->objects[5].changed);
	run__free(run);
	free(text);
}

static void test_findings(void **state)
{
	char *text = slurp(GOLDEN "/anatomy.json");
	struct run *run = read_text(text);
	const struct anatomy *anatomy = run->anatomy;
	const struct fork_cost *cost = anatomy__fork_cost(anatomy, 0);
	const struct layout *layout = anatomy__layout(anatomy, 0);
	const struct binding_object *binding = &anatomy->bindings[2];

	assert_int_equal(cost->part_ns[PART_COPY], 8296000);
	assert_int_equal(cost->whole.total, 138000 * 198);
	assert_int_equal(cost->vmas.median, layout->vma_count);
	assert_true(anatomy->forks[1].rss_bytes == ABSENT);
	assert_true(anatomy->forks[1].page_table_bytes.max == ABSENT);
	assert_string_equal(layout->vmas[4].pages, "a");
	assert_true(layout->vmas[4].write && !layout->vmas[4].exec && !layout->vmas[4].shared);
	assert_true(layout->vmas[4].anon_known && layout->vmas[4].anon);
	assert_true(layout->vmas[27].start == 0xffffffffff600000);
	assert_false(layout->vmas[27].anon_known);
	assert_null(layout->vmas[27].pages);
	assert_int_equal(binding->object, 3);
	assert_true(binding->relocations[RELOC_RELR] == ABSENT);
	assert_int_equal(binding->relro_end, 0);
	assert_int_equal(binding->bound_to, 0);
	assert_string_equal(anatomy->symbols[0].symbol, "_exit");
	assert_int_equal(anatomy->symbols[0].provider, 1);
	assert_figure(&anatomy->costs[COST_SYSCALL], 690.5, 684, 701.25);
	assert_figure(&anatomy->costs[COST_VFORK], 24100, 24100, 24100);
	assert_false(anatomy->costs[COST_VFORK].bounded);
	assert_false(anatomy->costs[COST_VMA].known);
	assert_int_equal(anatomy->advice_count, 3);
	assert_figure(&anatomy->advice[0].measured_ns, 28340.5, 26900, 29800.25);
	assert_false(anatomy->advice[1].measured_faults.known);
	assert_null(anatomy->advice[1].tried);
	assert_true(anatomy->advice[2].group == NO_GROUP);
	assert_non_null(anatomy->verdict);
	run__free(run);
	free(text);
}

/* Numbers that JSON or the reader could get wrong. */
static void test_numbers(void **state)
{
	static const double values[] = { 0,   -0.0,   0.1, 1.0 / 3, -17.25, 1e-9, 1e300,
					 5e15, 1e17 + 2e1, 0.806, 123456789.123456789 };
	struct run *run = made_run(WITH_ANATOMY);
	struct run *copy;
	char *first, *second;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct estimate *figure = &run->anatomy->costs[COST_FORK];

		*figure = (struct estimate){ .known = true, .value = values[i] };
		first = written(run);
		copy = read_text(first);
		second = written(copy);
		assert_string_equal(first, second);
		assert_true(copy->anatomy->costs[COST_FORK].value == values[i]);
		run__free(copy);
		free(first);
		free(second);
	}
	run->anatomy->costs[COST_FORK].value = NAN; /* a figure that is none */
	first = written(run);
	copy = read_text(first);
	assert_false(copy->anatomy->costs[COST_FORK].known);
	run__free(copy);
	run__free(run);
	free(first);
}

/* A run from before there was an anatomy, and one from before a cost or a part was added. */
static void test_older(void **state)
{
	char *text = slurp(GOLDEN "/anatomy.json");
	char *keys = strstr(text, ",\n\"sampling\"");
	struct run *run;

	memcpy(strstr(keys, "\"execd\":0,\"exit\""), "\"added\"", 7);
	memcpy(strstr(keys, "\"vfork\":{"), "\"added\"", 7);
	run = read_text(text);
	assert_int_equal(run->anatomy->forks[0].part_ns[PART_EXECD], 0);
	assert_false(run->anatomy->costs[COST_VFORK].known);
	run__free(run);

	strcpy(keys, ",\n\"anatomy\":null\n}\n");
	run = read_text(text);
	assert_null(run->anatomy);
	run__free(run);

	strcpy(keys, "\n}\n");
	run = read_text(text);
	assert_null(run->anatomy);
	run__free(run);
	free(text);
}

static void test_empty_anatomy(void **state)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct run *copy;
	char *first, *second;

	first = written(run);
	copy = read_text(first);
	assert_non_null(copy->anatomy);
	second = written(copy);
	assert_string_equal(first, second);
	run__free(run);
	run__free(copy);
	free(first);
	free(second);
}

static const struct damage damages[] = {
	/* values; types and ranges of each member: test_saved_fields.c */
	{ "\"anatomy\":[", "\"anatomy\":[[],", "anatomy[0]: is not of type object" },
	{ "\"sampling\": ... \"group\":1", "\"group\":2", "samples[2]: \"group\" is 2" },
	{ "\"objects\": ... \"ino\":1201", "\"ino\":-5", "objects[0]: \"ino\" is negative" },
	{ "\"anatomy\": ... \"object_index\":0", "\"object_index\":6", "anatomy[1]: \"object_index\" is 6" },
	{ "\"anatomy\": ... \"symbol_offset\":0", "\"symbol_offset\":null", "anatomy[2]: \"symbol_offset\" is a null" },
	{ "\"fork_cost\": ... \"group\":1", "\"group\":7", "fork_cost[1]: \"group\" is 7" },
	{ "\"fork_cost\": ... \"min\":121400", "\"min\":null", "fork_cost[0]: \"min\" is a null" },
	{ "\"layouts\": ... \"r-xp\"", "\"rwp\"", "layouts[0]: \"permissions\"" },
	{ "\"layouts\": ... \"pages\":\"f\"", "\"pages\":\"F\"", "layouts[0]: \"pages\"" },
	{ "\"layouts\": ... \"vmas\":[", "\"vmas\":[1,", "\"vmas\" lists something" },
	{ "\"layouts\": ... \"parent_exe\":0", "\"parent_exe\":2", "layouts[0]: \"parent_exe\" is 2" },
	{ "\"bindings\": ... \"layout\":0", "\"layout\":2", "bindings[0]: \"layout\" is 2" },
	{ "\"symbols\": ... \"provider_index\":1", "\"provider_index\":-1", "symbols[0]" },
	{ "\"costs\": ... 690.5", "NaN", "\"value\" is not a finite number" },
	{ "\"costs\": ... 690.5", "1e999", "\"value\" is not a finite number" },
	{ "\"costs\": ... 690.5", "-Infinity", "\"value\" is not a finite number" },
	{ "\"costs\": ... 690.5", "600", "the value of \"syscall\" lies outside its interval" },
	{ "\"costs\": ... 701.25", "null", "\"high\" is a null" },
	{ "\"advice\": ... \"value\":10,", "", "advice[0]: \"value\" is missing" },
	{ "\"advice\": ... \"value\":0.806", "\"value\":1.5", "advice[0]: \"share\"" },
	{ "\"advice\": ... \"predicted\":{", "\"predicted\":[{", "not JSON" },
	/* the cross-check */
	{ "\"sampling\": ... \"child_faults\":3600", "\"child_faults\":3599", "groups[0] add up to 3600" },
	{ "\"sampling\": ... \"group\":1", "\"group\":0", "samples[2]: its group has two" },
	{ "\"sampling\": ... \"faults\":3600", "\"faults\":3500", "samples[1]: inherited images" },
	{ "\"sampling\": ... \"unsampled\":1560", "\"unsampled\":9999", "samples[0]: more faults are unattributed" },
	{ "\"sampling\": ... \"beyond\":0", "\"beyond\":9999", "samples[0]: more faults are" },
	{ "\"sampling\": ... \"missed\":0", "\"missed\":9999", "samples[0]: more faults are" },
	{ "\"sampling\": ... \"unattributed\":3", "\"unattributed\":9999", "samples[0]: more faults are" },
	{ "\"sampling\": ... \"child_unattributed\":0", "\"child_unattributed\":4", "samples[0]: inherited images" },
	{ "\"sampling\": ... \"child_missed\":0", "\"child_missed\":1", "samples[0]: inherited images" },
	{ "\"sampling\": ... \"child_beyond\":0", "\"child_beyond\":1", "samples[0]: inherited images" },
	{ "\"sampling\": ... \"children\":200", "\"children\":2000", "samples[1]: more children" },
	{ "\"sampling\": ... \"children\":200", "\"children\":199", "more children than were recorded" },
	{ "\"sampling\": ... \"faults\":3600", "\"faults\":36000", "samples[1]: recorded images" },
	{ "\"sampling\": ... \"group\":1", "\"group\":null", "samples[2]" },
	{ "\"anatomy\": ... \"timed\":1,", "\"timed\":2,", "anatomy[0]: more faults were timed" },
	{ "\"anatomy\": ... \"timed\":1,", "\"timed\":0,", "anatomy[0]: has a duration" },
	{ "\"sampling\": ... \"durations\":true", "\"durations\":false", "anatomy[0]: has timed" },
	{ "\"anatomy\": ... \"children\":1,", "\"children\":2,", "anatomy[0]: more children" },
	{ "\"anatomy\": ... \"group\":null,\"phase\":\"exec\"", "\"group\":null,\"phase\":\"child\"", "add up to 1, the total is 0" },
	{ "\"fork_cost\": ... \"copy\":8296000", "\"copy\":10296001", "fork_cost[0]: the parts" },
	{ "\"fork_cost\": ... \"complete\":198", "\"complete\":201", "fork_cost[0]: the numbers" },
	{ "\"fork_cost\": ... \"median\":135200", "\"median\":1", "fork_cost[0]: minimum, median" },
	{ "\"fork_cost\": ... \"total\":27324000", "\"total\":27323999", "fork_cost[0]: the parts" },
	{ "\"fork_cost\": ... \"typical\":198", "\"typical\":0", "fork_cost[0]: the numbers" },
	{ "\"fork_cost\": ... \"p99\":231000", "\"p99\":412701", "fork_cost[0]: minimum, median" },
	{ "\"fork_cost\": ... \"max\":28", "\"max\":null", "fork_cost[0]: minimum, median" },
	{ "\"fork_cost\": ... \"max\":28", "\"max\":27", "fork_cost[0]: minimum, median" },
	{ "\"layouts\": ... \"pages\":\"f\"", "\"pages\":\"ff\"", "layouts[0].vmas[0]: \"pages\"" },
	{ "\"layouts\": ... \"pages\":\"f\"", "\"pages\":\"\"", "layouts[0].vmas[0]: \"pages\"" },
	{ "\"layouts\": ... \"end\":9", "\"end\":1", "layouts[0].vmas[0]: not a range" },
	{ "\"bindings\": ... \"start\":15832", "\"start\":99999", "bindings[0]: RELRO" },
	{ "\"symbols\": ... \"children\":200", "\"children\":201", "symbols[0]: more children" },
};

static const struct damage damages_of_stacks[] = {
	{ "\"list\": ... \"frames\":[39]", "\"frames\":[9999]", "list[0]: \"frames\" is 9999" },
	{ "\"list\": ... \"frames\":[39]", "\"frames\":[]", "stacks.list[0]: \"proven\" is not between" },
	{ "\"list\": ... \"proven\":1", "\"proven\":0", "stacks.list[0]: \"proven\" is not between" },
	{ "\"list\": ... \"proven\":1", "\"proven\":2", "stacks.list[0]: \"proven\" is not between" },
	{ "\"shares\": ... \"row\":0", "\"row\":9", "stacks.shares[1]: not in the order" },
	{ "\"shares\": ... \"row\":1", "\"row\":0", "stacks.shares[1]: the stacks of a row" },
	{ "\"calls\":[\n ... \"calls\":20}", "\"calls\":0}", "stacks.calls[0]: no calls" },
	{ "\"calls\":[\n ... \"calls\":20}", "\"calls\":2000}", "stacks.calls[0]: more calls than" },
	{ "\"calls\":[\n ... \"stack\":40", "\"stack\":4000", "calls[0]: \"stack\" is 4000" },
	{ "\"shares\": ... \"faults\":19", "\"faults\":0", "stacks.shares[0]: no faults" },
	{ "\"shares\": ... \"faults\":19,", "\"faults\":99,", "stacks.shares[0]: the stacks of a row" },
	{ "\"shares\": ... \"timed\":19", "\"timed\":20", "stacks.shares[0]: more faults were timed" },
	{ "\"shares\": ... \"timed_ns\":58713", "\"timed_ns\":99999999", "stacks.shares[0]: the stacks of a row" },
};

/* Behind what comes before the anatomy. */
static void test_damaged(void **state)
{
	refuse_damages(GOLDEN "/anatomy.json", "\n\"sampling\"", damages, ARRAY_LENGTH(damages));
	refuse_damages(GOLDEN "/stacks.json", "\n\"sampling\"", damages_of_stacks, ARRAY_LENGTH(damages_of_stacks));
}

/* With losses the rows may be short of the kernel's count. */
static void test_inexact(void **state)
{
	char *text = slurp(GOLDEN "/anatomy.json");
	char *lost = strstr(text, "\"exact\":true,\"storage_failures\":0,\"map_full\":0");
	char *count;
	struct run *run;

	memcpy(strstr(lost, "\"map_full\":0"), "\"map_full\":4", 12);
	memmove(lost + 13, lost + 12, strlen(lost + 12) + 1); /* of true and false: one longer */
	memcpy(lost, "\"exact\":false", 13);
	count = strstr(text, "\"child_faults\":3600");
	memcpy(count, "\"child_faults\":3599", 19);
	run = read_text(text);
	assert_false(run->integrity.exact);
	run__free(run);
	free(text);
}

static void test_any_byte_changed(void **state)
{
	char *text = slurp(GOLDEN "/anatomy.json");

	change_bytes(text, strstr(text, "\n\"sampling\"") - text, 61);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_older),
		cmocka_unit_test(test_empty_anatomy),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_inexact),
		cmocka_unit_test(test_any_byte_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
