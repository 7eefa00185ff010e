// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>

#include "analysis/forks/fork_breakdowns.h"
#include "analysis/forks/fork_causes.h"
#include "base/memory.h"
#include "made.h"

enum { CHILDREN = 10 };

/* A group of ten children whose parent has one object, lazy or not; no fork costs yet. */
static struct run *new_run(bool lazy)
{
	struct run *run = made_run(WITH_ANATOMY);

	MADE_GROUP(run, .children = 2 * CHILDREN, .exec_target = NO_EXE);
	MADE_SAMPLE(run, .children = CHILDREN);
	MADE_LAYOUT(run, .group = 0);
	MADE_BINDING(run, .lazy = lazy);
	return run;
}

/* One fault in each of `children`, `ns` long, `since` after their birth, on its own page. */
static struct anatomy_row *add_row(struct run *run, enum actor actor, enum fault_class class,
				   uint64_t children, uint64_t since, uint64_t ns)
{
	return MADE_ROW(run, .phase = PHASE_CHILD, .actor = actor, .class = class,
			.place = { .kind = PLACE_FILE, .offset = run->anatomy->row_count * GOT_PIECE },
			.code = { .object = NO_OBJECT }, .faults = children, .children = children,
			.timed = ns ? children : 0, .ns = ns * children, .since_ns = since * children);
}

static void add_cost(struct run *run, const uint64_t parts[PART_COUNT])
{
	struct fork_cost *cost =
		MADE_FORK(run, .forks = CHILDREN, .complete = CHILDREN / 2, .typical = CHILDREN / 2);

	for (int i = 0; i < PART_COUNT; i++) {
		cost->part_ns[i] = parts[i] * cost->complete;
		cost->whole.total += cost->part_ns[i];
		cost->typical_ns += cost->part_ns[i];
	}
}

static const uint64_t parts[PART_COUNT] = {
	[PART_COPY] = 30000, [PART_START] = 20000, [PART_RUN] = 60000,
	[PART_EXECD] = 0,    [PART_EXIT] = 5000,   [PART_REAP] = 40000,
};

/* A fork as a dynamic program makes it: 1 fault of each kind. */
static struct run *usual_run(bool lazy)
{
	struct run *run = new_run(lazy);

	add_row(run, ACTOR_KERNEL, FAULT_COW_COPY, 10, 15000, 4000); /* thread id */
	add_row(run, ACTOR_KERNEL, FAULT_COW_COPY, 10, 21000, 3000); /* rseq */
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 25000, 2000);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_REUSE, 5, 28000, 1000);
	add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP, 10, 30000, 1500);
	add_row(run, ACTOR_PROGRAM, FAULT_ZERO_FILL, 10, 32000, 1700);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 40000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY, 10, 50000, 2000);
	add_row(run, ACTOR_KERNEL, FAULT_COW_COPY, 10, 85000, 600)->call =
		checked_strdup("exit_group");
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 20, 5000, 2500)->phase = PHASE_PARENT;
	run->anatomy->samples[0].unattributed = 3;
	run->anatomy->samples[0].missed = 1;
	run->anatomy->samples[0].beyond = 1;
	run->anatomy->samples[0].unsampled = 9; /* no fork's of this group */
	add_cost(run, parts);
	return run;
}

static void assert_near(double value, double expected)
{
	if (fabs(value - expected) > 1e-6)
		fail_msg("%g, expected %g", value, expected);
}

static void check_sums(const struct fork_breakdown *breakdown)
{
	double faults = 0, ns = 0;

	for (int i = 0; i < BREAKDOWN_LINE_COUNT; i++) {
		faults += breakdown->lines[i].faults;
		ns += i == BREAKDOWN_PARENT || !breakdown->lines[i].known ? 0
									  : breakdown->lines[i].ns;
	}
	assert_near(faults, breakdown->faults);
	if (breakdown->complete)
		assert_near(ns, breakdown->whole);
}

