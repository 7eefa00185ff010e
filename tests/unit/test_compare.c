// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>

#include "analysis/check/check_names.h"
#include "analysis/compare/unexplained.h"
#include "analysis/moves.h"
#include "analysis/compare/machines.h"
#include "analysis/same.h"
#include "base/memory.h"
#include "report/compare/comparison_report.h"
#include "run_text.h"

static struct elf_facts *some_facts(void)
{
	struct elf_facts *facts = checked_calloc(1, sizeof(*facts));

	facts->size = 15832;
	facts->blocks = 16;
	facts->linkage = LINKAGE_DYNAMIC_NOW;
	facts->libc = LIBC_GLIBC;
	facts->relro = RELRO_FULL;
	facts->bind_now = NOW_BY_FLAGS | NOW_BY_FLAGS_1;
	facts->bits = 64;
	facts->interp = checked_strdup("/lib64/ld-linux-x86-64.so.2");
	facts->libraries_known = true;
	facts->libraries = checked_calloc(1, sizeof(*facts->libraries));
	facts->libraries[facts->library_count++].name = checked_strdup("libc\n.so.6");
	return facts;
}

static void fill(struct compare_column *column, const char *label, const char *name, size_t runs,
		 const double *samples, size_t sample_count)
{
	column->label = checked_strdup(label);
	column->command = checked_calloc(2, sizeof(char *));
	column->command[0] = checked_strdup(label);
	column->runs = checked_calloc(runs, sizeof(struct run *));
	while (column->run_count < runs)
		column->runs[column->run_count++] = read_golden(name);
	column->samples_ns = checked_calloc(sample_count, sizeof(double));
	for (size_t i = 0; i < sample_count; i++)
		column->samples_ns[column->sample_count++] = samples[i];
}

static const double quick[] = { 1.0e6, 1.1e6, 1.05e6, 1.2e6, 1.0e6, 1.2e6 };
static const double slow[] = { 2.0e6, 2.2e6, 2.1e6, 2.4e6, 2.0e6, 2.4e6 };

/* true with facts, forks, inexact; the last without times. */
static struct comparison *three(void)
{
	struct compare_column *columns = checked_calloc(3, sizeof(*columns));

	fill(&columns[0], "true", "true", 3, quick, 6);
	fill(&columns[1], "forks", "forks", 3, slow, 6);
	fill(&columns[2], "inexact", "inexact", 1, NULL, 0);
	columns[0].facts = some_facts();
	columns[0].others = checked_calloc(6, sizeof(double));
	columns[0].others[4] = NAN; /* too short to tell */
	columns[1].facts_reason = checked_strdup("it is truncated");
	return comparison__new(columns, 3, 0);
}

/* The same program, once of a version that did not tell errors apart. */
static struct comparison *two_older(void)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));

	fill(&columns[0], "true", "true", 1, NULL, 0);
	fill(&columns[1], "older", "busy", 1, NULL, 0);
	return comparison__new(columns, 2, 0);
}

static const struct compare_row *row_of(const struct comparison *comparison,
					enum compare_section section, const char *key)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section == section && !strcmp(row->key, key))
			return row;
	}
	fail_msg("no row %s in %s", key, compare_section_keys[section]);
	return NULL;
}

static size_t rows_in(const struct comparison *comparison, enum compare_section section)
{
	size_t rows = 0;

	for (size_t i = 0; i < comparison->row_count; i++)
		rows += comparison->rows[i].section == section;
	return rows;
}

static void files_of_a_run_are_not_compared_with_those_of_a_start(void **state)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));
	struct comparison *comparison;

	fill(&columns[0], "all", "files", 1, NULL, 0);
	fill(&columns[1], "start", "start", 1, NULL, 0);
	comparison = comparison__new(columns, 2, 0);
	assert_int_equal(rows_in(comparison, SECTION_FILES), 0);
	comparison__free(comparison);
}

static struct comparison *two_machines(const char *there, uint64_t page_bytes)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));

	fill(&columns[0], "here", "forks", 2, quick, 6);
	fill(&columns[1], "there", there, 2, slow, 6);
	for (size_t i = 0; i < columns[1].run_count; i++)
		columns[1].runs[i]->machine.page_bytes = page_bytes;
	return comparison__new(columns, 2, 0);
}

static void assert_difference(const char *there, uint64_t page_bytes, const char *words)
{
	struct comparison *comparison = two_machines(there, page_bytes);
	char *difference = machines__difference(comparison->columns, 2);

	if (words)
		assert_string_equal(difference, words);
	else
		assert_null(difference);
	free(difference);
	comparison__free(comparison);
}

static void runs_are_of_one_machine(void **state)
{
	assert_difference("forks", 4096, NULL);
	assert_difference("arm64", 16384, "here ran on x86_64, there on aarch64 with pages of 16 KiB");
	assert_difference("forks", 16384, "here ran on x86_64, there on x86_64 with pages of 16 KiB");
	assert_difference("forks", ABSENT, NULL); /* it does not say */
}

static double sum_of(const struct comparison *comparison, enum compare_section section,
		     size_t column)
{
	double sum = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		if (comparison->rows[i].section == section)
			sum += comparison->rows[i].cells[column].median;
	}
	return sum;
}

