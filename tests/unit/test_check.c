// SPDX-License-Identifier: GPL-2.0-or-later
/* Baselines: what is measured, what is worse, what is kept, and what is refused. */
#include "unit.h"

#include "analysis/check/baseline_update.h"
#include "analysis/check/check_names.h"
#include "analysis/check/measured_context.h"
#include "analysis/check/page_list.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "made.h"
#include "resolve/check/judgement.h"
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
	assert_pages("0x1 0x3 0x5 0x7 0x9 0xb 0xd 0xf 0x11 0x13 0x15 0x17 0x19 0x1b 0x1d 0x1f", odd, 16);
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
	struct run *run = read_golden(name);
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
	struct run *run = read_golden("true");

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
	struct run *runs[] = { read_golden("true"), read_golden("true"), read_golden("true") };
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

/* Files and places that are there and say nothing. */
static size_t varying(const struct baseline_context *context)
{
	size_t count = 0;

	for (size_t i = 0; i < context->file_count; i++) {
		const struct baseline_file *file = &context->files[i];

		count += file->occurrences.vary;
		for (int use = 0; use < FILE_USE_COUNT && file->occurrences.vary; use++)
			assert_int_equal(file->calls[use], 0);
	}
	for (size_t i = 0; i < context->place_count; i++) {
		count += context->places[i].occurrences.vary;
		if (context->places[i].occurrences.vary) {
			assert_int_equal(context->places[i].faults, 0);
			assert_null(context->places[i].pages);
		}
	}
	return count;
}

/* What explains has counts if it was alike in all runs; what one run alone had is left out. */
static void test_explanations(void **state)
{
	struct run *runs[] = { read_golden("files"), read_golden("files") };
	struct baseline_context one = measure(runs, 1), two;
	size_t files = one.file_count;

	assert_true(files > 3);
	runs[1]->files->rows[0].uses[FILE_OPENED].calls++;
	two = measure(runs, 2);
	assert_int_equal(two.file_count, files);
	assert_int_equal(varying(&two), 1);
	baseline_context__release(&two);
	free(runs[1]->files->rows[0].path); /* of a name that each run makes for itself */
	runs[1]->files->rows[0].path = checked_strdup("/tmp/made-for-this-run");
	two = measure(runs, 2);
	assert_int_equal(two.file_count, files - 1);
	assert_int_equal(varying(&two), 0);
	baseline_context__release(&one);
	baseline_context__release(&two);
	run__free(runs[0]);
	run__free(runs[1]);
}

/* Names that are the same wherever the repository was checked out. */
static void test_names(void **state)
{
	static const char *const paths[][2] = {
		{ "/home/me/bin/pool", "./pool" }, { "/home/me/bin", "." },
		{ "/home/me/bin2/pool", "/home/me/bin2/pool" }, { "/proc/123/stat", "/proc/PID/stat" },
		{ "/proc/self/stat", "/proc/self/stat" }, { NULL, "a file now gone" },
	};
	struct run *run = read_golden("anatomy");
	struct check_names names = check_names__of(run, "/home/me/bin");
	struct anatomy_row row = { .phase = PHASE_PARENT };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char *path = check_names__path(&names, paths[i][0]);

		assert_string_equal(path, paths[i][1]);
		free(path);
	}
	assert_string_equal(check_names__group(&names, 0), "fork of fork.dynamic, no exec");
	assert_string_equal(check_names__row(&names, &row), OF_COMMAND); /* who made the children pays */
	row.phase = PHASE_CHILD;
	assert_string_equal(check_names__row(&names, &row), "fork of fork.dynamic, no exec");
	check_names__release(&names);
	run__free(run);
}

/* A run made by hand, of a command that made one kind of call, and 3 of it failed. */
static struct run *calling(const char *name, const char *error)
{
	struct run *run = made_run(0);
	struct syscall_row *row = made_calls(&run->root_table, name, 7);

	row->calls[ACTOR_LDSO] = 2;
	row->errors[ACTOR_PROGRAM] = 3;
	MADE(row->errnos, row->errno_count, checked_strdup(error), { [ACTOR_PROGRAM] = 3 });
	run->outcomes = true;
	run->machine.arch = checked_strdup("x86_64");
	run->kernel = checked_strdup("6.1");
	run->source = checked_strdup("ebpf");
	return run;
}

static enum baseline_kind kind_of(const char *call, const char *error, const char *metric)
{
	struct run *run = calling(call, error);
	struct baseline_context context = measure(&run, 1);
	const struct baseline_metric *found = find(&context, OF_COMMAND, metric);
	enum baseline_kind kind;

	assert_non_null(found);
	kind = found->kind;
	baseline_context__release(&context);
	run__free(run);
	return kind;
}

/* How often somebody has to wait is the scheduler's: neither such calls nor such errors fail anybody. */
static void test_scheduled(void **state)
{
	assert_int_equal(kind_of("openat", "ENOENT", "openat"), BASELINE_CALLS);
	assert_int_equal(kind_of("openat", "ENOENT", "openat ENOENT"), BASELINE_FAILED);
	assert_int_equal(kind_of("read", "EAGAIN", "read"), BASELINE_CALLS);
	assert_int_equal(kind_of("read", "EAGAIN", "read EAGAIN"), BASELINE_SCHEDULED);
	assert_int_equal(kind_of("futex", "EINVAL", "futex"), BASELINE_SCHEDULED);
	assert_int_equal(kind_of("futex", "EINVAL", "futex EINVAL"), BASELINE_SCHEDULED);
}

static void test_calls(void **state)
{
	struct run *run = calling("openat", "ENOENT");
	struct baseline_context context = measure(&run, 1);

	assert_metric(&context, OF_COMMAND, "openat", 9, 9);
	assert_metric(&context, OF_COMMAND, "openat ENOENT", 3, 3);
	assert_int_equal(find(&context, OF_COMMAND, "openat")->by_ldso, 2);
	baseline_context__release(&context);
	run->outcomes = false; /* errnos were not counted */
	run->origins[HAS_ACTORS] = ORIGIN_NOT_COUNTED; /* nor whose calls they are */
	run->root_table.rows[0].abi = ABI_I386;
	context = measure(&run, 1);
	assert_metric(&context, OF_COMMAND, "openat (i386)", 9, 9);
	assert_null(find(&context, OF_COMMAND, "openat (i386) ENOENT"));
	assert_int_equal(find(&context, OF_COMMAND, "openat (i386)")->by_ldso, 0);
	baseline_context__release(&context);
	run__free(run);
}