static void each_fault_is_in_one_line(void **state)
{
	struct run *run = usual_run(true);
	struct fork_breakdown breakdown;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	check_sums(&breakdown);
	assert_near(breakdown.faults, 8.5 + 2 + 0.5);
	assert_near(breakdown.lines[BREAKDOWN_KERNEL].faults, 3);
	assert_near(breakdown.lines[BREAKDOWN_BINDING].faults, 2);
	assert_near(breakdown.lines[BREAKDOWN_DATA].faults, 1.5);
	assert_near(breakdown.lines[BREAKDOWN_MAPS].faults, 1);
	assert_near(breakdown.lines[BREAKDOWN_MEMORY].faults, 1);
	assert_near(breakdown.lines[BREAKDOWN_PARENT].faults, 2);
	assert_near(breakdown.lines[BREAKDOWN_UNEXPLAINED].faults, 0.5);
	run__free(run);
}

static void times_add_up_to_the_whole(void **state)
{
	struct run *run = usual_run(true);
	struct fork_breakdown breakdown;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_int_equal(breakdown.complete, 5);
	assert_near(breakdown.whole, 155000);
	assert_near(breakdown.lines[BREAKDOWN_COPY].ns, 30000);
	assert_near(breakdown.lines[BREAKDOWN_START].ns, 20000 - 4000 - 3000);
	assert_near(breakdown.lines[BREAKDOWN_EXIT].ns, 5000 - 600);
	assert_near(breakdown.lines[BREAKDOWN_KERNEL].ns, 7600);
	assert_near(breakdown.lines[BREAKDOWN_BINDING].ns, 3000);
	assert_near(breakdown.lines[BREAKDOWN_BINDING_CODE].ns, 12000 - 3000);
	assert_near(breakdown.lines[BREAKDOWN_DATA].ns, 2500);
	assert_near(breakdown.lines[BREAKDOWN_RUN].ns, 60000 - 2500 - 1500 - 1700 - 12000);
	assert_near(breakdown.lines[BREAKDOWN_UNEXPLAINED].ns, 0);
	assert_near(breakdown.lines[BREAKDOWN_PARENT].ns, 5000);
	check_sums(&breakdown);
	run__free(run);
}

static void without_lazy_objects_the_linker_is_the_program(void **state)
{
	struct run *run = usual_run(false);
	struct fork_breakdown breakdown;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	check_sums(&breakdown);
	assert_near(breakdown.lines[BREAKDOWN_BINDING].faults, 0);
	assert_false(breakdown.lines[BREAKDOWN_BINDING].known);
	assert_near(breakdown.lines[BREAKDOWN_DATA].faults, 2.5);
	assert_near(breakdown.lines[BREAKDOWN_MAPS].faults, 2);
	assert_false(breakdown.lines[BREAKDOWN_BINDING_CODE].known);
	run__free(run);
}

static void destructors_are_no_binding(void **state)
{
	struct run *run = new_run(true);
	struct anatomy_row *row = add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 40000, 1000);
	struct fork_breakdown breakdown;

	row->code.symbol = checked_strdup("_dl_fini");
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.lines[BREAKDOWN_BINDING].faults, 0);
	assert_near(breakdown.lines[BREAKDOWN_MAPS].faults, 1);
	run__free(run);
}

static void without_complete_forks_there_is_no_whole(void **state)
{
	struct run *run = usual_run(true);
	struct fork_breakdown breakdown;

	run->anatomy->forks->complete = run->anatomy->forks->typical = 0;
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_false(breakdown.lines[BREAKDOWN_COPY].known);
	assert_false(breakdown.lines[BREAKDOWN_RUN].known);
	assert_false(breakdown.lines[BREAKDOWN_UNEXPLAINED].known);
	assert_true(breakdown.lines[BREAKDOWN_DATA].known);
	check_sums(&breakdown);
	run__free(run);
}