static void books_balance_in_every_column(void **state)
{
	struct comparison *comparison = three();

	for (size_t i = 0; i < 3; i++) {
		const struct run *run = comparison->columns[i].runs[0];
		double calls = syscall_table__calls(&run->table);
		const struct spread *total =
			&row_of(comparison, SECTION_SYSCALL_TOTALS, "total")->cells[i];

		assert_true(total->known && total->median == calls);
		assert_true(sum_of(comparison, SECTION_SYSCALLS, i) == calls);
		assert_true(row_of(comparison, SECTION_FAULT_TOTALS, "total")->cells[i].median ==
			    run->faults.total);
		if (run->integrity.exact)
			assert_true(sum_of(comparison, SECTION_ERRORS, i) ==
				    syscall_table__errors(&run->table));
		if (run__has(run, HAS_FAULT_CLASSES))
			assert_true(sum_of(comparison, SECTION_FAULTS, i) == run->faults.total);
	}
	comparison__free(comparison);
}

/* None of one that was not counted by errno: an older run. */
static void errors_by_errno(void **state)
{
	struct comparison *comparison = three();
	const struct compare_row *missing = row_of(comparison, SECTION_ERRORS, "openat ENOENT");

	assert_true(missing->cells[0].known && missing->cells[0].median == 0);
	assert_true(missing->cells[1].known && missing->cells[1].median == 2);
	assert_true(missing->cells[2].known && missing->cells[2].median == 0);
	assert_string_equal(missing->call->name, "openat");
	comparison__free(comparison);
	comparison = two_older();
	missing = row_of(comparison, SECTION_ERRORS, "access ENOENT");
	assert_true(missing->cells[0].known && missing->cells[0].median == 1);
	assert_false(missing->cells[1].known);
	comparison__free(comparison);
}

static void the_reading_of_2006_leaves_two_calls_out(void **state)
{
	struct comparison *comparison = three();
	const struct compare_row *total = row_of(comparison, SECTION_SYSCALL_TOTALS, "total");
	const struct compare_row *between =
		row_of(comparison, SECTION_SYSCALL_TOTALS, "without_execve_and_exit_group");

	assert_true(between->cells[0].median == total->cells[0].median - 2);
	assert_true(between->cells[1].median == total->cells[1].median - 2);
	assert_false(between->cells[2].known); /* attached: neither was seen */
	comparison__free(comparison);
}

static void children_are_means_and_the_group_is_a_median(void **state)
{
	struct comparison *comparison = three();
	const struct run *run = comparison->columns[1].runs[0];
	const struct compare_row *mean = row_of(comparison, SECTION_CHILDREN, "faults");
	const struct compare_row *median = row_of(comparison, SECTION_GROUP, "faults");
	double children = 0, faults = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		children += run->groups[i].children;
		faults += run->groups[i].of[METRIC_FAULTS].total;
	}
	assert_true(children == 103);
	assert_true(fabs(mean->cells[1].median - faults / children) < 1e-9);
	assert_true(median->cells[1].median == run->groups[0].of[METRIC_FAULTS].median);
	assert_false(mean->cells[0].known); /* no children: no mean, and not zero */
	assert_false(median->cells[0].known);
	assert_ptr_equal(compare_column__group(&comparison->columns[1]), &run->groups[0]);
	assert_null(compare_column__group(&comparison->columns[0]));
	comparison__free(comparison);
}

static void runs_that_differ_show_their_range(void **state)
{
	struct compare_column *columns = checked_calloc(1, sizeof(*columns));
	const struct compare_row *row;
	struct comparison *comparison;
	double before;

	fill(&columns[0], "true", "true", 4, NULL, 0);
	before = columns[0].runs[0]->faults.total;
	columns[0].runs[1]->faults.total += 5;
	columns[0].runs[2]->faults.total += 2;
	comparison = comparison__new(columns, 1, 0);
	row = row_of(comparison, SECTION_FAULT_TOTALS, "total");
	assert_true(row->cells[0].min == before && row->cells[0].max == before + 5);
	assert_true(row->cells[0].median == before); /* lower middle of 0 0 2 5 */
	comparison__free(comparison);
}

static void uncounted_classes_are_not_zero(void **state)
{
	struct compare_column *columns = checked_calloc(1, sizeof(*columns));
	struct comparison *comparison;

	fill(&columns[0], "forks", "forks", 1, NULL, 0);
	columns[0].runs[0]->origins[HAS_FAULT_CLASSES] = ORIGIN_NOT_COUNTED;
	comparison = comparison__new(columns, 1, 0);
	assert_false(row_of(comparison, SECTION_FAULTS, "cow_copy")->cells[0].known);
	assert_false(row_of(comparison, SECTION_CHILDREN, "cow_copy")->cells[0].known);
	assert_false(row_of(comparison, SECTION_GROUP, "unattributed")->cells[0].known);
	assert_true(row_of(comparison, SECTION_GROUP, "faults")->cells[0].known);
	comparison__free(comparison);
}

/* A start that takes as often as that as long as the saved one, in the run of each round. */
static struct comparison *two_starts(const double *times, size_t runs)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));

	fill(&columns[0], "start", "start", runs, NULL, 0);
	fill(&columns[1], "other", "start", runs, NULL, 0);
	for (size_t i = 0; i < runs; i++) {
		struct start *start = columns[1].runs[i]->start;

		start->phases[START_RELOCATE].ns *= times[i];
		start->phases[START_MAP].faults[ACTOR_LDSO][FAULT_FILE_COW] += 3;
		start->phases[START_MAP].faults[ACTOR_PROGRAM][FAULT_FILE_COW] += 2;
		start->image_faults += 5;
	}
	return comparison__new(columns, 2, 0);
}

static const double thrice[] = { 3, 3, 2, 4, 3, 2 };

