// SPDX-License-Identifier: GPL-2.0-or-later
/* R25: programs start shells for single commands, and each shell reads its user's start files first. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/checksum.h"
#include "base/text.h"

enum { STARTS_LEAST = 3 };
static const double SHARE_LEAST = 0.1;

/* "bash --login -c COMMAND", "bash -lc COMMAND", "bash -ic COMMAND": of other shells no line is known. */
static bool reads_start_files(const struct run_subject *subject, const struct execution *row)
{
	bool reads = false;

	if (!row->argument_count || strcmp(text__file_name(row->arguments[0]), "bash") != 0)
		return false;
	for (size_t i = 1; i < row->argument_count && *row->arguments[i] == '-'; i++) {
		const bool is_long = row->arguments[i][1] == '-';

		reads |= is_long ? !strcmp(row->arguments[i], "--login") : strpbrk(row->arguments[i], "il") != NULL;
		if (!is_long && strchr(row->arguments[i], 'c'))
			return reads;
	}
	return false;
}

/* bash(1), "INVOCATION", and what these commonly read on. */
static bool is_start_file(const char *path)
{
	static const char *const names[] = { ".bash_profile", ".bash_login", ".profile", "profile", ".bashrc",
					     "bash.bashrc", NULL };

	return text__is_any(text__file_name(path), names) || !strncmp(path, "/etc/profile.d/", 15);
}

/* The start file whose line has started these; NULL: none has. */
static const char *start_file_of(const struct run *run, const struct execution *row)
{
	const char *file = row->line == NO_LINE || !run->lines ? NULL : run->lines->rows[row->line].file;

	return file && is_start_file(file) ? file : NULL;
}

static bool is_by_start_file(const struct run_subject *subject, const struct execution *row)
{
	return row->argument_count && start_file_of(subject->run, row);
}

static bool start_file_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2])
{
	const char *file = start_file_of(subject->run, row);

	key[0] = file ? checksum__add(CHECKSUM_BEGIN, file, strlen(file)) : 0;
	return file;
}

bool rule__r25_login(const struct run_subject *subject, struct advice *advice)
{
	const struct wanted_rows shells = executions__wanted(subject, reads_start_files);
	const struct wanted_rows lines = executions__wanted(subject, is_by_start_file);
	autofree char *share = NULL, *words = NULL;
	struct advice of_shells = { 0 };
	const char *file;
	double ns;

	if (shells.spared.count < STARTS_LEAST || !lines.first ||
	    lines.spared.ns * subject->scale.factor < SHARE_LEAST * run_subject__busy(subject))
		return false;
	/* A program that looks from time to time whether the shell has ended has its own pauses on the path. */
	ns = fmax(spared__predict(&lines.spared, subject, advice), lines.spared.ns * subject->scale.factor);
	spared__predict(&shells.spared, subject, &of_shells);
	file = text__file_name(start_file_of(subject->run, execution_group__largest(subject, start_file_key).first));
	share = run_subject__share(subject, ns);
	words = execution__words(shells.first);
	advice->evidence = text__of("%s starts bash %" PRIu64 " times so that it reads start files first (%s): what "
				    "these start takes %s, above all %s.",
				    run_subject__name(subject, shells.first->parent_exe), shells.spared.count,
				    words, share, file);
	advice->action = text__of("start bash without --login, -l and -i there, or let %s do its work only in shells "
				  "that people use", file);
	advice->predicted_ns.value = ns;
	estimate__widen(&advice->predicted_ns, 0, fmax(ns, advice->predicted_ns.high) + of_shells.predicted_ns.high);
	return true;
}