/* Of two runs the most; two groups of one name are one. */
static void test_calls_of_the_linker(void **state)
{
	struct run *runs[] = { calling("openat", "ENOENT"), calling("openat", "ENOENT") };
	struct baseline_context context;

	runs[1]->root_table.rows[0].calls[ACTOR_LDSO] = 4;
	context = measure(runs, 2);
	assert_int_equal(find(&context, OF_COMMAND, "openat")->by_ldso, 4);
	baseline_context__release(&context);
	runs[0]->groups = checked_calloc(2, sizeof(*runs[0]->groups));
	runs[0]->group_count = 2;
	for (int i = 0; i < 2; i++) {
		runs[0]->groups[i] = (struct group){ .birth = BIRTH_FORK, .parent_exe = NO_EXE,
						     .exec_target = NO_EXE, .children = 5 };
		runs[0]->groups[i].table = runs[i]->root_table;
		runs[i]->root_table = (struct syscall_table){ 0 };
	}
	context = measure(runs, 1);
	assert_metric(&context, "fork of a file now gone, no exec", "children", 10, 10);
	assert_metric(&context, "fork of a file now gone, no exec", "openat", 20, 20);
	assert_int_equal(find(&context, "fork of a file now gone, no exec", "openat")->by_ldso, 6);
	baseline_context__release(&context);
	run__free(runs[0]);
	run__free(runs[1]);
}

/* Which of two writers copies a page is left open: their sum is held. What children execute counts, too. */
static void test_faults(void **state)
{
	struct run *run = calling("openat", "ENOENT");
	static const char of[] = "fork of a file now gone, no exec";
	struct baseline_context context;

	run->root_faults.by[ACTOR_LDSO][FAULT_COW_COPY] = 1;
	run->root_faults.by[ACTOR_LDSO][FAULT_COW_REUSE] = 2;
	run->root_faults.by[ACTOR_LDSO][FAULT_FILE_MAP] = 30; /* dirties nothing */
	run->root_faults.by[ACTOR_PROGRAM][FAULT_COW_REUSE] = 4;
	run->root_faults.total = 40;
	MADE_GROUP(run, .birth = BIRTH_FORK, .parent_exe = NO_EXE, .exec_target = NO_EXE, .children = 1);
	run->groups[0].inherited.by[ACTOR_PROGRAM][FAULT_ZERO_FILL] = 5;
	run->groups[0].execd.by[ACTOR_PROGRAM][FAULT_ZERO_FILL] = 6;
	context = measure(&run, 1);
	assert_metric(&context, OF_COMMAND, "pages written after a fork", 7, 7);
	assert_metric(&context, OF_COMMAND, "pages dirtied by ld.so", 3, 3);
	assert_metric(&context, OF_COMMAND, "unattributed", 3, 3);
	assert_metric(&context, of, "new pages filled", 11, 11);
	baseline_context__release(&context);
	run->origins[HAS_FAULT_CLASSES] = ORIGIN_NOT_SUPPORTED;
	run->faults.total = 41;
	context = measure(&run, 1);
	assert_null(find(&context, OF_COMMAND, "unattributed"));
	assert_metric(&context, OF_RUN, "faults", 41, 41);
	baseline_context__release(&context);
	run__free(run);
}

/* Libraries are what ld.so maps, but for its cache; by how often they were successfully opened. */
static void test_libraries(void **state)
{
	static const char *const paths[] = { "/lib/liba.so", "/etc/ld.so.cache", "/lib/data" };
	struct run *run = calling("openat", "ENOENT");
	struct baseline_context context;

	run->files = checked_calloc(1, sizeof(*run->files));
	run->files->rows = checked_calloc(3, sizeof(*run->files->rows));
	run->files->row_count = 3;
	run->files->by_actor = true;
	for (int i = 0; i < 3; i++) {
		struct file_row *row = &run->files->rows[i];

		*row = (struct file_row){ .path = checked_strdup(paths[i]), .kind = FILE_NAMED,
					  .group = NO_GROUP };
		row->uses[FILE_OPENED].calls = row->by_ldso[FILE_OPENED].calls = 3;
		row->by_ldso[FILE_OPENED].errors = 1;
		row->by_ldso[FILE_MAPPED].calls = i < 2;
	}
	context = measure(&run, 1);
	assert_metric(&context, OF_COMMAND, "/lib/liba.so", 2, 2);
	assert_null(find(&context, OF_COMMAND, "/etc/ld.so.cache"));
	assert_null(find(&context, OF_COMMAND, "/lib/data"));
	assert_int_equal(context.file_count, 3);
	baseline_context__release(&context);
	run->files->rows[2].kind = FILE_DESCRIPTOR; /* has no name that lasts */
	run->files->missed = 1; /* then a library may be missing, too */
	context = measure(&run, 1);
	assert_null(find(&context, OF_COMMAND, "/lib/liba.so"));
	assert_int_equal(context.file_count, 2);
	baseline_context__release(&context);
	free(run->files->rows[1].path);
	run->files->rows[1].path = checked_strdup(paths[0]); /* two groups of one name */
	context = measure(&run, 1);
	assert_int_equal(context.file_count, 1);
	assert_int_equal(context.files[0].calls[FILE_OPENED], 6);
	baseline_context__release(&context);
	run__free(run);
}