static void phases_of_starts_sum_to_their_totals(void **state)
{
	static const enum compare_section sections[] = { SECTION_START_NS, SECTION_START_CALLS,
							 SECTION_START_ERRORS, SECTION_START_FAULTS,
							 SECTION_START_DIRTIED };
	struct comparison *comparison = two_starts(thrice, 1);

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const double total = row_of(comparison, sections[i], "total")->cells[0].median;

		assert_true(total > 0);
		assert_true(sum_of(comparison, sections[i], 0) == 2 * total);
	}
	assert_true(sum_of(comparison, SECTION_START_CLASSES, 0) ==
		    row_of(comparison, SECTION_START_FAULTS, "total")->cells[0].median -
			    row_of(comparison, SECTION_START_FAULTS, "in_no_phase")->cells[0].median);
	comparison__free(comparison);
}

static void phases_of_starts_stand_beside_each_other(void **state)
{
	struct comparison *comparison = two_starts(thrice, 1);
	const struct spread *cells = row_of(comparison, SECTION_START_CLASSES, "map file_cow")->cells;

	assert_true(cells[1].median == cells[0].median + 5);
	cells = row_of(comparison, SECTION_START_DIRTIED, "map")->cells;
	assert_true(cells[1].median == cells[0].median + 5);
	cells = row_of(comparison, SECTION_START_FAULTS, "map")->cells;
	assert_true(cells[1].median == cells[0].median + 5);
	/* Not one of the phases of a program with main(): not 0, but none. */
	assert_false(row_of(comparison, SECTION_START_CALLS, "program")->cells[0].known);
	comparison__free(comparison);
}

static void times_of_phases_are_paired_by_round(void **state)
{
	struct comparison *comparison = two_starts(thrice, 6);
	const struct compare_row *row = row_of(comparison, SECTION_START_NS, "relocate");

	assert_false(row->ratios[0].known);
	assert_close(row->ratios[1].value, pow(3 * 3 * 2 * 4 * 3 * 2, 1.0 / 6));
	assert_true(row->ratios[1].bounded && row->ratios[1].low > 1.999 && row->ratios[1].high < 4.001);
	assert_null(row_of(comparison, SECTION_START_CALLS, "relocate")->ratios);
	comparison__free(comparison);
	comparison = two_starts(thrice, 5);
	assert_false(row_of(comparison, SECTION_START_NS, "relocate")->ratios[1].bounded);
	comparison__free(comparison);
}

/* Of a run without a start, and of one that has lost calls, nothing is known; without any, no rows. */
static void starts_that_are_not_known_are_not_zero(void **state)
{
	struct compare_column *columns = checked_calloc(3, sizeof(*columns));
	struct comparison *comparison;

	fill(&columns[0], "start", "start", 1, NULL, 0);
	fill(&columns[1], "true", "true", 1, NULL, 0);
	fill(&columns[2], "lost", "start", 1, NULL, 0);
	columns[2].runs[0]->start->missed = 1;
	comparison = comparison__new(columns, 3, 0);
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section < SECTION_START_NS || row->section >= SECTION_FIRST_THING)
			continue;
		assert_false(row->cells[1].known);
		assert_false(row->cells[2].known);
		assert_false(row->ratios && (row->ratios[1].known || row->ratios[2].known));
	}
	comparison__free(comparison);
	comparison = three();
	for (size_t i = 0; i < comparison->row_count; i++)
		assert_true(comparison->rows[i].section < SECTION_START_NS ||
			    comparison->rows[i].section >= SECTION_FIRST_THING);
	comparison__free(comparison);
}

static void times_need_samples(void **state)
{
	struct comparison *comparison = three();

	assert_true(comparison->timings[0].wall.value == 1.075e6);
	assert_true(comparison->timings[0].min_ns == 1e6);
	assert_false(comparison->timings[0].ratio.known);
	assert_true(fabs(comparison->timings[1].ratio.value - 2) < 1e-12);
	assert_false(comparison->timings[2].wall.known);
	assert_false(comparison->timings[2].ratio.known);
	comparison__free(comparison);
}

/* Another command had the CPU in the last three rounds, in which the second got quick. */
static void disturbed_rounds_are_left_out_and_it_is_said(void **state)
{
	const double base[] = { 10, 20, 30, 40, 50, 60, 70, 80, 90 };
	const double other[] = { 20, 40, 60, 80, 100, 120, 7, 8, 9 };
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));
	struct comparison *comparison;
	char *words;

	fill(&columns[0], "base", "true", 1, base, 9);
	fill(&columns[1], "other", "true", 1, other, 9);
	columns[1].others = checked_calloc(9, sizeof(double));
	for (int i = 6; i < 9; i++)
		columns[1].others[i] = 0.5;
	for (int i = 0; i < 2; i++) {
		columns[i].cpu_ns = checked_calloc(9, sizeof(double));
		memcpy(columns[i].cpu_ns, columns[i].samples_ns, 9 * sizeof(double));
		columns[i].cpu_ns[0] *= 1 + i;
	}
	comparison = comparison__new(columns, 2, 0);
	assert_close(comparison->timings[1].ratio.value, 2);
	assert_close_to(comparison->timings[1].ratio.low, 2);
	assert_false(comparison->by_cpu); /* a short run among them used more than its time: two CPUs */
	/* CPU time holds no waiting, so all rounds count. The faster seven are 7, 8, 9, 40, 40, 60, 80, and 10 to 70. */
	assert_close(comparison->timings[1].cpu_ratio.value, pow(7 * 8 * 9 * 40.0 * 40 * 60 * 80 / (5040 * 1e7), 1.0 / 7));
	assert_close(comparison->timings[1].wall.value, 70);
	assert_close(comparison->timings[0].wall.value, 50);
	words = comparison__disturbance(comparison);
	assert_non_null(strstr(words, "3 of 18"));
	free(words);
	comparison__free(comparison);
}

