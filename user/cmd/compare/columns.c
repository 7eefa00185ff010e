// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns words of the command line into columns: splits commands, loads saved runs. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/bindnow/bindnow_files.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/compare/outcomes.h"
#include "cmd/load_run.h"
#include "cmd/variants.h"
#include "elf/facts.h"
#include "launch/gate.h"
#include "launch/launch.h"
#include "source/strace/strace_files.h"

/* A directory, or a regular file that is not executable and begins like what forktax saves, or a log of strace. */
static bool is_saved(const char *word)
{
	struct stat status;
	FILE *stream;
	bool is_ours;
	int fd;

	if (stat(word, &status))
		return false;
	if (S_ISDIR(status.st_mode))
		return true;
	if (!S_ISREG(status.st_mode) || !access(word, X_OK))
		return false;
	fd = untrusted__open(word, 0, &status);
	stream = fd < 0 ? NULL : fdopen(fd, "r");
	if (!stream)
		return false;
	is_ours = is_json(stream);
	fclose(stream);
	return is_ours || strace_files__are_there(word);
}

static bool is_directory(const char *word)
{
	struct stat status;

	return !stat(word, &status) && S_ISDIR(status.st_mode);
}

static int is_not_hidden(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* A file of the directory is one more run; -1: there is a reason. */
static int load_one_of(const char *path, struct operand *operand)
{
	struct saved saved;
	char *reason = NULL;

	if (!is_saved(path) || is_directory(path))
		return 0;
	if (load_file(path, NULL, &saved, &reason) || !saved.run) {
		operand->reason = text__of("%s: %s", path, reason ? reason : "it is not a run");
		free(reason);
		saved__free(&saved);
		return -1;
	}
	operand->runs = checked_grow(operand->runs, operand->run_count, sizeof(*operand->runs));
	operand->runs[operand->run_count++] = saved.run;
	return 0;
}

/* In the order of their names. */
static void load_directory(const char *path, struct operand *operand)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_not_hidden, alphasort), status = 0;

	if (count < 0) {
		operand->reason = text__of("%s", strerror(errno));
		return;
	}
	for (int i = 0; i < count; i++) {
		char *file = text__of("%s/%s", path, entries[i]->d_name);

		if (!status)
			status = load_one_of(file, operand);
		free(file);
		free(entries[i]);
	}
	free(entries);
	if (!operand->run_count && !operand->reason)
		operand->reason = text__of("no file in this directory is a saved run");
}

struct operand *operands__load(char *const *words, size_t count)
{
	struct operand *operands = checked_calloc(count, sizeof(*operands));

	for (size_t i = 0; i < count; i++) {
		operands[i].is_saved = is_saved(words[i]);
		if (operands[i].is_saved && is_directory(words[i]))
			load_directory(words[i], &operands[i]);
		else if (operands[i].is_saved)
			load_file(words[i], NULL, &operands[i].saved, &operands[i].reason);
	}
	return operands;
}

void operands__free(struct operand *operands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		saved__free(&operands[i].saved);
		for (size_t k = 0; k < operands[i].run_count; k++)
			run__free(operands[i].runs[k]);
		free(operands[i].runs);
		free(operands[i].reason);
	}
	free(operands);
}

static struct compare_column *compare_job__new_column(struct compare_job *job, const char *word)
{
	job->columns = checked_grow(job->columns, job->column_count, sizeof(*job->columns));
	job->words = checked_grow(job->words, job->column_count, sizeof(*job->words));
	job->environments = checked_grow(job->environments, job->column_count, sizeof(*job->environments));
	job->words[job->column_count] = checked_strdup(word);
	job->environments[job->column_count] = NULL;
	job->columns[job->column_count] = (struct compare_column){ .busy = NAN, .explained_ns = NAN };
	return &job->columns[job->column_count++];
}

static int check_starts(const char *word, struct run *const *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!runs[i]->start)
			return print_error("compare", EXIT_FORKTAX,
					   "%s was saved without its start: forktax explain --startup --json "
					   "-o FILE saves one with it", word);
	return 0;
}

/* Moves the runs to a new column. */
static int take_runs(struct compare_job *job, const char *word, struct run **runs, size_t count)
{
	struct compare_column *column = compare_job__new_column(job, word);

	column->measurement = ++job->sources << 32;
	column->runs = runs;
	column->run_count = count;
	column->command = text__copy_list(runs[0]->command);
	return job->rounds.start ? check_starts(word, runs, count) : 0;
}

/* Moves the columns of a comparison: all were measured alternately, but not with those of other words. */
static int take_columns(struct compare_job *job, const char *word, struct comparison *comparison)
{
	const uint64_t source = ++job->sources;
	int status = 0;

	for (size_t i = 0; i < comparison->column_count && !status; i++) {
		struct compare_column *column = compare_job__new_column(job, word);
		struct compare_column *from = &comparison->columns[i];

		if (comparison->column_count > 1)
			text__replace(&job->words[job->column_count - 1], "%s %s", word, from->label);
		free(from->label);
		*column = *from;
		*from = (struct compare_column){ 0 };
		column->label = NULL;
		if (column->bound) /* here it is one of several columns, not a side of bindnow */
			bindnow_files__free(column->bound);
		column->bound = NULL;
		column->measurement = source << 32 | (uint32_t)column->measurement;
		status = job->rounds.start ? check_starts(word, column->runs, column->run_count) : 0;
	}
	return status;
}

