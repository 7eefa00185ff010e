// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/line_saving.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

/*
 * Of the CPU time that a process took, as traced, what it takes untraced; held against pairs of scripts
 * (docs/performance.md). Of a child that executes nothing, the shell does a part itself when there is no child.
 */
static const struct estimate program_share = { .value = 0.85, .low = 0.6, .high = 1.1 };
static const struct estimate copy_share = { .value = 0.85, .low = 0.5, .high = 1.8 };
/* Where the CPU time is not known: of the time that a child lives, as traced; the rest is tracing, and others' time. */
static const double OWN_SHARE = 0.5;
/* Of their mean by which the faults of the children of one line may differ from those of all that are alike. */
static const double FAULTS_DIFFER = 0.25;

struct line_saving {
	const struct line_subject *subject;
	double faults, faults_low, faults_high;
	double ns, ns_low, ns_high;
	bool no_faults, no_time; /* they are not known */
};

static uint32_t group_of(const struct run *run, const struct script_line *row)
{
	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		if (group->parent_exe == row->parent_exe && group->exec_target == row->exec_target &&
		    group->birth == row->birth)
			return i;
	}
	return NO_GROUP;
}

static double faults_of(const struct faults *faults)
{
	return (double)(faults__classified(faults) + faults__unattributed(faults));
}

/* A child's own, in all its images, are certain but for the group's other lines; its parent's come with the fork. */
static void add_faults(struct line_saving *saving, uint32_t index, double processes)
{
	const struct run *run = saving->subject->run;
	const struct group *group = &run->groups[index];
	const struct fork_breakdown *breakdown =
		saving->subject->breakdowns ? fork_breakdowns__find(saving->subject->breakdowns, index) : NULL;
	const double children = (double)group__children(group);
	const double each = (faults_of(&group->inherited) + faults_of(&group->execd)) / children;
	const double parent = breakdown ? breakdown->lines[BREAKDOWN_PARENT].faults : 0;

	saving->faults += processes * (each + parent);
	saving->faults_low += processes * each * (1 - FAULTS_DIFFER);
	saving->faults_high += processes * (each * (1 + FAULTS_DIFFER) + 2 * parent);
}

static const struct tree_row *images_of(const struct run *run, const struct script_line *row)
{
	const bool executes = row->exec_target != NO_EXE;
	const uint32_t exe = executes ? row->exec_target : row->parent_exe;
	const struct tree_times *times = run->tree_times;

	for (size_t i = 0; times && i < times->count; i++)
		if (times->rows[i].exe == exe && times->rows[i].executed == executes)
			return &times->rows[i];
	return NULL;
}

/* What a process costs beside its own work: ns of CPU time of each. */
static double overhead_of(const struct tree_row *images)
{
	double sum = 0;

	for (int part = 0; part < TREE_COUNT; part++)
		if (part != TREE_WORK && part != TREE_WAIT)
			sum += (double)images->cpu_ns[part];
	return sum / (double)images->images;
}

/*
 * Of one start of the program. The work of its other starts, by other lines, may be more or less: then it is at least
 * none, and at most all the work of all of them, which no child does for longer than it lives.
 */
static struct estimate program_ns(const struct script_line *row, const struct tree_row *images)
{
	const double overhead = overhead_of(images), each = tree_row__cpu(images) / (double)images->images;
	const double work = (each - overhead) * (double)images->images;
	const double children = (double)row->children, life = (double)row->life_ns / children;
	struct estimate ns = { .value = each, .low = each, .high = each };

	if (row->children < images->images) {
		ns.low = overhead;
		ns.high = fmax(each, overhead + fmin(work / children, life));
	}
	return (struct estimate){ .value = program_share.value * ns.value, .low = program_share.low * ns.low,
				  .high = program_share.high * ns.high };
}

/* Of one copy of the shell: its work is done all the same, but for what a copy of memory takes, which `fork` has. */
static struct estimate copy_ns(const struct tree_row *images, double fork)
{
	const double overhead = overhead_of(images), each = tree_row__cpu(images) / (double)images->images;
	const double value = fmin(fmax(fork, overhead), each);

	return (struct estimate){ .value = copy_share.value * value, .low = copy_share.low * value,
				  .high = copy_share.high * value };
}

/* Of one child, where the CPU time of its kind is not known: from the smallest fork that there is to all its life. */
static struct estimate child_ns(const struct script_line *row, const struct estimate *least, double fork)
{
	const double life = (double)row->life_ns / (double)row->children;

	return (struct estimate){ .value = row->exec_target == NO_EXE ? fork : fmax(fork, OWN_SHARE * life),
				  .low = least->low, .high = life + fork };
}

static void add_time(struct line_saving *saving, const struct script_line *row, uint32_t group, double processes)
{
	const struct line_subject *subject = saving->subject;
	const struct anatomy *anatomy = subject->run->anatomy;
	const struct estimate *least = anatomy ? &anatomy->costs[COST_FORK] : NULL;
	const struct fork_breakdown *breakdown =
		subject->breakdowns ? fork_breakdowns__find(subject->breakdowns, group) : NULL;
	const struct tree_row *images = images_of(subject->run, row);
	const bool has_fork = breakdown && breakdown->has_overhead;
	const double fork = has_fork ? breakdown->overhead : least && least->known ? least->value : 0;
	struct estimate ns;

	if (images && row->exec_target != NO_EXE)
		ns = program_ns(row, images);
	else if (images)
		ns = copy_ns(images, fork);
	else if (least && least->known)
		ns = child_ns(row, least, fork);
	else
		saving->no_time = true;
	if (saving->no_time)
		return;
	saving->ns += processes * ns.value;
	saving->ns_low += processes * ns.low;
	saving->ns_high += processes * ns.high;
}