/* Of short runs nobody knows singly: what others had of all rounds together is said, too. */
static void a_busy_machine_is_said(void **state)
{
	struct comparison *comparison = three();
	char *words;

	for (int i = 0; i < 3; i++)
		comparison->columns[i].busy = i < 2 ? 0.09 : NAN;
	assert_null(comparison__disturbance(comparison));
	comparison->columns[0].busy = 0.41;
	words = comparison__disturbance(comparison);
	assert_non_null(strstr(words, "41 %"));
	free(words);
	comparison__free(comparison);
}

static void assert_answer(struct comparison *comparison, const char *expected)
{
	char *answer = compare_words__answer(comparison);

	assert_string_equal(answer, expected);
	free(answer);
	comparison__free(comparison);
}

/* `runs` traced runs of each; `more` times as long. */
static struct comparison *two(const char *first, const char *second, size_t runs, size_t rounds,
			      double more)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));
	double samples[6];

	fill(&columns[0], "first", first, runs, quick, rounds);
	for (size_t i = 0; i < rounds; i++)
		samples[i] = quick[i] * more;
	fill(&columns[1], "second", second, runs, samples, rounds);
	return comparison__new(columns, 2, 0);
}

static void the_answer_is_a_sentence(void **state)
{
	assert_answer(two("true", "forks", 1, 6, 2), "first is 2.00 times faster than second; it makes 22 "
						    "system calls and 66 page faults instead of 480 and 2220.");
	assert_answer(two("forks", "true", 1, 6, 0.5), "second is 2.00 times faster than first; it makes 22 "
						      "system calls and 66 page faults instead of 480 and 2220.");
	assert_answer(two("true", "true", 1, 6, 1), "No difference in time is shown between first and second: "
						   "the ratio is 1.000; both make 22 system calls and 66 page faults.");
	assert_answer(two("true", "true", 1, 5, 2), "second took 2.00 times as long as first, without an interval: "
						   "there are 5 timed runs, and an interval takes 6 (-n 6); both make "
						   "22 system calls and 66 page faults.");
	assert_answer(two("true", "forks", 1, 0, 1), "second makes 480 system calls and 2220 page faults "
						    "instead of 22 and 66 of first.");
	assert_answer(two("forks", "inexact", 0, 6, 2), "first is 2.00 times faster than second.");
}

/* Two traced runs of each, with so many more page faults. */
static struct comparison *faulting(const uint64_t more[2][2])
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));

	for (int i = 0; i < 2; i++) {
		fill(&columns[i], i ? "second" : "first", "true", 2, NULL, 0);
		for (int j = 0; j < 2; j++) {
			columns[i].runs[j]->faults.by[ACTOR_LDSO][FAULT_FILE_MAP] += more[i][j];
			columns[i].runs[j]->faults.total += more[i][j];
		}
	}
	return comparison__new(columns, 2, 0);
}

/* A count differs where no run of the one makes as many as a run of the other. */
static void a_count_that_varies_is_no_difference(void **state)
{
	assert_answer(faulting((const uint64_t[2][2]){ { 2, 1 }, { 0, 1 } }),
		      "Both make 22 system calls and about 66 page faults.");
	assert_answer(faulting((const uint64_t[2][2]){ { 1, 1 }, { 0, 1 } }),
		      "Both make 22 system calls and about 66 page faults.");
	assert_answer(faulting((const uint64_t[2][2]){ { 2, 2 }, { 0, 1 } }),
		      "second makes 66 page faults instead of 68 of first.");
}

/* So much longer with a setting, which changes nothing that was counted but the page faults. */
static struct comparison *set(double more, double explained_ns)
{
	struct comparison *comparison = two("true", "true", 4, 6, more);
	struct compare_column *columns = comparison->columns;

	comparison->columns = NULL;
	comparison->column_count = 0;
	comparison__free(comparison);
	for (int i = 0; i < 2; i++)
		columns[i].path = checked_strdup("/bin/true");
	columns[1].settings = checked_calloc(2, sizeof(char *));
	columns[1].settings[0] = checked_strdup("LC_ALL=C");
	columns[1].explained_ns = explained_ns;
	for (int i = 0; i < 4; i++) {
		columns[1].runs[i]->faults.by[ACTOR_LDSO][FAULT_FILE_MAP] += 3;
		columns[1].runs[i]->faults.total += 3;
	}
	return comparison__new(columns, 2, 0);
}

static void assert_unexplained(struct comparison *comparison, bool expected)
{
	assert_int_equal(comparison__is_unexplained(comparison, 1), expected);
	comparison__free(comparison);
}

static void a_small_difference_needs_a_cause(void **state)
{
	struct comparison *comparison = set(1.02, 1000);

	assert_true(unexplained__is_asked(comparison, 1) && !unexplained__is_asked(comparison, 0));
	assert_false(unexplained__may_bind_otherwise(comparison, 1));
	assert_true(unexplained__faults(comparison, 1) == 3);
	assert_int_equal(comparison__shows(comparison, 1), SHOWN_NOTHING);
	assert_answer(comparison, "The measured 2.0 % less wall time of first than of second (ratio 0.980) is not "
				  "explained by 3 page faults fewer: at most 1 us of 1.10 ms. It is "
				  "work that was not counted, where memory lies, or chance.");
	assert_unexplained(set(1.02, 19000), true);
	assert_unexplained(set(1.02, 25000), false);
	assert_unexplained(set(1.02, NAN), false);
	assert_unexplained(set(0.98, 1000), true);
	assert_unexplained(set(1.05, 1000), false); /* so much is believed */
	assert_unexplained(set(1, 0), false);
}