/* Images are named as objects are; a symbol counts where all children were looked at. */
static void test_images_and_symbols(void **state)
{
	struct run *run = read_golden("anatomy");
	const char *of = "fork of forkloop, no exec";
	struct baseline_context context;
	struct sample *sample = NULL;
	size_t symbols[3] = { 0 };

	for (size_t i = 0; i < run->anatomy->sample_count; i++)
		if (!run->anatomy->samples[i].group)
			sample = &run->anatomy->samples[i];
	assert_non_null(sample);
	free(run->exes[0].path);
	run->exes[0].path = checked_strdup("forkloop");
	free(run->exes[0].linkage);
	run->exes[0].linkage = checked_strdup("static");
	for (int i = 0; i < 3; i++) {
		sample->children = group__children(&run->groups[0]) - (i == 1);
		sample->missed = i == 2;
		context = measure(&run, 1);
		assert_metric(&context, OF_RUN, "./forkloop (static)", 1, 1);
		for (size_t k = 0; k < context.metric_count; k++)
			symbols[i] += context.metrics[k].kind == BASELINE_BOUND &&
				      !strcmp(context.metrics[k].of, of);
		baseline_context__release(&context);
	}
	assert_true(symbols[0] > 0);
	assert_int_equal(symbols[1], 0);
	assert_int_equal(symbols[2], 0);
	run__free(run);
}

static struct anatomy_row *place_row(struct run *run, enum fault_class class, enum actor actor,
				     uint32_t object, uint64_t page)
{
	struct anatomy *anatomy = run->anatomy;

	anatomy->rows[anatomy->row_count] = (struct anatomy_row){
		.group = NO_GROUP, .phase = PHASE_EXEC, .actor = actor, .class = class, .faults = 1,
		.place = { .kind = object == NO_OBJECT ? PLACE_HEAP : PLACE_FILE, .object = object,
			   .offset = page * page_bytes },
		.around = ABSENT,
	};
	return &anatomy->rows[anatomy->row_count++];
}

/* Pages that were dirtied; of the kernel's own writes to TLS it decides itself how many there are. */
static void test_places(void **state)
{
	struct run *run = calling("openat", "ENOENT");
	struct run *runs[] = { run, run };
	struct baseline_context context;

	run->anatomy = anatomy__new();
	run->anatomy->rows = checked_calloc(8, sizeof(*run->anatomy->rows));
	MADE_OBJECT(run, .path = checked_strdup("/home/me/bin/pool"));
	place_row(run, FAULT_COW_COPY, ACTOR_PROGRAM, 0, 3);
	place_row(run, FAULT_COW_REUSE, ACTOR_PROGRAM, 0, 4); /* or the other way round */
	place_row(run, FAULT_FILE_MAP, ACTOR_PROGRAM, 0, 5);
	place_row(run, FAULT_ZERO_FILL, ACTOR_PROGRAM, NO_OBJECT, 7);
	place_row(run, FAULT_COW_COPY, ACTOR_KERNEL, NO_OBJECT, 8)->place.kind = PLACE_TLS;
	context = measure(runs, 2);
	assert_int_equal(context.place_count, 2);
	assert_string_equal(context.places[0].object, "./pool");
	assert_int_equal(context.places[0].class, FAULT_COW_COPY);
	assert_int_equal(context.places[0].faults, 2);
	assert_string_equal(context.places[0].pages, "0x3-0x4");
	assert_null(context.places[1].object);
	assert_string_equal(context.places[1].section, "heap");
	assert_null(context.places[1].pages); /* addresses mean nothing in another run */
	baseline_context__release(&context);
	run__free(run);
}