/* So many of the children of this row's kind, negative: so many more. */
static void add_row(struct line_saving *saving, const struct script_line *row, double processes)
{
	const struct run *run = saving->subject->run;
	const uint32_t group = group_of(run, row);

	if (group == NO_GROUP || !group__children(&run->groups[group])) {
		saving->no_faults = saving->no_time = true;
		return;
	}
	if (run__has(run, HAS_FAULT_CLASSES))
		add_faults(saving, group, processes);
	else
		saving->no_faults = true;
	add_time(saving, row, group, processes);
}

static struct estimate estimate_of(double value, double low, double high)
{
	struct estimate estimate = estimate__of(value);

	estimate__widen(&estimate, fmin(low, high), fmax(low, high));
	return estimate;
}

static void predict(const struct line_saving *saving, double processes, struct advice *advice)
{
	advice->predicted_processes = estimate__of(processes);
	if (!saving->no_faults)
		advice->predicted_faults = estimate_of(saving->faults, saving->faults_low, saving->faults_high);
	if (!saving->no_time)
		advice->predicted_ns = estimate_of(saving->ns, saving->ns_low, saving->ns_high);
}

static size_t times_of(const struct shell_processes *processes, struct shell_span name)
{
	for (size_t i = 0; i < processes->program_count; i++)
		if (processes->programs[i].name.length == name.length &&
		    !memcmp(processes->programs[i].name.at, name.at, name.length))
			return processes->programs[i].times;
	return 0;
}

/* How many children, in each execution, of those that this row is about. */
static double fewer_of(const struct line_subject *subject, const struct shell_processes *now,
		       const struct script_line *row)
{
	if (row->exec_target == NO_EXE)
		return (double)subject->each.no_exec - (double)now->no_exec;
	for (size_t i = 0; i < subject->each.program_count; i++) {
		const struct shell_program *program = &subject->each.programs[i];
		const char *name = text__file_name(exe__name(&subject->run->exes[row->exec_target]));
		autofree char *command = shell_span__copy(program->name);

		if (!strcmp(text__file_name(command), name))
			return (double)program->times - (double)times_of(now, program->name);
	}
	return 0;
}

/* Children that differ only in the path of their executable are added up in one row. */
static void add_rows(struct line_saving *saving, const struct shell_processes *now)
{
	const struct line_subject *subject = saving->subject;

	for (size_t i = 0; i < subject->row_count; i++) {
		const struct script_line *row = &subject->run->lines->rows[subject->rows[i]];

		add_row(saving, row, (double)subject->executions * fewer_of(subject, now, row));
	}
}

static bool is_program(const void *context, struct shell_span name)
{
	return line_subject__is_program(context, name);
}

/* Is there a second row of a kind? Then it is not known which of them would become fewer. */
static bool has_twins(const struct line_subject *subject)
{
	for (size_t i = 0; i < subject->row_count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct script_line *a = &subject->run->lines->rows[subject->rows[i]];
			const struct script_line *b = &subject->run->lines->rows[subject->rows[k]];

			if (a->exec_target == b->exec_target && a->parent_exe != b->parent_exe)
				return true;
		}
	return false;
}

static char *evidence_of(const struct line_subject *subject, const char *why)
{
	return text__of("%s In %s the line created %" PRIu64 " processes, %zu each time.", why,
			quantity__count(subject->executions, "execution", "executions").text,
			subject->executions * subject->each.all, subject->each.all);
}

static char *action_of(const struct line_subject *subject, const char *now)
{
	return text__of("Write: %s (now: %s)", now, subject->text->line);
}

bool line_saving__of_edits(const struct line_subject *subject, struct shell_edits *edits, const char *why,
			   struct advice *advice)
{
	autofree char *now = shell_edits__line(edits, subject->text, false);
	autofree char *counted = shell_edits__line(edits, subject->text, true);
	struct shell_text *text = edits->count ? shell_text__read(counted) : NULL;
	struct line_saving saving = { .subject = subject };
	struct shell_processes processes;
	bool saves = text && shell_processes__of(text, is_program, subject, &processes) &&
		     processes.all < subject->each.all && !has_twins(subject);

	if (saves) {
		add_rows(&saving, &processes);
		predict(&saving, (double)(subject->executions * (subject->each.all - processes.all)), advice);
		advice->place = script_line__place(subject->line);
		advice->evidence = evidence_of(subject, why);
		advice->action = action_of(subject, now);
	}
	shell_text__free(text);
	shell_edits__release(edits);
	return saves;
}

void line_saving__at_most(const struct line_subject *subject, struct shell_span program, double processes,
			  struct advice *advice)
{
	struct line_saving saving = { .subject = subject };
	const double all = (double)line_subject__children_of(subject, program);
	autofree char *name = shell_span__copy(program);

	for (size_t i = 0; i < subject->row_count; i++) {
		const struct script_line *row = &subject->run->lines->rows[subject->rows[i]];

		if (row->exec_target != NO_EXE &&
		    !strcmp(text__file_name(name), text__file_name(exe__name(&subject->run->exes[row->exec_target]))))
			add_row(&saving, row, processes * (double)row->children / all);
	}
	saving.faults_low = saving.ns_low = 0;
	predict(&saving, processes, advice);
	estimate__widen(&advice->predicted_processes, 0, processes);
}

static void begin_at_none(struct estimate *estimate)
{
	if (estimate->known)
		estimate__widen(estimate, 0, estimate->bounded ? estimate->high : estimate->value);
}

void line_saving__may_be_none(struct advice *advice)
{
	begin_at_none(&advice->predicted_processes);
	begin_at_none(&advice->predicted_faults);
	begin_at_none(&advice->predicted_ns);
}
