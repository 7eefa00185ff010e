// SPDX-License-Identifier: GPL-2.0-or-later
/* Baselines: what is measured, what is worse, what is kept, and what is refused. */
#include "unit.h"

#include "analysis/check/judgement.h"
#include "analysis/check/measured_context.h"
#include "analysis/check/page_list.h"
#include "analysis/check/renewal.h"
#include "base/memory.h"
#include "base/text.h"
#include "run_text.h"

static struct baseline_metric metric_of(enum baseline_kind kind, uint64_t least, uint64_t most)
{
	return (struct baseline_metric){ .of = "command", .kind = kind, .name = "x", .least = least,
					 .most = most };
}

static enum check_change change(uint64_t then_least, uint64_t then_most, uint64_t least, uint64_t most)
{
	const struct baseline_metric then = metric_of(BASELINE_CALLS, then_least, then_most);
	const struct baseline_metric now = metric_of(BASELINE_CALLS, least, most);

	return check_change__of(BASELINE_CALLS, then_most ? &then : NULL, most ? &now : NULL);
}

static void test_changes(void **state)
{
	assert_int_equal(change(3, 3, 3, 3), CHANGE_NONE);
	assert_int_equal(change(3, 3, 4, 4), CHANGE_WORSE);
	assert_int_equal(change(3, 3, 2, 2), CHANGE_BETTER);
	/* Some run was as before. */
	assert_int_equal(change(3, 3, 3, 9), CHANGE_NONE);
	assert_int_equal(change(3, 3, 0, 3), CHANGE_NONE);
	/* A range may be as far off as it is wide, and no more. */
	assert_int_equal(change(10, 12, 14, 14), CHANGE_NONE);
	assert_int_equal(change(10, 12, 15, 15), CHANGE_WORSE);
	assert_int_equal(change(10, 12, 8, 8), CHANGE_NONE);
	assert_int_equal(change(10, 12, 7, 7), CHANGE_BETTER);
	/* What was never there, and what is gone. */
	assert_int_equal(change(0, 0, 1, 1), CHANGE_WORSE);
	assert_int_equal(change(1, 1, 0, 0), CHANGE_BETTER);
	assert_int_equal(change(0, 2, 5, 5), CHANGE_WORSE);
	/* Sums do not overflow. */
	assert_int_equal(change(UINT64_MAX - 1, UINT64_MAX - 1, 1, 1), CHANGE_BETTER);
	assert_int_equal(change(1, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX), CHANGE_NONE);
}

static void test_lost_setting(void **state)
{
	const struct baseline_metric one = metric_of(BASELINE_SETTING, 1, 1);

	assert_int_equal(check_change__of(BASELINE_SETTING, &one, NULL), CHANGE_WORSE);
	assert_int_equal(check_change__of(BASELINE_SETTING, NULL, &one), CHANGE_WORSE);
	assert_int_equal(check_change__of(BASELINE_IMAGE, &one, NULL), CHANGE_BETTER);
}

static void assert_pages(const char *expected, const uint64_t *pages, size_t count)
{
	struct page_list list = { 0 };
	char *text;

	for (size_t i = 0; i < count; i++)
		page_list__add(&list, pages[i]);
	text = page_list__text(&list);
	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
	free(text);
	page_list__release(&list);
}

static void test_pages(void **state)
{
	uint64_t odd[17];

	assert_pages(NULL, NULL, 0);
	assert_pages("0x3", (uint64_t[]){ 3, 3, 3 }, 3);
	assert_pages("0x0-0x2 0x9 0xff-0x100", (uint64_t[]){ 0, 1, 1, 2, 9, 255, 256 }, 7);
	for (size_t i = 0; i < 17; i++)
		odd[i] = 2 * i + 1;
	assert_pages(NULL, odd, 17); /* no line to read */
	assert_true(page_text__has("0x0-0x2 0x9", 1));
	assert_true(page_text__has("0x0-0x2 0x9", 9));
	assert_false(page_text__has("0x0-0x2 0x9", 3));
	assert_false(page_text__has(NULL, 0));
	assert_false(page_text__has("", 0));
	assert_false(page_text__has("0x1-", 1));
	assert_false(page_text__has("nonsense", 0));
}

/* What is measured of runs. */

static char setting[] = "LD_BIND_NOW=1";
static char *settings[] = { setting, NULL };

static struct run *load(const char *name)
{
	char *path = text__of(GOLDEN "/%s.json", name), *reason = NULL;
	FILE *stream = fopen(path, "re");
	struct run *run;

	assert_non_null(stream);
	run = read_run(stream, &reason);
	assert_non_null(run);
	fclose(stream);
	free(path);
	return run;
}

