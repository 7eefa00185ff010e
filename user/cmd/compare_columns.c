// SPDX-License-Identifier: GPL-2.0-or-later
/* From the words of the command line to columns: commands are split, saved runs are loaded. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "launch/gate.h"
#include "saved/run_json.h"

FILE *open_saved(const char *word)
{
	struct stat status;
	FILE *stream;
	int c;

	if (stat(word, &status) || !S_ISREG(status.st_mode) || !access(word, X_OK))
		return NULL;
	stream = fopen(word, "re");
	if (!stream)
		return NULL;
	do
		c = getc(stream);
	while (isspace(c));
	if (c == '{') {
		rewind(stream);
		return stream;
	}
	fclose(stream);
	return NULL;
}

static int load(struct compare_column *column, const char *word, FILE *stream)
{
	char *reason;
	struct run *run = run_json__read(stream, &reason);

	if (!run) {
		complain("compare", 0, "cannot read the saved run %s: %s", word, reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	column->runs = checked_calloc(1, sizeof(struct run *));
	column->runs[column->run_count++] = run;
	column->command = checked_calloc(run->command_count + 1, sizeof(char *));
	for (size_t i = 0; i < run->command_count; i++)
		column->command[i] = checked_strdup(run->command[i]);
	return 0;
}

static int split_for_shell(struct compare_column *column, const char *word)
{
	column->command = checked_calloc(4, sizeof(char *));
	column->command[0] = checked_strdup("sh");
	column->command[1] = checked_strdup("-c");
	column->command[2] = checked_strdup(word);
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
	if (errno == ENOENT)
		return complain("compare", EXIT_MISSING, "%s: command not found%s", name,
				access(name, F_OK) ? "" : ", and the file of that name is no saved run");
	return complain("compare", EXIT_REFUSED, "%s: cannot be executed: %s", name,
			strerror(errno));
}

int compare_job__add(struct compare_job *job, const char *word)
{
	struct compare_column *column = &job->columns[job->column_count++];
	FILE *saved = open_saved(word);
	int status;

	if (saved) {
		status = load(column, word, saved);
		fclose(saved);
		return status;
	}
	if (job->shell)
		status = split_for_shell(column, word);
	else
		status = split_command("compare", word, "--shell", &column->command);
	if (!status)
		status = find(column);
	if (!status)
		column->facts = elf_facts__read(column->path, &column->facts_reason);
	return status;
}