static void untimed_faults_have_no_time(void **state)
{
	struct run *run = new_run(true);
	struct fork_breakdown breakdown;

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 25000, 0);
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_false(breakdown.lines[BREAKDOWN_DATA].known);
	assert_near(breakdown.lines[BREAKDOWN_DATA].timed, 0);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 25000, 900);
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.lines[BREAKDOWN_DATA].faults, 2);
	assert_near(breakdown.lines[BREAKDOWN_DATA].timed, 1);
	assert_near(breakdown.lines[BREAKDOWN_DATA].ns, 900);
	run__free(run);
}

/* Faults of all children may take longer than the part of the typical ones that they are in: no line is longer. */
static void faults_fit_into_their_part(void **state)
{
	struct run *run = new_run(true);
	struct fork_breakdown breakdown;
	struct fork_causes causes;
	double sum = 0;

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 25000, 90000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 26000, 30000);
	add_row(run, ACTOR_KERNEL, FAULT_COW_COPY, 10, 15000, 40000); /* before user mode, where it starts in 20 us */
	add_cost(run, parts);
	run->anatomy->forks[0].call.count = 1;
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.lines[BREAKDOWN_RUN].ns, 0);
	assert_near(breakdown.lines[BREAKDOWN_DATA].ns, 45000);
	assert_near(breakdown.lines[BREAKDOWN_BINDING].ns, 15000);
	assert_near(breakdown.lines[BREAKDOWN_KERNEL].ns, 20000);
	assert_near(breakdown.lines[BREAKDOWN_UNEXPLAINED].ns, 0);
	check_sums(&breakdown);
	causes = fork_causes__of(run, &breakdown);
	for (size_t i = 0; i < causes.count; i++)
		sum += causes.list[i].ns;
	assert_near(sum, 30000 + 45000 + 15000 + 20000);
	assert_true(sum <= breakdown.overhead);
	fork_causes__free(&causes);
	run__free(run);
}

static void who_was_not_recorded_has_no_breakdown(void **state)
{
	struct run *run = new_run(true);
	struct fork_breakdown breakdown;

	assert_false(fork_breakdown__make(run, 7, &breakdown));
	run->anatomy->samples[0].children = 0;
	assert_false(fork_breakdown__make(run, 0, &breakdown));
	run__free(run);
	run = run__new();
	assert_false(fork_breakdown__make(run, 0, &breakdown));
	run__free(run);
}

/* ----- the overhead ----- */

static void the_overhead_is_without_the_childs_own_work(void **state)
{
	struct run *run = usual_run(true);
	struct fork_breakdown breakdown;
	double faults = 7600 + 3000 + 9000 + 2500 + 1500 + 5000, own = 1700 + 60000 - 17700;

	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_false(breakdown.has_overhead); /* without the duration of a call */
	run->anatomy->forks->call = (struct spread_ns){ 1, 31000, 31000, 31000, 31000, 31000 };
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_true(breakdown.has_overhead);
	assert_near(breakdown.overhead, 30000 + 13000 + faults + 4400 + 40000);
	assert_near(breakdown.overhead,
		    breakdown.whole - own + breakdown.lines[BREAKDOWN_PARENT].ns);
	assert_near(breakdown.waiting, 0);
	assert_near(breakdown.forks, 2 * CHILDREN);
	run->anatomy->forks->complete = run->anatomy->forks->typical = 0;
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.overhead, 31000 + faults);
	run__free(run);
}

static void waiting_is_no_overhead(void **state)
{
	const uint64_t late[PART_COUNT] = {
		[PART_COPY] = 30000, [PART_START] = 90000, [PART_REAP] = 200000,
	};
	struct run *run = new_run(true);
	struct fork_breakdown breakdown;

	add_cost(run, late);
	run->anatomy->forks->call.count = 1;
	run->anatomy->costs[COST_FORK] = (struct estimate){ .known = true, .value = 20000 };
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.whole, 320000);
	/* Starting as long as the call and the smallest fork; ending as long as making. */
	assert_near(breakdown.overhead, 30000 + 50000 + 80000);
	assert_near(breakdown.waiting, 40000 + 120000);
	run__free(run);
}