/* What one run has otherwise explains nothing: another number of faults, or other pages. */
static void test_places_that_differ(void **state)
{
	struct run *runs[] = { read_golden("anatomy"), read_golden("anatomy") };
	struct baseline_context context = measure(runs, 2);
	const size_t places = context.place_count;
	struct anatomy_row *row = NULL;

	for (size_t i = 0; i < runs[1]->anatomy->row_count; i++)
		if (fault_class__dirties(runs[1]->anatomy->rows[i].class) &&
		    place__has_object(&runs[1]->anatomy->rows[i].place))
			row = &runs[1]->anatomy->rows[i];
	assert_non_null(row);
	baseline_context__release(&context);
	row->faults++;
	context = measure(runs, 2);
	assert_int_equal(context.place_count, places);
	assert_int_equal(varying(&context), 1);
	baseline_context__release(&context);
	row->faults--;
	row->place.offset += 100 * page_bytes;
	context = measure(runs, 2);
	assert_int_equal(context.place_count, places);
	assert_int_equal(varying(&context), 1);
	baseline_context__release(&context);
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
	struct run *run = read_golden("anatomy");
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
	assert_int_equal(result.outcome, CHECK_NOT_COMPARABLE);
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

static void assert_reason(const struct check_result *result, const char *name, const char *reason)
{
	const struct check_finding *finding = failing(result, name);

	if (!finding)
		fail_msg("%s does not fail", name);
	for (size_t i = 0; i < finding->reason_count; i++)
		if (strstr(finding->reasons[i], reason))
			return;
	fail_msg("%s: \"%s\" is none of its %zu reasons: %s", name, reason, finding->reason_count,
		 finding->reason_count ? finding->reasons[0] : "");
}

static void test_reasons(void **state)
{
	struct run *before = read_golden("files"), *after = read_golden("files");
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

/* Contexts made by hand; all texts are owned. */

static struct baseline_context here(const char *kernel)
{
	return (struct baseline_context){
		.arch = checked_strdup("x86_64"), .kernel = checked_strdup(kernel),
		.libc = checked_strdup("libc 1"), .huge_pages = checked_strdup("never"),
		.source = checked_strdup("ebpf"), .runs = 1,
	};
}

static struct baseline_metric *put_metric(struct baseline_context *context, enum baseline_kind kind,
					  const char *of, const char *name, uint64_t count)
{
	struct baseline_metric metric = { .of = checked_strdup(of), .kind = kind,
					  .name = checked_strdup(name), .least = count, .most = count };
	size_t at = context->metric_count++;

	context->metrics = realloc(context->metrics, context->metric_count * sizeof(metric));
	for (; at && baseline_metric__compare(&context->metrics[at - 1], &metric) > 0; at--)
		context->metrics[at] = context->metrics[at - 1];
	context->metrics[at] = metric;
	return &context->metrics[at];
}

/* By path, ascending. */
static void put_file(struct baseline_context *context, const char *of, const char *path, uint64_t opened)
{
	context->files = realloc(context->files, (context->file_count + 1) * sizeof(*context->files));
	context->files[context->file_count++] = (struct baseline_file){
		.of = checked_strdup(of), .path = checked_strdup(path), .calls = { [FILE_OPENED] = opened },
	};
}

/* In the order of classes. */
static void put_place(struct baseline_context *context, enum fault_class class, enum actor actor,
		      const char *section, uint64_t faults)
{
	context->places = realloc(context->places, (context->place_count + 1) * sizeof(*context->places));
	context->places[context->place_count++] = (struct baseline_place){
		.of = checked_strdup(OF_COMMAND), .class = class, .actor = actor,
		.object = checked_strdup("./x"), .section = checked_strdup(section), .faults = faults,
	};
}

/* Takes both over. */
struct held {
	struct baseline_check check;
	struct check_result result;
};

static struct held *hold(struct baseline_context *then, struct baseline_context *now)
{
	struct held *held = checked_calloc(1, sizeof(*held));

	held->check.name = checked_strdup("it");
	if (then)
		baseline_check__put(&held->check, then);
	held->result = check_result__of(&held->check, now, NULL, "/", 0, NULL);
	return held;
}

static void release(struct held *held)
{
	check_result__release(&held->result);
	baseline_check__release(&held->check);
	free(held);
}

static struct held *hold_image(const char *before, const char *after)
{
	struct baseline_context then = here("6.1"), now = here("6.1");

	put_metric(&then, BASELINE_IMAGE, OF_RUN, before, 1);
	put_metric(&now, BASELINE_IMAGE, OF_RUN, after, 1);
	return hold(&then, &now);
}

/* From plain to any other linkage nothing is lost; of another program, or from another linkage, it may be. */
static void test_linkage(void **state)
{
	struct held *held = hold_image("./a (dynamic)", "./a (dynamic-now)");

	assert_int_equal(held->result.outcome, CHECK_HELD);
	assert_int_equal(check_result__improvements(&held->result), 2); /* one gone, one come */
	release(held);
	held = hold_image("./a (dynamic-now)", "./a (dynamic)");
	assert_int_equal(held->result.outcome, CHECK_REGRESSED);
	assert_reason(&held->result, "./a (dynamic)", "it was linked otherwise: (dynamic-now)");
	assert_int_equal(check_result__improvements(&held->result), 0); /* that it is gone is none */
	release(held);
	held = hold_image("./a (static)", "./a (dynamic)");
	assert_int_equal(held->result.outcome, CHECK_REGRESSED);
	assert_reason(&held->result, "./a (dynamic)", "it was linked otherwise: (static)");
	release(held);
	held = hold_image("./a (dynamic)", "./b (static)");
	assert_int_equal(held->result.outcome, CHECK_REGRESSED);
	assert_reason(&held->result, "./b (static)", "it was not executed before");
	release(held);
}

/* Compared with the place that has most in common; and that what gates alone differs is said. */
static void test_not_comparable(void **state)
{
	struct baseline_context far = here("5.4"), near = here("5.4"), now = here("6.1");
	struct baseline_check check = { .name = checked_strdup("it") };
	struct check_result result;

	free(far.arch);
	far.arch = checked_strdup("riscv64");
	put_metric(&near, BASELINE_CALLS, OF_COMMAND, "better", 2);
	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "better", 1);
	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "worse", 1);
	put_metric(&near, BASELINE_CACHED, OF_COMMAND, "file map", 1); /* these fail nobody */
	put_metric(&near, BASELINE_CACHED, OF_COMMAND, "zero page", 2);
	put_metric(&now, BASELINE_CACHED, OF_COMMAND, "file map", 2);
	put_metric(&now, BASELINE_CACHED, OF_COMMAND, "zero page", 1);
	baseline_check__put(&check, &far);
	baseline_check__put(&check, &near);
	result = check_result__of(&check, &now, NULL, "/", 0, NULL);
	assert_int_equal(result.outcome, CHECK_NOT_COMPARABLE);
	assert_string_equal(result.reason, "Linux 6.1 instead of 5.4; 2 metrics differ");
	check_result__release(&result);
	baseline_check__release(&check);
	now = here("6.1");
	check.name = checked_strdup("it");
	result = check_result__of(&check, &now, NULL, "/", 0, NULL);
	assert_int_equal(result.outcome, CHECK_NOT_COMPARABLE);
	assert_string_equal(result.reason, "no baseline for this kernel or machine");
	check_result__release(&result);
	baseline_check__release(&check);
}

/* Another kernel, source, ... is another place; the same one is replaced. */
static void test_places_to_run(void **state)
{
	struct baseline_check check = { 0 };

	for (int differs = 0; differs < 6; differs++) {
		struct baseline_context context = here("6.1");
		char **texts[] = { NULL, &context.arch, &context.kernel, &context.libc, &context.huge_pages,
				   &context.source };

		if (differs) {
			free(*texts[differs]);
			*texts[differs] = checked_strdup("other");
		}
		baseline_check__put(&check, &context);
		assert_int_equal(check.context_count, differs + 1);
		context = here("6.1");
		context.runs = 9;
		baseline_check__put(&check, &context);
		assert_int_equal(check.context_count, differs + 1);
		assert_int_equal(check.contexts[0].runs, 9);
	}
	baseline__sort(&(struct baseline){ &check, 1 });
	for (int i = 1; i < 6; i++)
		assert_true(baseline_context__compare(&check.contexts[i - 1], &check.contexts[i]) < 0);
	baseline_check__release(&check);
}

/* Causes come before their effects. */
static void test_order(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&now, BASELINE_PAGES, OF_COMMAND, "pages", 1);
	put_metric(&now, BASELINE_SETTING, OF_RUN, "LD_X=1", 1);
	held = hold(&then, &now);
	assert_int_equal(held->result.findings[0].kind, BASELINE_SETTING);
	assert_reason(&held->result, "LD_X=1", "it was not set when the baseline was made");
	release(held);
}