static void replace(char **text, const char *other)
{
	free(*text);
	*text = checked_strdup(other);
}

/* Who can say what a call takes, or another program? */
static void other_programs_and_calls_are_cause_enough(void **state)
{
	struct comparison *comparison = set(1.02, 1000);
	struct compare_column *columns = comparison->columns;
	struct compare_row *calls = NULL;

	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].section == SECTION_SYSCALLS)
			calls = &comparison->rows[i];
	calls->moves[1] = MOVE_NOT_SHOWN;
	assert_false(unexplained__is_asked(comparison, 1));
	calls->moves[1] = MOVE_NONE;
	replace(&columns[1].settings[0], "LD_X=1");
	assert_true(unexplained__is_asked(comparison, 1) && unexplained__may_bind_otherwise(comparison, 1));
	replace(&columns[1].path, "/usr/true");
	assert_false(unexplained__is_asked(comparison, 1));
	for (int i = 0; i < 2; i++)
		columns[i].facts = some_facts();
	assert_false(unexplained__is_asked(comparison, 1));
	columns[1].facts->linkage = LINKAGE_STATIC;
	assert_true(unexplained__is_asked(comparison, 1));
	comparison__free(comparison);
}

static void assert_bind_now(const char *setting, enum elf_linkage linkage, enum elf_libc libc, unsigned int bind_now,
			    const char *expected)
{
	struct comparison *comparison = set(1, NAN);
	struct compare_column *column = &comparison->columns[1];
	char *words;

	replace(&column->settings[0], setting);
	column->facts = some_facts();
	column->facts->linkage = linkage;
	column->facts->libc = libc;
	column->facts->bind_now = bind_now;
	words = compare_words__bind_now(comparison);
	if (expected)
		assert_string_equal(words, expected);
	else
		assert_null(words);
	free(words);
	comparison__free(comparison);
}

static void what_is_bound_already_is_said(void **state)
{
	assert_bind_now("LD_BIND_NOW=1", LINKAGE_DYNAMIC_NOW, LIBC_GLIBC, NOW_BY_FLAGS,
			"LD_BIND_NOW changes nothing in the program true: it is linked with -z now already (forktax "
			"bindnow says what its libraries leave).");
	assert_bind_now("LD_BIND_NOW=1", LINKAGE_STATIC_PIE, LIBC_GLIBC, 0,
			"LD_BIND_NOW changes nothing in the program true: it is static.");
	assert_bind_now("LD_BIND_NOW=1", LINKAGE_DYNAMIC, LIBC_MUSL, 0,
			"LD_BIND_NOW changes nothing in the program true: it is linked with musl, which binds everything "
			"at start.");
	assert_bind_now("LD_BIND_NOW=1", LINKAGE_DYNAMIC, LIBC_GLIBC, 0, NULL);
	assert_bind_now("LD_BIND_NOW=", LINKAGE_STATIC, LIBC_GLIBC, 0, NULL);
	assert_bind_now("LC_ALL=C", LINKAGE_STATIC, LIBC_GLIBC, 0, NULL);
}

/* Each uses so many CPUs in its runs, and less in half of them, because others had the CPUs. */
static struct comparison *using_cpus(double first, double second)
{
	struct comparison *comparison = two("true", "forks", 0, 6, 2);
	struct compare_column *columns = comparison->columns;
	const double cpus[] = { first, second };

	for (int i = 0; i < 2; i++) {
		columns[i].cpu_ns = checked_calloc(6, sizeof(double));
		for (int k = 0; k < 6; k++)
			columns[i].cpu_ns[k] = columns[i].samples_ns[k] * cpus[i] / (1 + k % 2);
	}
	comparison->columns = NULL;
	comparison->column_count = 0;
	comparison__free(comparison);
	return comparison__new(columns, 2, 0);
}

static void one_clock_decides(void **state)
{
	assert_answer(using_cpus(1, 0.5), "No difference in CPU time is shown between first and second: the ratio is 1.000.");
	assert_answer(using_cpus(1, 1), "first is 2.00 times faster than second by CPU time.");
	/* It waits; it uses several. */
	assert_answer(using_cpus(1, 0.4), "first is 2.00 times faster than second.");
	assert_answer(using_cpus(1.6, 1), "first is 2.00 times faster than second.");
}

static struct comparison *alone(const char *name)
{
	struct compare_column *columns = checked_calloc(1, sizeof(*columns));

	fill(&columns[0], "first", name, 1, NULL, 0);
	return comparison__new(columns, 1, 0);
}

static void one_is_no_plural(void **state)
{
	static const enum compare_section sections[] = { SECTION_SYSCALL_TOTALS, SECTION_FAULT_TOTALS };
	struct comparison *comparison = two("true", "forks", 1, 6, 2);

	for (int i = 0; i < 2; i++)
		((struct compare_row *)compare__find_row(comparison, sections[i], "total"))->cells[0].median = 1;
	assert_answer(comparison, "first is 2.00 times faster than second; it makes 1 system call and 1 page fault "
				  "instead of 480 and 2220.");
	comparison = alone("true");
	assert_answer(comparison, "first makes 22 system calls and 66 page faults.");
	comparison = alone("true");
	for (int i = 0; i < 2; i++)
		((struct compare_row *)compare__find_row(comparison, sections[i], "total"))->cells[0].median = 1;
	assert_answer(comparison, "first makes 1 system call and 1 page fault.");
}

