// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax check: commands held to a committed baseline. */
#include <stdlib.h>
#include <string.h>

#include "analysis/check/baseline_update.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "cmd/check/check_job.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "format/html/html_page.h"
#include "report/check/check_report.h"
#include "resolve/check/check_machine.h"
#include "resolve/check/judgement.h"
#include "saved/saved.h"

struct check_settings {
	struct check_job job;
	struct report_options display;
};

/* Unless -n says otherwise. */
enum { AS_USUAL = 0, RUNS_CHECKED = 3, RUNS_KEPT = 5 };

static const char *const github_words[] = {
	[GITHUB_AUTO] = "auto", [GITHUB_ALWAYS] = "always", [GITHUB_NEVER] = "never", NULL,
};

static int take_name(const struct option_row *row, void *field, const char *argument, char **reason)
{
	if (!*argument)
		return error__set(reason, "must not be empty");
	*(const char **)field = argument;
	return 0;
}

static const struct option_type option_name = { .completes = "name", .take = take_name };

#define JOB(member) FIELD(struct check_settings, job.member)

static const struct option_row check_rows[] = {
	OPTION(0, "init", NULL, &option_flag, JOB(init), "measure COMMANDs and add them to the baseline",
	       .one_of = "mode"),
	OPTION(0, "update", NULL, &option_flag, JOB(update), "measure again and accept the results", .one_of = "mode"),
	OPTION(0, "ratchet", NULL, &option_flag, JOB(ratchet), "accept improvements if nothing regressed",
	       .one_of = "mode"),
	OPTION(0, "drop-others", NULL, &option_flag, JOB(drop_others), "drop baselines of other kernels and machines",
	       .needs = "update"),
	OPTION('f', "file", "FILE", &option_file, JOB(file), "use this baseline file (default forktax.check.json)"),
	OPTION(0, "name", "NAME", &option_name, JOB(name),
	       "call the command NAME in the baseline (default: the command itself)", .needs = "init"),
	OPTION(0, "env", "NAME[,NAME]...", &option_name, JOB(environment),
	       "pass these environment variables to the command, besides PATH, HOME, USER, LOGNAME, "
	       "TMPDIR and those that ld.so and malloc read",
	       .needs = "init"),
	OPTION(0, "shell", NULL, &option_flag, JOB(shell), "run each COMMAND with sh -c", .needs = "init"),
	OPTION(0, "processes", NULL, &option_flag, JOB(processes),
	       "compare only the processes of each COMMAND: by program, and by line of bash scripts",
	       .needs = "init"),
	OPTION(0, "junit", "FILE", &option_file, JOB(junit), "write JUnit XML, too"),
	OPTION(0, "github", "WHEN", &option_word, JOB(github),
	       "write annotations and a job summary for GitHub Actions: auto (default: if run "
	       "there), always or never",
	       .words = github_words),
	{ 0 },
};

static const struct option_set check_sets[] = {
	{ NULL, check_rows, 0 },
	{ NULL, rounds_rows, offsetof(struct check_settings, job.rounds) },
	{ NULL, display_rows, offsetof(struct check_settings, display) },
	{ 0 },
};

/* Is the check asked for? No names ask for all. */
static bool is_wanted(const struct baseline_check *check, char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], check->name))
			return true;
	return !count;
}

static int refuse_names(const struct check_job *job, char *const *names, size_t count)
{
	struct name_list list = { .most = 10 };
	autofree char *known = NULL;

	for (size_t i = 0; i < job->baseline->check_count; i++)
		name_list__add(&list, job->baseline->checks[i].name);
	known = name_list__finish(&list);
	for (size_t i = 0; i < count; i++)
		if (!baseline__find(job->baseline, names[i]))
			return print_error("check", EXIT_USAGE, "%s has no check named \"%s\" (it has: %s)",
					   job->file, names[i], known ? known : "none");
	if (job->baseline->check_count)
		return 0;
	return print_error("check", EXIT_USAGE, "%s contains no commands: add some with --init", job->file);
}

/* The first command that is not there ends all, before a second is spent on the others. */
static int measure_all(struct check_job *job, char *const *names, size_t count,
		       struct check_results *results, int *signal)
{
	const struct baseline *baseline = job->baseline;
	int status = 0;