/* Reasons of calls: files of the same process, what was done with them, and how often. */
static void test_reasons_of_calls(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&then, BASELINE_CALLS, OF_COMMAND, "openat", 2)->by_ldso = 1;
	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "openat", 9)->by_ldso = 2;
	put_metric(&now, BASELINE_FAILED, OF_COMMAND, "openat EACCES", 5);
	put_metric(&now, BASELINE_FAILED, OF_COMMAND, "open EACCES", 5); /* "openat" begins so */
	put_file(&then, OF_COMMAND, "/a", 1);
	put_file(&now, OF_COMMAND, "/a", 3);
	put_file(&now, OF_COMMAND, "/b", 1);
	put_file(&now, OF_COMMAND, "/c", 2);
	put_file(&now, "fork of x, no exec", "/d", 1);
	held = hold(&then, &now);
	assert_reason(&held->result, "openat", "/a: opened 3 times, 1 before");
	assert_reason(&held->result, "openat", "/b: opened once, never before");
	assert_reason(&held->result, "openat", "/c: opened 2 times, never before");
	assert_reason(&held->result, "openat", "ld.so made 2 of them, 1 before");
	assert_int_equal(failing(&held->result, "openat")->reason_count, 4);
	assert_reason(&held->result, "openat EACCES", "7 more calls of openat: see above");
	assert_reason(&held->result, "open EACCES", "/a: opened");
	release(held);
	then = here("6.1");
	now = here("6.1");
	put_metric(&then, BASELINE_CALLS, OF_COMMAND, "getpid", 2)->by_ldso = 1;
	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "getpid", 3)->by_ldso = 1;
	held = hold(&then, &now);
	assert_reason(&held->result, "getpid", "by the program: ld.so made as many as before");
	release(held);
}

/* From three directories on, a name was searched for: one line. */
static void test_reasons_of_searches(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "openat", 5);
	put_file(&now, OF_COMMAND, "/a/libx.so", 1);
	put_file(&now, OF_COMMAND, "/a/liby.so", 1);
	put_file(&now, OF_COMMAND, "/b/libx.so", 1);
	put_file(&now, OF_COMMAND, "/b/liby.so", 1);
	put_file(&now, OF_COMMAND, "/c/libx.so", 1);
	held = hold(&then, &now);
	assert_int_equal(failing(&held->result, "openat")->reason_count, 3);
	assert_reason(&held->result, "openat", "libx.so: opened in 3 directories, /a/libx.so among them");
	assert_reason(&held->result, "openat", "/a/liby.so: opened once, never before");
	release(held);
}

/* Five reasons fit; of six the last two are counted. */
static void test_many_reasons(void **state)
{
	for (int files = 5; files < 7; files++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		struct held *held;

		put_metric(&now, BASELINE_CALLS, OF_COMMAND, "openat", 9);
		for (int i = 0; i < files; i++) {
			char path[] = "/a";

			path[1] += i;
			put_file(&now, OF_COMMAND, path, 1);
		}
		held = hold(&then, &now);
		assert_int_equal(failing(&held->result, "openat")->reason_count, 5);
		assert_reason(&held->result, "openat", files == 5 ? "/e: opened once" : "and 2 more");
		release(held);
	}
}

/* The children of a group, and nothing else of it. */
static void test_reasons_of_processes(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&now, BASELINE_LIFE, OF_RUN, "processes", 3);
	put_metric(&now, BASELINE_LIFE, OF_RUN, "threads", 3);
	put_metric(&now, BASELINE_LIFE, "fork of x, no exec", "children", 2);
	held = hold(&then, &now);
	assert_int_equal(failing(&held->result, "processes")->reason_count, 1);
	assert_reason(&held->result, "processes", "fork of x, no exec: 2, 0 before");
	release(held);
}