/* What files name is so, however few runs there are. */
static void libraries_that_files_name_need_no_runs(void **state)
{
	struct compare_column *columns = checked_calloc(2, sizeof(*columns));
	struct comparison *comparison;

	for (int i = 0; i < 2; i++) {
		fill(&columns[i], i ? "b" : "a", "true", 3, NULL, 0);
		columns[i].facts = some_facts();
	}
	free(columns[1].facts->libraries[0].name);
	columns[1].facts->libraries[0].name = checked_strdup("libm.so.6");
	comparison = comparison__new(columns, 2, 0);
	assert_int_equal(row_of(comparison, SECTION_LIBRARIES, "libm.so.6")->moves[1], MOVE_SHOWN);
	comparison__free(comparison);
}

static char *print(const struct comparison *comparison, enum table_style style, unsigned int width)
{
	const struct report_options options = { .verbose = true };
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	const struct table_output output = { .stream = stream, .style = style, .width = width };

	comparison_report__print(comparison, &options, &output);
	fclose(stream);
	return text;
}

static void tables_say_what_was_lost_first(void **state)
{
	struct comparison *comparison = three();
	char *text = print(comparison, TABLE_TEXT, 0);

	assert_int_equal(strncmp(text, "NOT EXACT: inexact:", 19), 0);
	assert_non_null(strstr(text, "inexact*"));
	assert_non_null(strstr(text, "dynamic-now"));
	assert_non_null(strstr(text, "it is truncated"));
	assert_non_null(strstr(text, "slower"));
	free(text);
	comparison__free(comparison);
}

/* Columns that do not fit go below; no line is longer than the terminal. */
static void tables_fit_the_terminal(void **state)
{
	struct compare_column *columns = checked_calloc(8, sizeof(*columns));
	struct comparison *comparison;
	size_t tables = 0;
	char *text;

	for (int i = 0; i < 8; i++) {
		char label[16];

		snprintf(label, sizeof(label), "build-%d", i);
		fill(&columns[i], label, "forks", 1, quick, 4);
	}
	comparison = comparison__new(columns, 8, 0);
	text = print(comparison, TABLE_TEXT, 80);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strncmp(line, "Counts:", 7))
			break;
		if (strlen(line) > 80)
			fail_msg("%zu columns: %s", strlen(line), line);
		tables += strstr(line, "build-") != NULL;
	}
	assert_in_range(tables, 2, 4);
	free(text);
	comparison__free(comparison);
}

static void csv_has_one_line_per_figure(void **state)
{
	struct comparison *comparison = three();
	char *text = print(comparison, TABLE_CSV, 0);

	assert_int_equal(strncmp(text, "column,section,key,value,low,high", 33), 0);
	assert_non_null(strstr(text, "true,file,blocks_kib,16,"));
	assert_non_null(strstr(text, "true,per_child_mean,faults,,,"));
	assert_non_null(strstr(text, "forks,largest_group_median,children,100,100,100"));
	free(text);
	comparison__free(comparison);
}

static char *save(const struct comparison *comparison)
{
	return document_of(SAVED_COMPARISON, comparison);
}

static struct comparison *reload(const char *text, size_t size, char **reason)
{
	struct saved what;

	*reason = read_document(text, size, &what);
	if (what.family == SAVED_COMPARISON)
		return what.comparison;
	if (!*reason) /* a damaged file may be another good one */
		*reason = checked_strdup("no comparison");
	saved__free(&what);
	return NULL;
}

static void a_saved_comparison_prints_the_same(void **state)
{
	struct comparison *comparison = three(), *again;
	char *saved = save(comparison), *text = print(comparison, TABLE_TEXT, 0), *reason;
	char *saved_again, *text_again;

	again = reload(saved, strlen(saved), &reason);
	if (!again)
		fail_msg("%s", reason);
	saved_again = save(again);
	text_again = print(again, TABLE_TEXT, 0);
	assert_string_equal(saved, saved_again);
	assert_string_equal(text, text_again);
	free(saved);
	free(saved_again);
	free(text);
	free(text_again);
	comparison__free(comparison);
	comparison__free(again);
}

/* Every key and type, damaged in turn: never a crash, and no comparison without its parts. */
static void a_damaged_comparison_has_a_reason(void **state)
{
	struct comparison *comparison = three();
	char *saved = save(comparison);
	size_t size = strlen(saved);

	for (size_t cut = 1; cut < size - 1; cut += 997) {
		char *reason;

		assert_null(reload(saved, cut, &reason));
		assert_non_null(reason);
		free(reason);
	}
	for (char *key = strchr(saved, '"'); key && key < saved + 3000;
	     key = strchr(key + 1, '"')) {
		char kept = key[1], *reason = NULL;
		struct comparison *damaged;

		key[1] = kept == 'x' ? 'y' : 'x';
		damaged = reload(saved, size, &reason);
		assert_true(damaged ? !reason : reason && *reason);
		comparison__free(damaged);
		free(reason);
		key[1] = kept;
	}
	free(saved);
	comparison__free(comparison);
}

/* Shares are of the same rounds as the times, and columns of the same rounds as each other. */
static const struct damage damaged_rounds[] = {
	{ "[0,0,0,0,null,0]", "[0,0,0,0,null]", "different runs" },
	{ "[0,0,0,0,null,0]", "[0,0,0,0,null,2]", "outside 0..1" },
	{ "[2000000,2200000,", "[2200000,", "different rounds" },
};