	results->results = checked_calloc(baseline->check_count, sizeof(*results->results));
	for (size_t i = 0; i < baseline->check_count && !status && !*signal; i++) {
		const struct baseline_check *check = &baseline->checks[i];
		struct check_measured measured;

		if (!is_wanted(check, names, count) || (job->init && check->context_count))
			continue;
		status = check_job__measure(job, check, &measured, signal);
		if (!status && !*signal) {
			results->results[results->count++] = check_result__of(
				check, &measured.context, measured.run, job->machine.here,
				measured.status, measured.inexact);
			measured.inexact = NULL;
		}
		check_measured__release(&measured);
	}
	return status;
}

static void print_results(const void *subject, const struct report_options *options, const struct table_output *tables)
{
	const struct check_results *results = subject;
	const struct check_view view = { .quiet = options->quiet, .all = options->all_workers };
	struct baseline now = { .checks = checked_calloc(results->count, sizeof(*now.checks)) };

	html_page__title(tables->page, "check");
	for (size_t i = 0; i < results->count; i++) {
		struct check_result *result = &results->results[i];

		now.checks[i] = *result->check;
		now.checks[i].status = result->status;
		now.checks[i].contexts = &result->now;
		now.checks[i].context_count = 1;
	}
	now.check_count = results->count;
	if (options->json)
		saved__write_baseline(&now, tables->stream);
	else
		check_report__print(results, &view, tables);
	free(now.checks); /* all else is borrowed */
}

/* Does a program read what goes to stdout? */
static bool stdout_is_data(const struct report_options *display)
{
	bool is_data = display->json;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		is_data |= i != TABLE_TEXT && display->formats[i];
	return is_data && (!display->path || !strcmp(display->path, "-"));
}

static int status_of(const struct check_results *results)
{
	static const int statuses[CHECK_OUTCOME_COUNT] = {
		[CHECK_REGRESSED] = EXIT_REGRESSED,
		[CHECK_INEXACT] = EXIT_INEXACT,
		[CHECK_NOT_COMPARABLE] = EXIT_NOT_COMPARABLE,
	};

	return statuses[check_results__outcome(results)];
}

/* Counts that are not exact are nothing to be held to. */
static int refuse_inexact(const struct check_results *results)
{
	for (size_t i = 0; i < results->count; i++)
		if (results->results[i].outcome == CHECK_INEXACT)
			return print_error("check", EXIT_INEXACT, "%s: %s; the baseline stays as it is",
					   results->results[i].check->name, results->results[i].reason);
	return 0;
}

static int refuse_failed(const struct check_job *job, const struct check_results *results)
{
	for (size_t i = 0; i < results->count && !job->rounds.ignore_failure; i++) {
		const struct check_result *result = &results->results[i];
		const int32_t before = job->update ? result->check->status : 0;

		if (result->status != before)
			return print_error("check", EXIT_FORKTAX,
					   "%s ended with status %d%s; --show-output shows why, -i takes it "
					   "as it is", result->check->name, result->status,
					   before ? " and not as before" : "");
	}
	return 0;
}

/* Moves what was measured into the baseline. */
static void keep(struct check_job *job, struct check_results *results)
{
	for (size_t i = 0; i < results->count; i++) {
		struct check_result *result = &results->results[i];
		struct baseline_check *check = baseline__find(job->baseline, result->check->name);
		const struct baseline_context *before = baseline_check__context(check, &result->now);

		if (before)
			baseline_context__keep_ranges(&result->now, before);
		while (job->drop_others && check->context_count)
			baseline_context__release(&check->contexts[--check->context_count]);
		check->status = result->status;
		baseline_check__put(check, &result->now);
	}
}

static void say_kept(const struct check_job *job, size_t changed)
{
	if (changed)
		printf("%s is written: commit it\n", job->file);
	else
		printf("%s is unchanged\n", job->file);
}

/* How many of its metrics gate; and how many of these have a range. */
static void say_added(const struct check_result *result)
{
	size_t gates = 0, vary = 0;

	for (size_t i = 0; i < result->now.metric_count; i++) {
		const struct baseline_metric *metric = &result->now.metrics[i];

		gates += baseline_kinds[metric->kind].gates;
		vary += baseline_kinds[metric->kind].gates && metric->least != metric->most;
	}
	printf("%s: %zu metrics of %s; ", result->check->name, gates,
	       quantity__count(result->now.runs, "run", "runs").text);
	if (vary)
		printf("%zu of them vary from run to run, and may go on to\n", vary);
	else
		puts("none of them varies");
}