/* Calls that create a new kind of process are part of it: not more of them than it takes, and not those of threads. */
static void test_makers_of_processes(void **state)
{
	static const struct {
		uint64_t clones, actions;
		size_t causes;
	} cases[] = { { 2, 8, 1 }, { 2, 9, 2 }, { 3, 8, 3 }, { 0, 8, 2 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		struct held *held;

		put_metric(&now, BASELINE_CALLS, OF_COMMAND, "clone3", cases[i].clones);
		put_metric(&now, BASELINE_CALLS, OF_COMMAND, "rt_sigaction", cases[i].actions);
		put_metric(&now, BASELINE_LIFE, "vfork of x, exec of sh", "children", 2);
		held = hold(&then, &now);
		assert_int_equal(check_result__failed_causes(&held->result), cases[i].causes);
		assert_int_equal(failing(&held->result, "children")->reason_count, cases[i].causes < 3 && cases[i].clones);
		release(held);
	}
}

static void put_reads(struct baseline_context *context, const char *path, uint64_t reads)
{
	put_file(context, OF_COMMAND, path, 0);
	context->files[context->file_count - 1].calls[FILE_READ] = reads;
}

/* What is read of the new processes is part of them; not where something else is read more often, or it varies. */
static void test_makers_read_pipes(void **state)
{
	static const struct {
		uint64_t reads, piped;
		bool varies;
		size_t causes;
	} cases[] = { { 3, 2, false, 1 }, { 4, 2, false, 2 }, { 3, 3, false, 1 }, { 3, 2, true, 2 }, { 3, 0, false, 2 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		struct held *held;

		put_metric(&then, BASELINE_CALLS, OF_COMMAND, "read", 1);
		put_metric(&now, BASELINE_CALLS, OF_COMMAND, "read", cases[i].reads);
		put_reads(&then, "/a", 1);
		put_reads(&now, "/a", cases[i].reads - cases[i].piped);
		if (cases[i].piped)
			put_reads(&now, "pipe:", cases[i].piped);
		now.files[now.file_count - 1].occurrences.vary = cases[i].varies;
		put_metric(&now, BASELINE_CALLS, OF_COMMAND, "clone3", 1);
		put_metric(&now, BASELINE_LIFE, "vfork of x, exec of sh", "children", 1);
		held = hold(&then, &now);
		assert_int_equal(check_result__failed_causes(&held->result), cases[i].causes);
		if (cases[i].causes == 1)
			assert_reason(&held->result, "children", "with pipes, command does more: 2 read");
		release(held);
	}
}

/* Why a symbol is bound by children: a setting, a linkage, or what only the bindings tell. */
static void test_reasons_of_bindings(void **state)
{
	static const struct {
		enum baseline_kind kind; /* of what differs beside them */
		const char *of, *name;
		bool before;
		const char *reason;
		bool is_new; /* nobody was forked before */
	} cases[] = {
		{ BASELINE_SETTING, OF_RUN, "LD_BIND_NOW=1", true, "LD_BIND_NOW was lost", false },
		{ BASELINE_SETTING, OF_RUN, "LD_BIND_NOW=1", true, "there were no such children before", true },
		{ BASELINE_SETTING, OF_RUN, "LD_BIND_NOW=", true, "no child bound anything before", false },
		{ BASELINE_IMAGE, OF_RUN, "./b (dynamic-now)", true, "no child bound anything before", false },
		{ BASELINE_SETTING, OF_RUN, "LD_BIND_NOW=1", false, "no child bound anything before", false },
		{ BASELINE_SETTING, OF_RUN, "LD_PRELOAD=x", true, "no child bound anything before", false },
		{ BASELINE_IMAGE, OF_RUN, "./a (dynamic-now)", true, "-z now was lost", false },
		{ BASELINE_IMAGE, OF_RUN, "./a (dynamic-now)", false, "no child bound anything before", false },
		{ BASELINE_BOUND, "fork", "puts of ./a", true, "the parent had not called it from there", false },
		{ BASELINE_BOUND, "vfork", "puts of ./a", true, "no child bound anything before", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		struct held *held;

		put_metric(cases[i].before ? &then : &now, cases[i].kind, cases[i].of, cases[i].name, 1);
		put_metric(&now, BASELINE_BOUND, "fork", "getppid of ./a", 3);
		put_metric(&now, BASELINE_LIFE, "fork", "children", 3);
		if (!cases[i].is_new)
			put_metric(&then, BASELINE_LIFE, "fork", "children", 3);
		held = hold(&then, &now);
		assert_reason(&held->result, "getppid of ./a", cases[i].reason);
		release(held);
	}
}

/* What children bound before, too, was not bound by what was lost. */
static void test_reasons_of_more_bindings(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&then, BASELINE_IMAGE, OF_RUN, "./a (dynamic-now)", 1);
	put_metric(&then, BASELINE_BOUND, "fork", "getppid of ./a", 1);
	put_metric(&now, BASELINE_BOUND, "fork", "getppid of ./a", 3);
	put_metric(&then, BASELINE_LIFE, "fork", "children", 3);
	held = hold(&then, &now);
	assert_reason(&held->result, "getppid of ./a", "the parent had not called it from there");
	release(held);
}

/* Each metric of pages has places of its own; those that have as many faults as before explain nothing. */
static void test_reasons_of_pages(void **state)
{
	static const struct {
		const char *metric, *section;
	} cases[] = {
		{ "pages dirtied by ld.so", ".by-linker" },
		{ "pages written after a fork", ".copied" },
		{ "pages of files copied", ".by-linker" },
		{ "new pages filled", ".filled" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		char *reason = text__of("%s of ./x: 2 by ", cases[i].section);
		struct held *held;

		put_metric(&then, BASELINE_PAGES, OF_COMMAND, cases[i].metric, 1);
		put_metric(&now, BASELINE_PAGES, OF_COMMAND, cases[i].metric, 9);
		put_place(&then, FAULT_COW_COPY, ACTOR_PROGRAM, ".as-before", 5);
		put_place(&now, FAULT_COW_COPY, ACTOR_PROGRAM, ".as-before", 5);
		put_place(&now, FAULT_COW_COPY, ACTOR_PROGRAM, ".copied", 2);
		put_place(&now, FAULT_FILE_COW, ACTOR_LDSO, ".by-linker", 2);
		put_place(&now, FAULT_ZERO_FILL, ACTOR_PROGRAM, ".filled", 2);
		qsort(now.places, now.place_count, sizeof(*now.places), baseline_place__compare);
		held = hold(&then, &now);
		assert_int_equal(failing(&held->result, cases[i].metric)->reason_count, 1);
		assert_reason(&held->result, cases[i].metric, reason);
		release(held);
		free(reason);
	}
}

/* Pages that two metrics count are reported once: the same ones, not those of which the same can be said. */
static void test_reasons_told_once(void **state)
{
	static const struct {
		enum fault_class class;
		const char *metric;
		bool same;
	} cases[] = {
		{ FAULT_FILE_COW, "pages of files copied", true },
		{ FAULT_COW_COPY, "pages written after a fork", false }, /* more beside them */
		{ FAULT_ZERO_FILL, "new pages filled", false },
	};

	for (size_t i = 0; i < 3; i++) {
		struct baseline_context then = here("6.1"), now = here("6.1");
		struct held *held;

		put_metric(&now, BASELINE_PAGES, OF_COMMAND, "pages dirtied by ld.so", 2);
		put_metric(&now, BASELINE_PAGES, OF_COMMAND, cases[i].metric, 2);
		if (i == 1)
			put_place(&now, FAULT_COW_COPY, ACTOR_LDSO, ".got.plt", 2);
		if (i != 1)
			put_place(&now, cases[i].class, ACTOR_LDSO, ".data", 2);
		else
			put_place(&now, FAULT_FILE_COW, ACTOR_LDSO, ".got.plt", 2);
		if (i == 2)
			put_place(&now, FAULT_ZERO_FILL, ACTOR_PROGRAM, ".data", 2);
		qsort(now.places, now.place_count, sizeof(*now.places), baseline_place__compare);
		held = hold(&then, &now);
		assert_int_equal(failing(&held->result, "pages dirtied by ld.so")->reason_count, i == 1 ? 2 : 1);
		assert_reason(&held->result, cases[i].metric,
			      cases[i].same ? "they are those of \"pages dirtied by ld.so\"" : " of ./x: 2 by ld.so, 0 before");
		release(held);
	}
}

/* Two calls, two programs: of each the same may be true, and they are not each other. */
static void test_reasons_of_two(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "brk", 2)->by_ldso = 1;
	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "mmap", 2)->by_ldso = 1;
	put_metric(&now, BASELINE_IMAGE, OF_RUN, "./a (static)", 1);
	put_metric(&now, BASELINE_IMAGE, OF_RUN, "./b (static)", 1);
	put_metric(&now, BASELINE_LIFE, "fork of x, no exec", "children", 2);
	put_metric(&now, BASELINE_LIFE, "vfork of x, exec of y", "children", 3);
	put_metric(&now, BASELINE_LIFE, OF_RUN, "execs", 3);
	put_metric(&now, BASELINE_LIFE, OF_RUN, "processes", 5);
	held = hold(&then, &now);
	assert_reason(&held->result, "mmap", "ld.so made 1 of them, 0 before");
	assert_reason(&held->result, "./b (static)", "it was not executed before");
	assert_int_equal(failing(&held->result, "children")->reason_count, 0);
	assert_int_equal(failing(&held->result, "execs")->reason_count, 1);
	assert_reason(&held->result, "execs", "vfork of x, exec of y: 3, 0 before");
	assert_int_equal(failing(&held->result, "processes")->reason_count, 2);
	release(held);
}

/* A place or a file that the runs of the baseline did not have alike is no news. */
static void test_reasons_of_what_varies(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&now, BASELINE_CALLS, OF_COMMAND, "openat", 2);
	put_metric(&now, BASELINE_PAGES, OF_COMMAND, "pages of files copied", 2);
	put_file(&then, OF_COMMAND, "/a", 0);
	put_file(&now, OF_COMMAND, "/a", 2);
	put_place(&then, FAULT_FILE_COW, ACTOR_PROGRAM, ".data", 0);
	put_place(&now, FAULT_FILE_COW, ACTOR_PROGRAM, ".data", 2);
	then.files[0].occurrences.vary = then.places[0].occurrences.vary = true;
	held = hold(&then, &now);
	assert_int_equal(failing(&held->result, "openat")->reason_count, 0);
	assert_int_equal(failing(&held->result, "pages of files copied")->reason_count, 0);
	release(held);
}