static void rounds_that_do_not_match_are_refused(void **state)
{
	struct comparison *comparison = three();
	char *saved = save(comparison);

	refuse_damages_of(saved, saved, damaged_rounds, ARRAY_LENGTH(damaged_rounds));
	free(saved);
	comparison__free(comparison);
}

static void other_json_is_no_comparison(void **state)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		"1",
		"null",
		"{\"schema\":\"forktax/1\"}",
		"{\"schema\":\"forktax-compare/2\"}",
		"{\"schema\":\"forktax-compare/1\",\"baseline\":0,\"columns\":[],\"runs\":[]}",
		"{\"schema\":\"forktax-compare/1\",\"baseline\":0,\"columns\":[1],\"runs\":[[]]}",
		"{\"schema\":\"forktax-compare/1\",\"baseline\":7,\"columns\":[{}],\"runs\":[1]}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *reason = NULL;

		assert_null(reload(texts[i], strlen(texts[i]), &reason));
		assert_non_null(reason);
		free(reason);
	}
}

/* In run `other` the child is `sh`, or nobody knew more than the file. */
static void groups_are_found_by_name_then_by_file(void **state)
{
	struct exe names[] = { { .path = "/bin/ls", .resolved = "/bin/busybox", .ino = 7 },
			       { .path = "/bin/sh", .resolved = "/bin/busybox", .ino = 7 } };
	struct exe file[] = { { .path = "/bin/busybox", .ino = 7 } };
	struct group groups[] = { { .parent_exe = NO_EXE, .exec_target = 0 },
				  { .parent_exe = NO_EXE, .exec_target = 1 } };
	struct run run = { .exes = names, .exe_count = 2, .groups = groups, .group_count = 2 };
	struct run old = { .exes = file, .exe_count = 1, .groups = groups, .group_count = 1 };

	assert_int_equal(same_group__in(&run, &run, 1, SAME_PARENT), 1);
	assert_int_equal(same_group__in(&run, &run, 0, SAME_PARENT), 0);
	assert_int_equal(same_group__in(&old, &run, 1, SAME_PARENT), 0);
	names[1].resolved = NULL;
	names[1].path = "/bin/other";
	names[1].ino = 8;
	assert_int_equal(same_group__in(&old, &run, 1, SAME_PARENT), NO_GROUP);
}

/* Paths and files may differ: the name counts, or that it is the program that was started. */
static void groups_are_found_by_their_key(void **state)
{
	struct exe here[] = { { .path = "/bin/make", .ino = 3 }, { .path = "/bin/sh", .ino = 7 } };
	struct exe there[] = { { .path = "/usr/bin/make", .ino = 3 },
			       { .path = "/usr/bin/sh", .ino = 7 } };
	struct group of_here[] = { { .parent_exe = 0, .exec_target = 1 } };
	struct group of_there[] = { { .parent_exe = 0, .exec_target = NO_EXE },
				    { .parent_exe = 0, .exec_target = 1, .birth = BIRTH_VFORK },
				    { .parent_exe = 0, .exec_target = 1 } };
	struct run run = { .exes = here, .exe_count = 2, .groups = of_here, .group_count = 1 };
	struct run other = { .exes = there, .exe_count = 2, .groups = of_there, .group_count = 3 };
	struct image started = { .exe = 0 };
	struct process root = { .images = &started, .image_count = 1 };

	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), 2);
	there[1].ino = 8;
	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), 2);
	there[0].path = "/opt/gmake";
	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), NO_GROUP);
	assert_int_equal(same_group__in(&other, &run, 0, ANY_PARENT), 2);
	run.processes = other.processes = &root;
	run.process_count = other.process_count = 1;
	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), 2);
	there[1].path = "/usr/bin/dash";
	assert_int_equal(same_group__in(&other, &run, 0, ANY_PARENT), NO_GROUP);
	assert_int_equal(same_group__in(&other, &run, NO_GROUP, ANY_PARENT), NO_GROUP);
}

/* Two tools of one name: each is found by its file, and where only one is there, the other is not. */
static void groups_of_one_key_are_told_apart_by_their_files(void **state)
{
	struct exe exes[] = { { .path = "/a/tool", .ino = 1 }, { .path = "/b/tool", .ino = 2 } };
	struct group groups[] = { { .parent_exe = NO_EXE, .exec_target = 0 },
				  { .parent_exe = NO_EXE, .exec_target = 1 } };
	struct group turned[] = { groups[1], groups[0] };
	struct run run = { .exes = exes, .exe_count = 2, .groups = groups, .group_count = 2 };
	struct run other = { .exes = exes, .exe_count = 2, .groups = turned, .group_count = 2 };

	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), 1);
	assert_int_equal(same_group__in(&other, &run, 1, SAME_PARENT), 0);
	other.group_count = 1;
	assert_int_equal(same_group__in(&other, &run, 0, SAME_PARENT), NO_GROUP);
	assert_int_equal(same_group__in(&other, &run, 1, SAME_PARENT), 0);
}