/* ----- the order of groups ----- */

enum { GROUPS = 12 };

/* Twelve groups: one of a hundred forks, one of fifty, the others of ten each. */
static struct run *many_groups(uint64_t call_ns)
{
	struct run *run = made_run(WITH_ANATOMY);

	for (uint32_t i = 0; i < GROUPS; i++) {
		MADE_GROUP(run, .children = i == 4 ? 100 : i == 7 ? 50 : 10);
		MADE_SAMPLE(run, .group = i, .children = 1);
		MADE_FORK(run, .group = i, .forks = 1, .call = { call_ns != 0, call_ns, call_ns, call_ns, 0, 0 });
	}
	return run;
}

static void assert_ranks(const struct run *run, size_t worthy, uint32_t first, uint32_t second,
			 uint32_t third)
{
	struct fork_breakdowns breakdowns = fork_breakdowns__of(run);

	assert_int_equal(breakdowns.worthy, worthy);
	assert_int_equal(breakdowns.breakdowns[0].group, first);
	assert_int_equal(breakdowns.breakdowns[1].group, second);
	assert_int_equal(breakdowns.breakdowns[2].group, third);
	fork_breakdowns__free(&breakdowns);
}

static void groups_are_ranked_by_the_overhead_of_all_their_forks(void **state)
{
	struct run *run = many_groups(1000);
	struct fork_breakdowns breakdowns;

	assert_ranks(run, 2, 4, 7, 0); /* 100 and 50 of 250; the others are less than a tenth */
	run->anatomy->forks[11].call.median = 2666; /* just less than a tenth */
	assert_ranks(run, 2, 4, 7, 11);
	run->anatomy->forks[11].call.median = 2667;
	assert_ranks(run, 3, 4, 7, 11);
	run->anatomy->forks[11].call.median = 12000;
	assert_ranks(run, 3, 11, 4, 7);
	run->anatomy->forks[10].call.median = 12000;
	assert_ranks(run, 3, 10, 11, 4); /* at most three */
	run->groups[4].unfinished = 100;
	assert_ranks(run, 3, 4, 10, 11);
	run->anatomy->forks[4].call.count = 0; /* who is not timed comes last */
	assert_ranks(run, 3, 10, 11, 7);
	breakdowns = fork_breakdowns__of(run);
	assert_int_equal(fork_breakdowns__costliest(&breakdowns)->group, 10);
	assert_near(breakdowns.overhead, 120000 + 120000 + 50000 + 8 * 10000);
	assert_int_equal(fork_breakdowns__find(&breakdowns, 4)->group, 4);
	assert_null(fork_breakdowns__find(&breakdowns, GROUPS));
	fork_breakdowns__free(&breakdowns);
	run__free(run);
}

static void without_times_groups_are_ranked_by_number(void **state)
{
	struct run *run = many_groups(0);
	struct fork_breakdowns breakdowns;

	assert_ranks(run, 2, 4, 7, 0);
	run->anatomy->samples[4].children = 0; /* who was not recorded has no breakdown */
	assert_ranks(run, 1, 7, 0, 1);
	breakdowns = fork_breakdowns__of(run);
	assert_null(fork_breakdowns__costliest(&breakdowns));
	fork_breakdowns__free(&breakdowns);
	run__free(run);
	run = run__new();
	breakdowns = fork_breakdowns__of(run);
	assert_int_equal(breakdowns.count, 0);
	assert_int_equal(breakdowns.worthy, 0);
	fork_breakdowns__free(&breakdowns);
	run__free(run);
}

/* ----- the span of the binding ----- */