static int take_in(struct check_settings *settings, struct check_results *results)
{
	struct check_job *job = &settings->job;
	const bool silent = settings->display.quiet || stdout_is_data(&settings->display);
	int status = refuse_inexact(results);

	if (!status)
		status = refuse_failed(job, results);
	if (!status && job->update)
		status = print_to("check", &settings->display, stdout, print_results, results, 0);
	if (status)
		return status;
	for (size_t i = 0; i < results->count && !silent; i++)
		say_added(&results->results[i]);
	keep(job, results);
	status = check_job__save(job);
	if (!status && !silent)
		say_kept(job, 1);
	return status ? status : finish_stdout("check");
}

/* Takes improvements in, where nothing is worse. */
static int tighten(struct check_settings *settings, const struct check_results *results)
{
	struct check_job *job = &settings->job;
	size_t better = 0;
	int status = 0;

	if (check_results__outcome(results) != CHECK_HELD)
		return 0;
	for (size_t i = 0; i < results->count; i++) {
		const struct check_result *result = &results->results[i];
		struct baseline_context tighter;

		if (!check_result__improvements(result))
			continue;
		better++;
		tighter = baseline_context__tightened(result->then, &result->now);
		baseline_check__put(baseline__find(job->baseline, result->check->name), &tighter);
	}
	if (better)
		status = check_job__save(job);
	if (!status && !settings->display.quiet && !stdout_is_data(&settings->display))
		say_kept(job, better);
	return status ? status : finish_stdout("check");
}

static int judge(struct check_settings *settings, const struct check_results *results)
{
	struct check_job *job = &settings->job;
	int status = print_to("check", &settings->display, stdout, print_results, results, 0), written;

	written = check_outputs__write(job, results, stdout_is_data(&settings->display));
	if (!status)
		status = written;
	if (!status && job->ratchet)
		status = tighten(settings, results);
	return status ? status : status_of(results);
}

/* All that can be known to go wrong, before anything runs. */
static int prepare(struct check_settings *settings, char *const *operands, size_t count)
{
	struct check_job *job = &settings->job;
	int status = check_outputs__check(job);

	if (!status)
		status = check_job__load(job);
	if (!status && (job->init || job->update || job->ratchet))
		status = check_job__may_save(job);
	if (!status)
		status = job->init ? check_job__add(job, operands, count) : refuse_names(job, operands, count);
	return status;
}

static int check(void *of, char **operands, int *signal)
{
	struct check_settings *settings = of;
	struct check_job *job = &settings->job;
	const size_t count = text__list_length(operands);
	struct check_results results = { 0 };
	int status = prepare(settings, operands, count);

	if (!status) {
		check_machine__look(&job->machine);
		status = measure_all(job, job->init ? NULL : operands, job->init ? 0 : count, &results, signal);
	}
	if (!status && !*signal)
		status = job->init || job->update ? take_in(settings, &results) : judge(settings, &results);
	for (size_t i = 0; i < results.count; i++)
		check_result__release(&results.results[i]);
	free(results.results);
	return status;
}

static int choose_runs(void *of, char **operands)
{
	struct check_settings *settings = of;
	struct check_job *job = &settings->job;

	if (job->rounds.traced == AS_USUAL)
		job->rounds.traced = job->init || job->update ? RUNS_KEPT : RUNS_CHECKED;
	job->rounds.progress = bench_progress__is_wanted(&settings->display);
	return 0;
}

static void release(void *of)
{
	struct check_job *job = &((struct check_settings *)of)->job;

	baseline__free(job->baseline);
	check_machine__release(&job->machine);
}

const struct command check_command = {
	.name = "check",
	.summary = "fail CI when a command makes more calls or faults than its baseline",
	.synopsis = "[OPTIONS] [NAME]...\n--init [OPTIONS] 'COMMAND'...\n--update [OPTIONS] [NAME]...",
	.about = "Runs the commands of a baseline file and reports what increased and why: "
		 "system calls, page faults, processes, libraries, bound symbols. Quote each "
		 "COMMAND with its arguments. Exit status: 0 if nothing increased, 1 if "
		 "something did, 3 if a run was not counted exactly, 4 if the baseline was "
		 "measured on another kernel or machine.",
	.flag = FOR_CHECK,
	.operands = "line",
	.sets = check_sets,
	.main = command__run,
	SETTINGS(struct check_settings,
		 .job = { .file = "forktax.check.json",
			  .rounds = { .name = "check", .traced = AS_USUAL, .fixed_traced = true,
				      .clean = true } }),
	.check = choose_runs,
	.act = check,
	.release = release,
};
