// SPDX-License-Identifier: GPL-2.0-or-later
/* R25: programs start shells for single commands, and each shell reads its user's start files first. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

enum { STARTS_LEAST = 3 };
static const double SHARE_LEAST = 0.1;

/* "bash --login -c COMMAND", "bash -lc COMMAND", "bash -ic COMMAND": of other shells no line is known. */
static bool reads_start_files(const struct execution *row)
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

/* What lines of start files start. */
static struct spared spared_by_lines(const struct run_subject *subject)
{
	const struct run *run = subject->run;
	struct spared spared = { 0 };

	for (size_t i = 0; i < run->executions->count; i++)
		if (start_file_of(run, &run->executions->rows[i]))
			spared__add(&spared, subject, &run->executions->rows[i], 1);
	return spared;
}

/* Of the clock, what the lines of that start file start. */
static uint64_t wall_ns_of(const struct run *run, const char *file)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < run->executions->count; i++)
		if (!text__compare(start_file_of(run, &run->executions->rows[i]), file))
			ns += run->executions->rows[i].wall_ns;
	return ns;
}

/* The start file whose lines start what takes most; NULL: no line of one starts anything. */
static const char *dearest_file(const struct run *run)
{
	const char *dearest = NULL;

	for (size_t i = 0; i < run->executions->count; i++) {
		const char *file = start_file_of(run, &run->executions->rows[i]);

		if (file && (!dearest || wall_ns_of(run, file) > wall_ns_of(run, dearest)))
			dearest = file;
	}
	return dearest;
}

bool rule__r25_login(const struct run_subject *subject, struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	const struct execution *first = NULL;
	autofree char *share = NULL, *words = NULL;
	struct spared shells = { 0 }, lines;
	struct advice of_shells = { 0 };
	const char *file;
	double ns;

	for (size_t i = 0; executions && i < executions->count; i++) {
		if (!reads_start_files(&executions->rows[i]))
			continue;
		first = first ? first : &executions->rows[i];
		spared__add(&shells, subject, &executions->rows[i], 1);
	}
	if (shells.count < STARTS_LEAST)
		return false;
	lines = spared_by_lines(subject);
	if (lines.ns * subject->scale.factor < SHARE_LEAST * run_subject__busy(subject))
		return false;
	/* A program that looks from time to time whether the shell has ended has its own pauses on the path. */
	ns = fmax(spared__predict(&lines, subject, advice), lines.ns * subject->scale.factor);
	spared__predict(&shells, subject, &of_shells);
	file = text__file_name(dearest_file(subject->run));
	share = run_subject__share(subject, ns);
	words = execution__words(first);
	advice->evidence = text__of("%s starts bash %" PRIu64 " times so that it reads start files first (%s): what "
				    "these start takes %s, above all %s.",
				    run_subject__name(subject, first->parent_exe), shells.count, words, share, file);
	advice->action = text__of("start bash without --login, -l and -i there, or let %s do its work only in shells "
				  "that people use", file);
	advice->predicted_ns.value = ns;
	estimate__widen(&advice->predicted_ns, 0, fmax(ns, advice->predicted_ns.high) + of_shells.predicted_ns.high);
	return true;
}
