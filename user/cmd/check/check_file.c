// SPDX-License-Identifier: GPL-2.0-or-later
/* The baseline: read, written, and given new commands. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/check/check_job.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "format/output.h"
#include "saved/saved.h"

static int refuse(const struct check_job *job, const struct saved *what, char *reason)
{
	if (reason && (what->family == SAVED_BASELINE || what->family == SAVED_RUN))
		print_error("check", 0, "cannot read the baseline %s: %s", job->file, reason);
	else
		print_error("check", 0, "%s is not a baseline (forktax-check/1): --init makes one", job->file);
	free(reason);
	return EXIT_FORKTAX;
}

int check_job__load(struct check_job *job)
{
	struct saved what = { 0 };
	char *reason = NULL;
	int status = 0;

	if (access(job->file, F_OK) && errno == ENOENT) {
		if (job->init) {
			job->baseline = baseline__new();
			return 0;
		}
		return print_error("check", EXIT_USAGE,
				   "there is no baseline %s: make it with forktax check --init 'COMMAND'", job->file);
	}
	if (saved__load(job->file, &what, &reason) || !what.baseline)
		status = refuse(job, &what, reason);
	job->baseline = what.baseline;
	what.baseline = NULL;
	saved__free(&what);
	return status;
}

int check_job__may_save(const struct check_job *job)
{
	autofree char *reason = NULL;

	if (!output__check(job->file, &reason))
		return 0;
	return print_error("check", EXIT_FORKTAX, "%s", reason);
}

int check_job__save(const struct check_job *job)
{
	autofree char *reason = NULL;
	struct output *output = output__open(job->file, NULL, &reason);

	baseline__sort(job->baseline);
	if (output) {
		saved__write_baseline(job->baseline, output__stream(output)); /* noted in the stream */
		if (!output__commit(output, &reason))
			return 0;
	}
	return print_error("check", EXIT_FORKTAX, "%s", reason);
}

/* Of "A,B"; nobody needs an empty one. */
static void add_names(struct baseline_check *check, const char *list)
{
	char *rest = checked_strdup(list), *kept = rest, *name;

	while ((name = strsep(&rest, ","))) {
		if (!*name)
			continue;
		check->environment = checked(reallocarray(check->environment,
							  check->environment_count + 2, sizeof(char *)));
		check->environment[check->environment_count++] = checked_strdup(name);
		check->environment[check->environment_count] = NULL;
	}
	free(kept);
}

static int add_word(struct check_job *job, const char *word)
{
	const char *name = job->name ? job->name : word;
	char *const for_shell[] = { "sh", "-c", (char *)word, NULL };
	struct baseline_check check = { 0 };
	int status = 0;

	if (baseline__find(job->baseline, name))
		return print_error("check", EXIT_USAGE,
				   "%s has a check named \"%s\": --update '%s' "
				   "measures it again",
				   job->file, name, name);
	if (!job->shell && *word == '-')
		return print_error("check", EXIT_USAGE, "%s: options come before the commands; a command "
						     "with arguments is one word: quote it", word);
	if (job->shell)
		check.command = text__copy_list(for_shell);
	else
		status = split_command("check", word, "--shell", &check.command);
	if (status)
		return status;
	check.name = checked_strdup(name);
	check.processes = job->processes;
	check.command_count = text__list_length(check.command);
	if (job->environment)
		add_names(&check, job->environment);
	baseline__put(job->baseline, &check);
	return 0;
}

int check_job__add(struct check_job *job, char *const *words, size_t count)
{
	int status = 0;

	if (!count)
		return print_error("check", EXIT_USAGE, "--init: give commands, each with its arguments in "
						     "one word");
	if (job->name && count > 1)
		return print_error("check", EXIT_USAGE, "--name is for one command");
	for (size_t i = 0; i < count && !status; i++)
		status = add_word(job, words[i]);
	return status;
}