/* Of a variable that has another value now nobody says that it was not set. */
static void test_reasons_of_settings(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1");
	struct held *held;

	put_metric(&then, BASELINE_SETTING, OF_RUN, "LD_X=1", 1);
	put_metric(&now, BASELINE_SETTING, OF_RUN, "LD_X=2", 1);
	put_metric(&then, BASELINE_SETTING, OF_RUN, "LD_Y=1", 1);
	held = hold(&then, &now);
	assert_reason(&held->result, "LD_X=1", "it was set when the baseline was made, and is LD_X=2 now");
	assert_reason(&held->result, "LD_X=2", "it was LD_X=1 when the baseline was made");
	assert_reason(&held->result, "LD_Y=1", "it was set when the baseline was made, and is not now");
	release(held);
}

/* From what is bound when it is linked or started to what is, too, nothing is lost. */
static void test_linkages_that_lose_nothing(void **state)
{
	static const struct {
		const char *before, *after;
		bool better;
	} cases[] = {
		{ "./a (dynamic-now)", "./a (static)", true }, { "./a (dynamic-now)", "./a (static-pie)", true },
		{ "./a (static-pie)", "./a (static)", true }, { "./a (static)", "./a (static-pie)", false },
		{ "./a (static)", "./a (dynamic-now)", false }, { "./a (not known)", "./a (static)", false },
		/* Nobody has looked at the file. */
		{ "./a (dynamic-now)", "./a (dynamic)", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct held *held = hold_image(cases[i].before, cases[i].after);

		assert_int_equal(held->result.outcome, cases[i].better ? CHECK_HELD : CHECK_REGRESSED);
		release(held);
	}
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

/* An executable that is linked otherwise has another name: the new one comes in, no other new metric does. */
static void test_tightened_image(void **state)
{
	struct baseline_context then = here("6.1"), now = here("6.1"), made;

	put_metric(&then, BASELINE_IMAGE, OF_RUN, "./a (dynamic)", 1);
	put_metric(&now, BASELINE_IMAGE, OF_RUN, "./a (dynamic-now)", 1);
	put_metric(&now, BASELINE_CACHED, OF_COMMAND, "file map", 1);
	made = baseline_context__tightened(&then, &now);
	assert_int_equal(made.metric_count, 1);
	assert_metric(&made, OF_RUN, "./a (dynamic-now)", 1, 1);
	baseline_context__release(&then);
	baseline_context__release(&now);
	baseline_context__release(&made);
}

static void test_keep_ranges(void **state)
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

	baseline_context__keep_ranges(&measured, &before);
	assert_metric(&measured, "command", "moved", 7, 7);
	assert_metric(&measured, "command", "new", 1, 1);
	assert_metric(&measured, "command", "varies", 2, 5);
	assert_metric(&measured, "command", "file map", 20, 30);
}

/* Files. */

static struct baseline *read_baseline(const char *text, char **reason)
{
	struct saved what;

	*reason = read_document(text, strlen(text), &what);
	return what.baseline;
}

static void test_written_as_read(void **state)
{
	char *text = slurp(GOLDEN "/check/pool.json"), *reason, *again, *once_more;
	struct baseline *baseline = read_baseline(text, &reason);

	assert_non_null(baseline);
	again = document_of(SAVED_BASELINE, baseline);
	assert_string_equal(again, text);
	free(again);
	/* What varies says so, and is read so. */
	baseline->checks[0].contexts[0].places[0].occurrences.vary = true;
	baseline->checks[0].contexts[0].files[1].occurrences.vary = true;
	again = document_of(SAVED_BASELINE, baseline);
	baseline__free(baseline);
	baseline = read_baseline(again, &reason);
	assert_true(baseline->checks[0].contexts[0].places[0].occurrences.vary);
	assert_false(baseline->checks[0].contexts[0].places[1].occurrences.vary);
	assert_false(baseline->checks[0].contexts[0].files[0].occurrences.vary);
	assert_true(baseline->checks[0].contexts[0].files[1].occurrences.vary);
	once_more = document_of(SAVED_BASELINE, baseline);
	assert_string_equal(once_more, again);
	free(once_more);
	free(again);
	free(text);
	baseline__free(baseline);
}

static const struct damage damages[] = {
	{ "\"min\":10,\"max\":12", "\"min\":13,\"max\":12", "ends before it begins" },
	{ "\"ld.so\":21", "\"ld.so\":23", "more calls" },
	{ "\"kind\":\"life\"", "\"kind\":\"death\"", "does not know" },
	{ "\"class\":\"file_cow\"", "\"class\":\"filing\"", "does not know" },
	{ "\"mapped\":1", "\"munched\":1", "does not know" },
	{ "\"name\":\"close\"", "\"name\":\"clone\"", "appears twice" },
	{ "\"path\":\"./pool.conf\"", "\"path\":\"/etc/ld.so.cache\"", "appears twice" },
	{ "\"section\":\"stack\"", "\"section\":\"TLS/TCB\"", "appear twice" },
	{ "\"command\":[\"./pool\"]", "\"command\":[]", "no command" },
	{ "\"command\":[\"./pool\"]", "\"command\":[7]", "not of type string" },
	{ "\"status\":0", "\"status\":256", "\"status\" is 256" },
	{ "\"status\":0,", "", "\"status\" is missing" },
	{ "\"max\":12", "\"max\":\"12\"", "\"max\"" },
	{ "\"max\":12", "\"mux\":12", "\"max\" is missing" },
	{ "forktax-check/1", "forktax-check/2", "another version" },
	{ "{\"of\":\"command\",\"kind\":\"calls\",\"name\":\"access\"",
	  "<<<<<<< ours\n{\"of\":\"command\",\"kind\":\"calls\",\"name\":\"access\"",
	  "begins a merge conflict" },
};

static void test_refused(void **state)
{
	refuse_damages(GOLDEN "/check/pool.json", "", damages, ARRAY_LENGTH(damages));
}

/* Pages that are new are named, three of them; those of before are not, nor is what dirtied nothing. */
static void test_new_pages(void **state)
{
	struct run *before = read_golden("anatomy"), *after = read_golden("anatomy");
	struct baseline_check check;
	struct baseline_context now;
	struct check_result result;
	const struct check_finding *finding;
	const char *reason;

	for (int i = 0; i < 2; i++) {
		struct run *run = i ? after : before;
		struct anatomy *anatomy = run->anatomy;

		anatomy->rows = realloc(anatomy->rows, (anatomy->row_count + 8) * sizeof(*anatomy->rows));
		place_row(run, FAULT_COW_COPY, ACTOR_PROGRAM, 0, 0x700)->place.section = checked_strdup(".it");
		for (int k = 0; i && k < 5; k++) {
			struct anatomy_row *row = place_row(run, k ? FAULT_COW_REUSE : FAULT_COW_COPY,
							    ACTOR_PROGRAM, 0, 0x701 + 2 * k);

			row->place.section = checked_strdup(".it");
			run->root_faults.by[ACTOR_PROGRAM][row->class]++;
		}
	}
	check = check_of(before);
	now = measure(&after, 1);
	result = check_result__of(&check, &now, after, "/home/me/bin", 0, NULL);
	finding = failing(&result, "pages written after a fork");
	assert_non_null(finding);
	assert_int_equal(finding->reason_count, 1);
	reason = finding->reasons[0];
	assert_non_null(strstr(reason, ": 6 by the program, 1 before: page 0x701"));
	assert_non_null(strstr(reason, "page 0x705"));
	assert_null(strstr(reason, "page 0x700"));
	assert_null(strstr(reason, "page 0x707"));
	check_result__release(&result);
	baseline_check__release(&check);
	run__free(before);
	run__free(after);
}

/* Whatever order it comes in, it is written in one. */
static void test_sorted(void **state)
{
	char *text = slurp(GOLDEN "/check/pool.json"), *reason, *again;
	struct baseline *baseline = read_baseline(text, &reason);
	struct baseline_context *context = &baseline->checks[0].contexts[0];
	const struct baseline_metric metric = context->metrics[0];
	const struct baseline_place place = context->places[0];
	const struct baseline_file file = context->files[0];

	context->metrics[0] = context->metrics[1];
	context->metrics[1] = metric;
	context->places[0] = context->places[1];
	context->places[1] = place;
	context->files[0] = context->files[1];
	context->files[1] = file;
	baseline__sort(baseline);
	again = document_of(SAVED_BASELINE, baseline);
	assert_string_equal(again, text);
	free(again);
	free(text);
	baseline__free(baseline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),	     cmocka_unit_test(test_lost_setting),
		cmocka_unit_test(test_pages),	     cmocka_unit_test(test_whole_runs),
		cmocka_unit_test(test_kernel),	     cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_explanations), cmocka_unit_test(test_held),
		cmocka_unit_test(test_reasons),	     cmocka_unit_test(test_tightened),
		cmocka_unit_test(test_keep_ranges),	     cmocka_unit_test(test_written_as_read),
		cmocka_unit_test(test_refused),	     cmocka_unit_test(test_names),
		cmocka_unit_test(test_scheduled),    cmocka_unit_test(test_calls),
		cmocka_unit_test(test_calls_of_the_linker),
		cmocka_unit_test(test_faults),	     cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_images_and_symbols),
		cmocka_unit_test(test_places),	     cmocka_unit_test(test_places_that_differ),
		cmocka_unit_test(test_linkage),	     cmocka_unit_test(test_not_comparable),
		cmocka_unit_test(test_places_to_run),
		cmocka_unit_test(test_order),	     cmocka_unit_test(test_reasons_of_calls),
		cmocka_unit_test(test_reasons_of_searches),
		cmocka_unit_test(test_many_reasons), cmocka_unit_test(test_reasons_of_processes),
		cmocka_unit_test(test_makers_of_processes),
		cmocka_unit_test(test_makers_read_pipes),
		cmocka_unit_test(test_reasons_of_bindings),
		cmocka_unit_test(test_reasons_of_pages),
		cmocka_unit_test(test_reasons_told_once),
		cmocka_unit_test(test_reasons_of_two),
		cmocka_unit_test(test_reasons_of_more_bindings),
		cmocka_unit_test(test_reasons_of_what_varies),
		cmocka_unit_test(test_reasons_of_settings),
		cmocka_unit_test(test_linkages_that_lose_nothing),
		cmocka_unit_test(test_tightened_image),
		cmocka_unit_test(test_new_pages),    cmocka_unit_test(test_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