static struct baseline_context measure(struct run *const *runs, size_t count)
{
	const struct check_machine machine = { .here = "/home/me/bin", .libc = "libc 1",
					       .huge_pages = "never", .settings = settings };

	return measured_context__of(runs, count, &machine);
}

static const struct baseline_metric *find(const struct baseline_context *context, const char *of,
					  const char *name)
{
	for (size_t i = 0; i < context->metric_count; i++)
		if (!strcmp(context->metrics[i].of, of) && !strcmp(context->metrics[i].name, name))
			return &context->metrics[i];
	return NULL;
}

static void assert_metric(const struct baseline_context *context, const char *of, const char *name,
			  uint64_t least, uint64_t most)
{
	const struct baseline_metric *found = find(context, of, name);

	if (!found)
		fail_msg("no %s of %s", name, of);
	assert_int_equal(found->least, least);
	assert_int_equal(found->most, most);
}

/* Whatever golden run it is: each call of the run is in some metric, and faults are what the run says. */
static void assert_whole(const char *name)
{
	struct run *run = load(name);
	struct baseline_context context = measure(&run, 1);
	uint64_t calls = 0;

	for (size_t i = 0; i < context.metric_count; i++) {
		const struct baseline_metric *metric = &context.metrics[i];

		assert_int_equal(metric->least, metric->most);
		assert_true(metric->most > 0);
		if ((metric->kind == BASELINE_CALLS || metric->kind == BASELINE_SCHEDULED) &&
		    !strchr(metric->name, ' '))
			calls += metric->most;
		if (i)
			assert_true(baseline_metric__compare(metric - 1, metric) < 0);
	}
	assert_int_equal(calls, syscall_table__calls(&run->table));
	assert_metric(&context, OF_RUN, "processes", run->totals[LIFE_PROCESSES],
		      run->totals[LIFE_PROCESSES]);
	assert_metric(&context, OF_RUN, "LD_BIND_NOW=1", 1, 1);
	if (faults__class(&run->root_faults, FAULT_FILE_COW))
		assert_metric(&context, OF_COMMAND, "pages of files copied",
			      faults__class(&run->root_faults, FAULT_FILE_COW),
			      faults__class(&run->root_faults, FAULT_FILE_COW));
	baseline_context__release(&context);
	run__free(run);
}

static void test_whole_runs(void **state)
{
	assert_whole("true");
	assert_whole("tree");
	assert_whole("files");
	assert_whole("anatomy");
}

static void test_kernel(void **state)
{
	static const char *const releases[][2] = {
		{ "6.1.0-18-amd64", "6.1" }, { "6.18.0", "6.18" }, { "7.0", "7.0" }, { "6.8-rc1", "6.8" },
		{ "odd", "odd" }, { "5.15.167.4-microsoft", "5.15" },
	};
	struct run *run = load("true");

	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		struct baseline_context context;

		free(run->kernel);
		run->kernel = strdup(releases[i][0]);
		context = measure(&run, 1);
		assert_string_equal(context.kernel, releases[i][1]);
		baseline_context__release(&context);
	}
	run__free(run);
}

/* Two runs: ranges hold both, and what only one has begins at 0. */
static void test_ranges(void **state)
{
	struct run *runs[] = { load("true"), load("true"), load("true") };
	struct baseline_context context;
	struct syscall_row *row = &runs[1]->root_table.rows[0];

	assert_string_equal(row->name, "mmap");
	row->calls[ACTOR_PROGRAM] += 2;
	free(runs[2]->root_table.rows[1].name);
	runs[2]->root_table.rows[1].name = strdup("vhangup"); /* was mprotect */
	context = measure(runs, 3);
	assert_int_equal(context.runs, 3);
	assert_metric(&context, OF_COMMAND, "mmap", 7, 9);
	assert_metric(&context, OF_COMMAND, "mprotect", 0, 3);
	assert_metric(&context, OF_COMMAND, "vhangup", 0, 3);
	assert_metric(&context, OF_COMMAND, "openat", 2, 2);
	baseline_context__release(&context);
	for (int i = 0; i < 3; i++)
		run__free(runs[i]);
}

/* What explains is kept if it was alike in all runs. */
static void test_explanations(void **state)
{
	struct run *runs[] = { load("files"), load("files") };
	struct baseline_context one = measure(runs, 1), two;
	size_t files = one.file_count;

	assert_true(files > 3);
	runs[1]->files->rows[0].uses[FILE_OPENED].calls++;
	two = measure(runs, 2);
	assert_int_equal(two.file_count, files - 1);
	baseline_context__release(&one);
	baseline_context__release(&two);
	run__free(runs[0]);
	run__free(runs[1]);
}

