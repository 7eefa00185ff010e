// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_executions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

static const struct {
	const char *name;
	enum starter starter;
} starters[] = {
	{ "make", STARTER_MAKE }, { "gmake", STARTER_MAKE }, { "bash", STARTER_BASH }, { "zsh", STARTER_SHELL },
	{ "sh", STARTER_SHELL }, { "dash", STARTER_SHELL }, { "ash", STARTER_SHELL }, { "ksh", STARTER_SHELL },
	{ "mksh", STARTER_SHELL }, { "busybox", STARTER_SHELL }, { "find", STARTER_FIND }, { "xargs", STARTER_XARGS },
};

enum starter starter__of(const struct run_subject *subject, const struct execution *row)
{
	const char *name = run_subject__name(subject, row->parent_exe);

	for (size_t i = 0; i < sizeof(starters) / sizeof(starters[0]); i++)
		if (!strcmp(starters[i].name, name))
			return starters[i].starter;
	return STARTER_OTHER;
}

bool starter__is_shell(enum starter starter)
{
	return starter == STARTER_BASH || starter == STARTER_SHELL;
}

/* What the critical path has of a program, or of copies of it; NULL: nothing. */
static const struct path_program *on_path(const struct run_subject *subject, uint32_t exe, bool executed)
{
	for (size_t i = 0; subject->path && i < subject->path->program_count; i++)
		if (subject->path->programs[i].exe == exe && subject->path->programs[i].executed == executed)
			return &subject->path->programs[i];
	return NULL;
}

/*
 * What the path has of these executions: of the program in proportion to the clock; of copies of the program that
 * forks, and of waking that up, in proportion to all its forks. At most, all that both do is for its executions. So
 * what a program that forks others waits for belongs to these.
 */
static void add_path(struct spared *spared, const struct run_subject *subject, const struct execution *like,
		     double part)
{
	const struct executions *executions = subject->run->executions;
	const struct path_program *program = on_path(subject, like->exe, true);
	const struct path_program *parent = on_path(subject, like->parent_exe, true);
	const struct path_program *copies = on_path(subject, like->parent_exe, false);
	double all_ns = 0, executed = 0, forks = 0, sum = 0, around = 0;
	bool forks_others = false;

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		all_ns += row->exe == like->exe ? (double)row->wall_ns : 0;
		forks_others |= row->parent_exe == like->exe;
		executed += row->parent_exe == like->parent_exe ? (double)row->count : 0;
	}
	for (size_t i = 0; i < subject->run->group_count; i++)
		if (subject->run->groups[i].parent_exe == like->parent_exe)
			forks += (double)group__children(&subject->run->groups[i]);
	if (program && all_ns > 0)
		sum = (double)(path__sum(program->ns) - (forks_others ? program->ns[PATH_PART_READY] : 0)) *
		      (double)like->wall_ns / all_ns;
	around = (parent ? (double)parent->ns[PATH_PART_READY] : 0) + (copies ? (double)path__sum(copies->ns) : 0);
	spared->path_ns += part * (sum + around * (double)like->count / fmax(forks, executed));
	around += parent ? (double)parent->ns[PATH_PART_CPU] : 0;
	spared->most_ns += part * (sum + around * (double)like->count / executed);
}

void spared__add(struct spared *spared, const struct run_subject *subject, const struct execution *row, double part)
{
	spared->count += row->count;
	spared->ns += part * (double)row->wall_ns;
	spared->cpu_ns += part * (double)row->cpu_ns;
	add_path(spared, subject, row, part);
}

bool spared__reaches(const struct spared *spared, const struct run_subject *subject, double share)
{
	const double busy = run_subject__busy(subject) / subject->wall_ns;

	return spared->ns >= share * busy * (double)subject->run->bill->wall_ns;
}

double spared__predict(const struct spared *spared, const struct run_subject *subject, struct advice *advice)
{
	const struct bill *bill = subject->run->bill;
	const double ns = fmin(spared->ns * subject->scale.factor, subject->wall_ns);
	const double path_ns = subject->path ? run_subject__path(subject, spared->path_ns) : ns;
	const double untraced = bill->cpu_ns ? (double)bill->untraced_cpu_ns / (double)bill->cpu_ns : 0;

	advice->predicted_ns = estimate__of(fmin(path_ns, subject->wall_ns));
	estimate__widen(&advice->predicted_ns, fmin(ns, fmin(1, untraced) * spared->cpu_ns),
			subject->path ? run_subject__path(subject, spared->most_ns) : ns);
	return advice->predicted_ns.value;
}

void spared__widen(const struct spared *most, const struct run_subject *subject, double low, struct advice *advice)
{
	struct advice at_most = { 0 };

	spared__predict(most, subject, &at_most);
	estimate__widen(&advice->predicted_ns, low, at_most.predicted_ns.high);
}

struct wanted_rows executions__wanted(const struct run_subject *subject, execution_filter *is_wanted)
{
	const struct executions *executions = subject->run->executions;
	struct wanted_rows wanted = { 0 };

	for (size_t i = 0; executions && i < executions->count; i++) {
		if (!is_wanted(subject, &executions->rows[i]))
			continue;
		spared__add(&wanted.spared, subject, &executions->rows[i], 1);
		if (!wanted.rows++)
			wanted.first = &executions->rows[i];
	}
	return wanted;
}

struct execution_group execution_group__largest(const struct run_subject *subject, execution_key *key_of)
{
	const struct executions *executions = subject->run->executions;
	struct execution_group *groups = NULL, largest = { 0 };
	struct hash numbers = { 0 };
	size_t count = 0;

	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];
		uint64_t key[2] = { 0 }, number;

		if (!row->argument_count || !key_of(subject, row, key))
			continue;
		number = hash__number(&numbers, key, sizeof(key));
		if (number == count) {
			groups = checked_grow(groups, count, sizeof(*groups));
			groups[count++] = (struct execution_group){
				.first = row, .all = { .exe = row->exe, .parent_exe = row->parent_exe },
				.least_cpu_ns = INFINITY,
			};
		}
		groups[number].least_cpu_ns = fmin(groups[number].least_cpu_ns, (double)row->cpu_ns / row->count);
		groups[number].rows++;
		groups[number].all.count += row->count;
		groups[number].all.wall_ns += row->wall_ns;
		groups[number].all.cpu_ns += row->cpu_ns;
		if (groups[number].all.wall_ns > largest.all.wall_ns)
			largest = groups[number];
	}
	if (largest.first)
		spared__add(&largest.spared, subject, &largest.all, 1);
	hash__release(&numbers);
	free(groups);
	return largest;
}

/* The line of the makefile with most of these; NULL: not known. */
static const struct script_line *makefile_line(const struct run_subject *subject, const struct execution *row)
{
	const struct script_lines *lines = subject->run->lines;

	for (size_t i = 0; lines && i < lines->count; i++) {
		const struct script_line *line = &lines->rows[i];

		if (line->language == LANGUAGE_MAKE && line->line && line->parent_exe == row->parent_exe &&
		    line->exec_target == row->exe)
			return 2 * line->children >= row->count ? line : NULL;
	}
	return NULL;
}

char *execution__place(const struct run_subject *subject, const struct execution *row)
{
	const struct script_line *line = row->line == NO_LINE ? makefile_line(subject, row)
							      : &subject->run->lines->rows[row->line];

	return line ? script_line__place(line) : NULL;
}