static bool binding_span(const struct run *run, uint32_t group, double *ns)
{
	const struct fork_breakdown breakdown = {
		.group = group,
		.lazy = fork_breakdown__binds_lazily(run->anatomy, group),
	};

	return fork_breakdown__binding_span(&breakdown, run, ns);
}

static void spans_end_where_the_program_goes_on(void **state)
{
	struct run *run = new_run(true);
	double span;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY, 10, 15000, 2000);
	add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP, 10, 20000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 900000, 500);
	assert_true(binding_span(run, 0, &span));
	assert_near(span, 7000 + 500);
	run__free(run);
}

/* A loop between two bindings is the program's: ld.so looks a symbol up in the time of a few faults. */
static void a_loop_between_bindings_is_no_binding(void **state)
{
	static const struct {
		uint64_t gap;
		double span;
	} cases[] = { { 20000, 2 * 1000 + 20000 }, { 20001, 2 * 1000 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = new_run(true);
		double span;

		add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000, 1000);
		add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 11000 + cases[i].gap, 1000);
		assert_true(binding_span(run, 0, &span));
		assert_near(span, cases[i].span);
		run__free(run);
	}
}

/* A late child that took the page over instead of copying it must not shift the means. */
static void copies_and_reuses_of_a_page_are_one_event(void **state)
{
	struct run *run = new_run(true);
	struct anatomy_row *row;
	double span;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000 + 90000, 1000); /* one 900 us late */
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY, 9, 15000, 2000);
	row = add_row(run, ACTOR_LDSO, FAULT_COW_REUSE, 1, 15000 + 900000, 2000);
	row->place.offset = run->anatomy->rows[1].place.offset + 8;
	assert_true(binding_span(run, 0, &span));
	assert_near(span, 7000);
	run__free(run);
}

/* Some linkers put the relocations of slots, code and slots on one page of the file. */
static void what_is_read_run_and_written_are_different_pages(void **state)
{
	struct run *run = new_run(true);
	double span;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 12000, 1000)->is_exec = true;
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY, 10, 15000, 2000);
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		run->anatomy->rows[i].place.offset = 0x100 * i;
	assert_true(binding_span(run, 0, &span));
	assert_near(span, 7000);
	run__free(run);
}

static void pages_of_a_few_children_are_passed_over(void **state)
{
	struct run *run = new_run(true);
	double span;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 1, 1000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 14000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 2, 99000, 1000);
	assert_true(binding_span(run, 0, &span));
	assert_near(span, 5000);
	run__free(run);
	run = new_run(true);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 4, 10000, 1000); /* of ten */
	assert_false(binding_span(run, 0, &span));
	run__free(run);
}

static void without_binding_there_is_no_span(void **state)
{
	struct run *run = new_run(false);
	double span;

	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 10000, 1000);
	assert_false(binding_span(run, 0, &span));
	assert_false(binding_span(run, 7, &span));
	run__free(run);
}

static const struct fork_cause *cause_of(const struct fork_causes *causes, enum fork_cause_kind kind)
{
	for (size_t i = 0; i < causes->count; i++)
		if (causes->list[i].kind == kind)
			return &causes->list[i];
	return NULL;
}

static void assert_cause(const struct fork_causes *causes, enum fork_cause_kind kind, double faults,
			 double ns)
{
	const struct fork_cause *cause = cause_of(causes, kind);

	assert_non_null(cause);
	assert_near(cause->faults, faults);
	assert_near(cause->ns, ns);
}