/* Judgements. */

static struct baseline_check check_of(struct run *run)
{
	struct baseline_check check = { .name = checked_strdup("it") };
	struct baseline_context context = measure(&run, 1);

	baseline_check__put(&check, &context);
	return check;
}

static void test_held(void **state)
{
	struct run *run = load("anatomy");
	struct baseline_check check = check_of(run);
	struct baseline_context now = measure(&run, 1);
	struct check_result result = check_result__of(&check, &now, run, "/", 0, NULL);

	assert_int_equal(result.outcome, CHECK_HELD);
	assert_int_equal(check_result__failures(&result), 0);
	assert_int_equal(check_result__improvements(&result), 0);
	assert_true(check_result__gates(&result) > 10);
	check_result__release(&result);
	/* The same, and it ends otherwise, is elsewhere, or inexact. */
	now = measure(&run, 1);
	result = check_result__of(&check, &now, run, "/", 1, NULL);
	assert_int_equal(result.outcome, CHECK_REGRESSED);
	assert_non_null(strstr(result.reason, "status 1 instead of 0"));
	check_result__release(&result);
	now = measure(&run, 1);
	free(now.kernel);
	now.kernel = strdup("9.9");
	result = check_result__of(&check, &now, run, "/", 0, NULL);
	assert_int_equal(result.outcome, CHECK_ELSEWHERE);
	assert_non_null(strstr(result.reason, "Linux 9.9 instead of"));
	check_result__release(&result);
	now = measure(&run, 1);
	result = check_result__of(&check, &now, run, "/", 0, strdup("lost"));
	assert_int_equal(result.outcome, CHECK_INEXACT);
	check_result__release(&result);
	baseline_check__release(&check);
	run__free(run);
}

static const struct check_finding *failing(const struct check_result *result, const char *name)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__fails(&result->findings[i]) && !strcmp(result->findings[i].name, name))
			return &result->findings[i];
	return NULL;
}

static void test_reasons(void **state)
{
	struct run *before = load("files"), *after = load("files");
	struct baseline_check check = check_of(before);
	struct baseline_context now;
	struct check_result result;
	const struct check_finding *finding;

	for (size_t i = 0; i < after->root_table.count; i++)
		if (!strcmp(after->root_table.rows[i].name, "openat"))
			after->root_table.rows[i].calls[ACTOR_PROGRAM]++;
	for (size_t i = 0; i < after->files->row_count; i++) {
		struct file_row *row = &after->files->rows[i];

		if (row->kind == FILE_NAMED && row->group == NO_GROUP && row->uses[FILE_OPENED].calls)
			row->uses[FILE_OPENED].calls++;
	}
	now = measure(&after, 1);
	result = check_result__of(&check, &now, after, "/", 0, NULL);
	finding = failing(&result, "openat");
	assert_non_null(finding);
	assert_true(finding->reason_count > 0);
	assert_non_null(strstr(finding->reasons[0], "opened"));
	assert_int_equal(check_result__failures(&result), 1);
	check_result__release(&result);
	baseline_check__release(&check);
	run__free(before);
	run__free(after);
}

/* What a baseline takes in. */

static void test_tightened(void **state)
{
	struct baseline_metric then[] = {
		{ .of = "command", .kind = BASELINE_CALLS, .name = "better", .least = 5, .most = 5 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "gone", .least = 2, .most = 2 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "narrower", .least = 2, .most = 6 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "same", .least = 2, .most = 2 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "wider", .least = 2, .most = 2 },
	};
	struct baseline_metric now[] = {
		{ .of = "command", .kind = BASELINE_CALLS, .name = "better", .least = 3, .most = 4 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "narrower", .least = 3, .most = 3 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "same", .least = 2, .most = 2 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "wider", .least = 1, .most = 4 },
	};
	const struct baseline_context before = { .arch = "a", .kernel = "k", .libc = "l",
						 .huge_pages = "h", .source = "s", .runs = 5,
						 .metrics = then, .metric_count = 5 };
	const struct baseline_context measured = { .metrics = now, .metric_count = 4 };
	struct baseline_context made = baseline_context__tightened(&before, &measured);

	assert_int_equal(made.metric_count, 4);
	assert_metric(&made, "command", "better", 3, 4);
	assert_null(find(&made, "command", "gone"));
	assert_metric(&made, "command", "narrower", 2, 6);
	assert_metric(&made, "command", "same", 2, 2);
	assert_metric(&made, "command", "wider", 2, 2);
	assert_string_equal(made.kernel, "k");
	baseline_context__release(&made);
}

