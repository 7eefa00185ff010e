// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns words of the command line into columns: splits commands, loads saved runs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/load_run.h"
#include "cmd/variants.h"
#include "launch/gate.h"
#include "source/strace/strace_files.h"

/* A regular file that is not executable and begins like what forktax saves, or a log of strace. */
static bool is_saved(const char *word)
{
	struct stat status;
	FILE *stream;
	bool is_ours;

	if (stat(word, &status))
		return strace_files__are_there(word);
	if (!S_ISREG(status.st_mode) || !access(word, X_OK))
		return false;
	stream = fopen(word, "re");
	if (!stream)
		return false;
	is_ours = saved_as(stream) != SAVED_AS_NOTHING;
	fclose(stream);
	return is_ours || strace_files__are_there(word);
}

struct operand *operands__load(char *const *words, size_t count)
{
	struct operand *operands = checked_calloc(count, sizeof(*operands));

	for (size_t i = 0; i < count; i++) {
		operands[i].is_saved = is_saved(words[i]);
		if (operands[i].is_saved)
			load(words[i], NULL, &operands[i].saved, &operands[i].reason);
	}
	return operands;
}

void operands__free(struct operand *operands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		saved__free(&operands[i].saved);
		free(operands[i].reason);
	}
	free(operands);
}

/* Moves the run to the column. */
static int take_run(struct compare_column *column, const char *word, struct operand *operand,
		    bool start)
{
	struct run *run = operand->saved.run;

	if (!run)
		return complain("compare", EXIT_FORKTAX, "cannot read the saved run %s: %s", word,
				operand->saved.family == SAVED_RUN ? operand->reason
								   : NO_SAVED_RUN);
	if (start && !run->start)
		return complain("compare", EXIT_FORKTAX,
				"%s was saved without its start: forktax explain --startup --json -o "
				"FILE saves one with it", word);
	operand->saved.run = NULL;
	column->runs = checked_calloc(1, sizeof(struct run *));
	column->runs[column->run_count++] = run;
	column->command = text__copy_list(run->command);
	return 0;
}

static int find(struct compare_column *column)
{
	const char *name = column->command[0];

	column->path = gate__find(name);
	if (column->path)
		return 0;
	if (errno == ENOENT && *name == '-')
		return complain("compare", EXIT_USAGE, "%s: options come before the commands",
				name);
	if (errno == ENOENT && !access(name, F_OK))
		return complain("compare", EXIT_MISSING,
				"%s: command not found, and the file of that name is no saved run",
				name);
	return find_command("compare", name, &column->path);
}

int compare_job__add(struct compare_job *job, const char *word, struct operand *operand)
{
	struct compare_column *column = &job->columns[job->column_count++];
	char *const for_shell[] = { "sh", "-c", (char *)word, NULL };
	int status = 0;

	if (operand->is_saved)
		return take_run(column, word, operand, job->rounds.start);
	if (job->shell)
		column->command = text__copy_list(for_shell);
	else
		status = split_command("compare", word, "--shell", &column->command);
	if (!status)
		status = find(column);
	if (!status)
		column->facts = elf_facts__read(column->path, &column->facts_reason);
	return status;
}

static struct variant *live_variants(const struct compare_job *job, size_t *count)
{
	struct variant *variants = checked_calloc(job->column_count, sizeof(*variants));

	*count = 0;
	for (size_t i = 0; i < job->column_count; i++) {
		const struct compare_column *column = &job->columns[i];

		if (compare_column__is_live(column))
			variants[(*count)++] = (struct variant){
				.label = column->label,
				.path = column->path,
				.argv = column->command,
			};
	}
	return variants;
}

int compare_job__measure(struct compare_job *job, int *signal)
{
	size_t count, next = 0;
	struct variant *variants = live_variants(job, &count);
	int status = variants__measure(variants, count, &job->rounds, signal);

	for (size_t i = 0; i < job->column_count; i++) {
		if (compare_column__is_live(&job->columns[i]))
			variant__move(&variants[next++], &job->columns[i]);
	}
	free(variants);
	return status;
}