/* Each fault of the overhead is in one cause; those of one cause are added up, whatever their pages. */
static void faults_are_added_up_by_cause(void **state)
{
	struct run *run = new_run(true);
	struct fork_causes causes;
	struct anatomy_row *row;
	struct fork_breakdown breakdown;
	double faults = 0;

	add_cost(run, parts);
	add_row(run, ACTOR_LDSO, FAULT_FILE_MAP, 10, 1000, 1000);
	add_row(run, ACTOR_LDSO, FAULT_COW_COPY, 10, 4000, 2000);
	add_row(run, ACTOR_KERNEL, FAULT_COW_COPY, 10, 100, 500);
	add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP, 10, 20000, 700);
	add_row(run, ACTOR_PROGRAM, FAULT_FILE_MAP, 5, 20000, 700);
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 21000, 900); /* data of the same object */
	row = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 22000, 900);
	row->place.symbol = checked_strdup("main_arena");
	row = add_row(run, ACTOR_PROGRAM, FAULT_COW_REUSE, 10, 23000, 100);
	row->place = (struct place){ .kind = PLACE_HEAP, .object = NO_OBJECT };
	row = add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 24000, 800);
	row->place = (struct place){ .kind = PLACE_STACK, .object = NO_OBJECT };
	add_row(run, ACTOR_PROGRAM, FAULT_ZERO_FILL, 10, 25000, 5000); /* the child's own work */
	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY, 10, 26000, 600)->phase = PHASE_PARENT;
	add_row(run, ACTOR_PROGRAM, FAULT_ACCESS_FLAG, 10, 27000, 300);
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	assert_near(breakdown.lines[BREAKDOWN_ACCESS_FLAG].faults, 1);
	assert_near(breakdown.lines[BREAKDOWN_ACCESS_FLAG].ns, 300);
	causes = fork_causes__of(run, &breakdown);
	assert_int_equal(causes.list[0].kind, CAUSE_PAGE_TABLES);
	assert_cause(&causes, CAUSE_PAGE_TABLES, 0, 30000);
	assert_cause(&causes, CAUSE_BINDING, 2, 3000 + breakdown.lines[BREAKDOWN_BINDING_CODE].ns);
	assert_cause(&causes, CAUSE_KERNEL, 1, 500);
	assert_cause(&causes, CAUSE_CODE, 1.5, 1050);
	assert_cause(&causes, CAUSE_DATA, 1, 900);
	assert_cause(&causes, CAUSE_HEAP, 2, 1000);
	assert_cause(&causes, CAUSE_STACK, 1, 800);
	assert_cause(&causes, CAUSE_PARENT, 1, 600);
	assert_cause(&causes, CAUSE_ACCESS_FLAG, 1, 300);
	for (size_t i = 0; i < causes.count; i++)
		faults += causes.list[i].faults;
	assert_near(faults, breakdown.faults - breakdown.lines[BREAKDOWN_MEMORY].faults);
	for (size_t i = 1; i < causes.count; i++)
		assert_true(causes.list[i - 1].ns >= causes.list[i].ns);
	fork_causes__free(&causes);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_in_one_line),
		cmocka_unit_test(times_add_up_to_the_whole),
		cmocka_unit_test(without_lazy_objects_the_linker_is_the_program),
		cmocka_unit_test(destructors_are_no_binding),
		cmocka_unit_test(without_complete_forks_there_is_no_whole),
		cmocka_unit_test(untimed_faults_have_no_time),
		cmocka_unit_test(faults_fit_into_their_part),
		cmocka_unit_test(a_loop_between_bindings_is_no_binding),
		cmocka_unit_test(who_was_not_recorded_has_no_breakdown),
		cmocka_unit_test(the_overhead_is_without_the_childs_own_work),
		cmocka_unit_test(waiting_is_no_overhead),
		cmocka_unit_test(groups_are_ranked_by_the_overhead_of_all_their_forks),
		cmocka_unit_test(without_times_groups_are_ranked_by_number),
		cmocka_unit_test(spans_end_where_the_program_goes_on),
		cmocka_unit_test(copies_and_reuses_of_a_page_are_one_event),
		cmocka_unit_test(what_is_read_run_and_written_are_different_pages),
		cmocka_unit_test(pages_of_a_few_children_are_passed_over),
		cmocka_unit_test(without_binding_there_is_no_span),
		cmocka_unit_test(faults_are_added_up_by_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