static void test_calm(void **state)
{
	struct baseline_metric then[] = {
		{ .of = "command", .kind = BASELINE_CALLS, .name = "moved", .least = 5, .most = 5 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "varies", .least = 2, .most = 4 },
		{ .of = "command", .kind = BASELINE_CACHED, .name = "file map", .least = 20, .most = 22 },
	};
	struct baseline_metric now[] = {
		{ .of = "command", .kind = BASELINE_CALLS, .name = "moved", .least = 7, .most = 7 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "new", .least = 1, .most = 1 },
		{ .of = "command", .kind = BASELINE_CALLS, .name = "varies", .least = 3, .most = 5 },
		{ .of = "command", .kind = BASELINE_CACHED, .name = "file map", .least = 30, .most = 30 },
	};
	const struct baseline_context before = { .metrics = then, .metric_count = 3 };
	struct baseline_context measured = { .metrics = now, .metric_count = 4 };

	baseline_context__calm(&measured, &before);
	assert_metric(&measured, "command", "moved", 7, 7);
	assert_metric(&measured, "command", "new", 1, 1);
	assert_metric(&measured, "command", "varies", 2, 5);
	assert_metric(&measured, "command", "file map", 20, 30);
}

/* Files. */

static struct baseline *read_baseline(const char *text, char **reason)
{
	FILE *stream = fmemopen((void *)text, strlen(text), "r");
	struct saved what;

	*reason = NULL;
	saved__read(stream, &what, reason);
	fclose(stream);
	return what.baseline;
}

static void test_written_as_read(void **state)
{
	char *text = slurp(GOLDEN "/check/pool.json"), *reason, *again;
	struct baseline *baseline = read_baseline(text, &reason);
	size_t size;
	FILE *stream = open_memstream(&again, &size);

	assert_non_null(baseline);
	assert_int_equal(saved__write_baseline(baseline, stream), 0);
	fclose(stream);
	assert_string_equal(again, text);
	free(again);
	free(text);
	baseline__free(baseline);
}

static void test_refused(void **state)
{
	static const struct {
		const char *from, *to, *reason;
	} damages[] = {
		{ "\"min\":10,\"max\":12", "\"min\":13,\"max\":12", "ends before it begins" },
		{ "\"ld.so\":21", "\"ld.so\":23", "more calls" },
		{ "\"kind\":\"life\"", "\"kind\":\"death\"", "does not know" },
		{ "\"class\":\"file_cow\"", "\"class\":\"filing\"", "does not know" },
		{ "\"mapped\":1", "\"munched\":1", "does not know" },
		{ "\"name\":\"close\"", "\"name\":\"clone\"", "stands twice" },
		{ "\"path\":\"./pool.conf\"", "\"path\":\"/etc/ld.so.cache\"", "stands twice" },
		{ "\"command\":[\"./pool\"]", "\"command\":[]", "no command" },
		{ "\"command\":[\"./pool\"]", "\"command\":[7]", "no string" },
		{ "\"status\":0", "\"status\":256", "\"status\" is 256" },
		{ "\"status\":0,", "", "\"status\" is missing" },
		{ "\"max\":12", "\"max\":\"12\"", "\"max\"" },
		{ "\"max\":12", "\"mux\":12", "\"max\" is missing" },
		{ "forktax-check/1", "forktax-check/2", "another version" },
		{ "{\"of\":\"command\",\"kind\":\"calls\",\"name\":\"access\"",
		  "<<<<<<< ours\n{\"of\":\"command\",\"kind\":\"calls\",\"name\":\"access\"",
		  "begins a merge conflict" },
	};
	char *text = slurp(GOLDEN "/check/pool.json");

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		char *at = strstr(text, damages[i].from), *damaged, *reason;

		if (!at)
			fail_msg("no %s", damages[i].from);
		damaged = text__of("%.*s%s%s", (int)(at - text), text, damages[i].to,
				   at + strlen(damages[i].from));
		assert_null(read_baseline(damaged, &reason));
		assert_non_null(reason);
		if (!strstr(reason, damages[i].reason))
			fail_msg("%s: %s", damages[i].to, reason);
		free(reason);
		free(damaged);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),	     cmocka_unit_test(test_lost_setting),
		cmocka_unit_test(test_pages),	     cmocka_unit_test(test_whole_runs),
		cmocka_unit_test(test_kernel),	     cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_explanations), cmocka_unit_test(test_held),
		cmocka_unit_test(test_reasons),	     cmocka_unit_test(test_tightened),
		cmocka_unit_test(test_calm),	     cmocka_unit_test(test_written_as_read),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