/* Whoever joins by keys and whoever asks for a group find the same: in check's words, too. */
static void keys_and_names_agree_about_groups(void **state)
{
	struct exe exes[] = { { .path = "/a/tool", .ino = 1 }, { .path = "/b/tool", .ino = 2 },
			      { .path = "/a/sh", .ino = 3 } };
	struct group groups[] = { { .parent_exe = 2, .exec_target = 0 },
				  { .parent_exe = 2, .exec_target = 1 },
				  { .parent_exe = 2, .exec_target = 2 },
				  { .parent_exe = 2, .exec_target = NO_EXE },
				  { .parent_exe = 2, .exec_target = 0, .birth = BIRTH_VFORK } };
	enum { COUNT = sizeof(groups) / sizeof(groups[0]) };
	struct run run = { .exes = exes, .exe_count = 3, .groups = groups, .group_count = COUNT };
	struct check_names names = check_names__of(&run, "/");

	for (uint32_t i = 0; i < COUNT; i++)
		for (uint32_t k = 0; k < COUNT; k++) {
			struct run one = { .exes = exes, .exe_count = 3, .groups = &groups[i],
					   .group_count = 1 };
			struct run other = { .exes = exes, .exe_count = 3, .groups = &groups[k],
					     .group_count = 1 };
			char *key = group_key(&run, i), *wanted = group_key(&run, k);
			bool same = !strcmp(key, wanted);

			assert_int_equal(same_group__in(&other, &one, 0, SAME_PARENT) == 0, same);
			assert_int_equal(!strcmp(check_names__group(&names, i),
						 check_names__group(&names, k)), same);
			free(key);
			free(wanted);
		}
	check_names__release(&names);
}

static enum compare_move move_of(const double *values, size_t n, const double *baseline, size_t m)
{
	return compare_move__of(values, n, baseline, m, UNPAIRED);
}

static void what_runs_bear_out(void **state)
{
	static const double fives[] = { 5, 5, 5, 5, 5, 5, 5 }, sixes[] = { 6, 6, 6, 6, 6, 6, 6 };
	static const double mixed[] = { 5, 6, 5, 6, 5, 6, 5 }, more[] = { 6, 6, 6, 6, 6, 6, 5 };
	static const double unknown[] = { 5, NAN };

	assert_int_equal(move_of(fives, 3, fives, 5), MOVE_NONE);
	assert_int_equal(move_of(fives, 1, fives, 1), MOVE_NONE);
	assert_int_equal(move_of(sixes, 1, fives, 1), MOVE_ONE_RUN);
	assert_int_equal(move_of(sixes, 7, fives, 1), MOVE_ONE_RUN);
	assert_int_equal(move_of(sixes, 3, fives, 3), MOVE_FEW); /* 2 of 20 */
	assert_int_equal(move_of(sixes, 4, fives, 4), MOVE_SHOWN); /* 2 of 70 */
	assert_int_equal(move_of(fives, 4, sixes, 4), MOVE_SHOWN);
	assert_int_equal(move_of(sixes, 2, fives, 7), MOVE_FEW); /* 2 of 36 */
	assert_int_equal(move_of(sixes, 3, fives, 7), MOVE_SHOWN); /* 2 of 120 */
	assert_int_equal(move_of(mixed, 7, fives, 7), MOVE_NOT_SHOWN);
	assert_int_equal(move_of(more, 7, fives, 7), MOVE_SHOWN); /* by the interval */
	assert_int_equal(move_of(more + 2, 5, fives, 5), MOVE_NOT_SHOWN); /* of too few */
	assert_int_equal(move_of(unknown, 2, fives, 2), MOVE_UNKNOWN);
	assert_int_equal(move_of(fives, 0, fives, 2), MOVE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(books_balance_in_every_column),
		cmocka_unit_test(files_of_a_run_are_not_compared_with_those_of_a_start),
		cmocka_unit_test(errors_by_errno),
		cmocka_unit_test(the_reading_of_2006_leaves_two_calls_out),
		cmocka_unit_test(children_are_means_and_the_group_is_a_median),
		cmocka_unit_test(runs_that_differ_show_their_range),
		cmocka_unit_test(uncounted_classes_are_not_zero),
		cmocka_unit_test(phases_of_starts_sum_to_their_totals),
		cmocka_unit_test(phases_of_starts_stand_beside_each_other),
		cmocka_unit_test(times_of_phases_are_paired_by_round),
		cmocka_unit_test(starts_that_are_not_known_are_not_zero),
		cmocka_unit_test(times_need_samples),
		cmocka_unit_test(disturbed_rounds_are_left_out_and_it_is_said),
		cmocka_unit_test(a_busy_machine_is_said),
		cmocka_unit_test(the_answer_is_a_sentence),
		cmocka_unit_test(a_count_that_varies_is_no_difference),
		cmocka_unit_test(a_small_difference_needs_a_cause),
		cmocka_unit_test(other_programs_and_calls_are_cause_enough),
		cmocka_unit_test(what_is_bound_already_is_said),
		cmocka_unit_test(one_clock_decides),
		cmocka_unit_test(one_is_no_plural),
		cmocka_unit_test(libraries_that_files_name_need_no_runs),
		cmocka_unit_test(tables_say_what_was_lost_first),
		cmocka_unit_test(tables_fit_the_terminal),
		cmocka_unit_test(csv_has_one_line_per_figure),
		cmocka_unit_test(a_saved_comparison_prints_the_same),
		cmocka_unit_test(a_damaged_comparison_has_a_reason),
		cmocka_unit_test(rounds_that_do_not_match_are_refused),
		cmocka_unit_test(other_json_is_no_comparison),
		cmocka_unit_test(groups_are_found_by_name_then_by_file),
		cmocka_unit_test(groups_are_found_by_their_key),
		cmocka_unit_test(groups_of_one_key_are_told_apart_by_their_files),
		cmocka_unit_test(keys_and_names_agree_about_groups),
		cmocka_unit_test(what_runs_bear_out),
		cmocka_unit_test(runs_are_of_one_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