static int take_saved(struct compare_job *job, const char *word, struct operand *operand)
{
	struct run *run = operand->saved.run, **runs;
	size_t count;

	if (operand->reason)
		return print_error("compare", EXIT_FORKTAX, "cannot read the saved run %s: %s", word, operand->reason);
	if (operand->run_count) {
		runs = operand->runs;
		operand->runs = NULL;
		count = operand->run_count;
		operand->run_count = 0;
		return take_runs(job, word, runs, count);
	}
	if (operand->saved.comparison)
		return take_columns(job, word, operand->saved.comparison);
	if (!run)
		return print_error("compare", EXIT_FORKTAX, "cannot read the saved run %s: %s", word, NO_SAVED_RUN);
	operand->saved.run = NULL;
	runs = checked_calloc(1, sizeof(*runs));
	runs[0] = run;
	return take_runs(job, word, runs, 1);
}

static int find(const struct compare_job *job, struct compare_column *column, char *const *environment)
{
	const char *name = column->command[0];
	int why;

	column->path = gate__find_in(name, environment);
	if (column->path)
		return 0;
	why = errno;
	if (why == ENOENT && *name == '-')
		return print_error("compare", EXIT_USAGE,
				   "%s: options come before the commands, and a command with its arguments is one "
				   "word: quote it, as 'ls -l'", name);
	if (why == ENOENT && !access(name, F_OK))
		return print_error("compare", EXIT_MISSING,
				   "%s: command not found, and the file of that name is no saved run", name);
	/* `compare git status`: the word before would have been a command as well. */
	if (why == ENOENT && job->column_count > 1)
		return print_error("compare", EXIT_MISSING,
				   "%s: command not found (a command with its arguments is one word: "
				   "quote it, as 'git status')", name);
	return complain_missing("compare", name, why);
}

/* A shell reads the settings itself. */
static int split(const struct compare_job *job, const char *word, struct compare_column *column)
{
	char *const for_shell[] = { "sh", "-c", (char *)word, NULL };
	const char *rest = word;
	int status;

	if (job->shell) {
		column->command = text__copy_list(for_shell);
		return 0;
	}
	status = take_settings("compare", &rest, "--shell", &column->settings);
	if (!status && column->settings && !*rest)
		return print_error("compare", EXIT_USAGE, "\"%s\": settings without a command", word);
	return status ? status : split_command("compare", rest, "--shell", &column->command);
}

int compare_job__add(struct compare_job *job, const char *word, struct operand *operand)
{
	struct compare_column *column;
	int status;

	if (operand->is_saved)
		return take_saved(job, word, operand);
	column = compare_job__new_column(job, word);
	status = split(job, word, column);
	if (!status) {
		char **environment = environment__changed((const char *const *)column->settings);

		job->environments[job->column_count - 1] = environment;
		status = find(job, column, environment);
	}
	if (!status)
		column->facts = elf_facts__read(column->path, &column->facts_reason);
	return status;
}

void compare_job__number(struct compare_job *job)
{
	uint64_t *before = checked_calloc(job->column_count, sizeof(*before)), next = 0;

	for (size_t i = 0; i < job->column_count; i++) {
		size_t same = 0;

		before[i] = job->columns[i].measurement;
		while (before[same] != before[i])
			same++;
		job->columns[i].measurement = same < i ? job->columns[same].measurement : next++;
	}
	free(before);
}

static struct variant *live_variants(const struct compare_job *job, size_t *count)
{
	struct variant *variants = checked_calloc(job->column_count, sizeof(*variants));

	*count = 0;
	for (size_t i = 0; i < job->column_count; i++) {
		const struct compare_column *column = &job->columns[i];
		struct variant *variant = &variants[*count];

		if (!compare_column__is_live(column))
			continue;
		*variant = (struct variant){
			.label = column->label,
			.path = column->path,
			.argv = column->command,
			.environment = job->environments[i],
		};
		++*count;
	}
	return variants;
}

int compare_job__measure(struct compare_job *job, int *signal)
{
	size_t count, next = 0;
	struct variant *variants;
	int status;

	environments__level(job->environments, job->column_count);
	variants = live_variants(job, &count);
	status = variants__measure(variants, count, &job->rounds, signal);
	if (!status && !*signal && count > 1 && !job->rounds.show_output)
		status = compare_job__run_outcomes(job, variants, count, signal);
	for (size_t i = 0; i < job->column_count; i++) {
		if (compare_column__is_live(&job->columns[i]))
			variant__move(&variants[next++], &job->columns[i]);
	}
	free(variants);
	return status;
}
