// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/run_facts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/collecting.h"
#include "analysis/same.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unite.h"
#include "model/words/names.h"

const char *const compare_section_keys[SECTION_COUNT] = {
	[SECTION_SYSCALLS] = "syscalls",       [SECTION_ERRORS] = "errors",
	[SECTION_SYSCALL_NS] = "syscall_ns", [SECTION_SYSCALL_TOTALS] = "syscall_totals",
	[SECTION_FAULTS] = "faults",	       [SECTION_FAULT_TOTALS] = "fault_totals",
	[SECTION_CHILDREN] = "per_child_mean", [SECTION_GROUP] = "largest_group_median",
	[SECTION_GROUP_CALLS] = "largest_group_calls",
	[SECTION_START_NS] = "start_ns",       [SECTION_START_CALLS] = "start_calls",
	[SECTION_START_ERRORS] = "start_errors", [SECTION_START_FAULTS] = "start_faults",
	[SECTION_START_CLASSES] = "start_classes", [SECTION_START_DIRTIED] = "start_dirtied",
	[SECTION_PROGRAMS] = "programs",       [SECTION_LIBRARIES] = "libraries",
	[SECTION_LINES] = "lines",
	[SECTION_GROUPS] = "groups",	       [SECTION_PROCESSES] = "processes",
	[SECTION_FILES] = "files",	       [SECTION_SYMBOLS] = "symbols",
	[SECTION_PAGES] = "pages",
};

/* Whether there is a program, and how it is linked. */
static void collect_programs(const struct collecting *collecting)
{
	const struct run *run = collecting->run;

	for (uint32_t i = 0; i < run->exe_count; i++)
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_PROGRAMS,
			.key = exe_key(run, i),
			.name = names__exe(run, i, false),
			.state = text__copy(run->exes[i].linkage),
			.value = 1,
		});
}

static void collect_groups(const struct collecting *collecting)
{
	const struct run *run = collecting->run;

	for (uint32_t i = 0; i < run->group_count; i++)
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_GROUPS,
			.key = group_key(run, i),
			.name = names__group(run, i, false),
			.value = (double)group__children(&run->groups[i]),
		});
}

/* By its text, as it may stand elsewhere, in a file with another name. Without one: by its place. */
static char *line_name(const struct script_line *line)
{
	const char *file = line->file ? text__file_name(line->file) : "(no file)";

	if (line->text)
		return text__of("%s%s", line->certainty == LINE_BELOW ? "below " : "", line->text);
	return script_line__is_exact(line) ? script_place__text(file, line->line) : script_line__place(line);
}

static void collect_lines(const struct collecting *collecting)
{
	const struct script_lines *lines = collecting->run->lines;

	for (size_t i = 0; i < lines->count; i++)
		if (lines->rows[i].source != SCRIPT_UNKNOWN)
			collecting__add(collecting, (struct run_fact){
				.section = SECTION_LINES,
				.key = line_name(&lines->rows[i]),
				.name = line_name(&lines->rows[i]),
				.value = (double)lines->rows[i].children,
			});
}

/* What each ran, image after image; many do the same. */
static void collect_processes(const struct collecting *collecting)
{
	const struct run *run = collecting->run;

	for (size_t i = 0; run->all_processes && i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		char *key = text__of("%s", ""), *name = text__of("%s", "");

		for (size_t k = 0; k < process->image_count; k++) {
			char *of = exe_key(run, process->images[k].exe);
			char *title = names__exe(run, process->images[k].exe, false);

			text__replace(&key, "%s>%s", key, of);
			text__replace(&name, "%s%s%s", name, k ? " -> " : "", title);
			free(of);
			free(title);
		}
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_PROCESSES, .key = key, .name = name, .value = 1,
		});
	}
}

bool run_facts__are_known(const struct compare_column *column, size_t index, enum compare_section section)
{
	const struct run *run = column->runs[index];

	switch (section) {
	case SECTION_SYSCALLS:
		return true;
	case SECTION_ERRORS:
		return run->outcomes;
	case SECTION_SYSCALL_NS:
		return run->timed;
	case SECTION_GROUP_CALLS:
		return same_group__in(run, column->runs[0], 0, SAME_PARENT) != NO_GROUP;
	case SECTION_LIBRARIES:
		return run->files || (run->start && run->start->object_count) ||
		       (run->anatomy && run->anatomy->object_count) ||
		       (column->facts && column->facts->libraries_known);
	case SECTION_PROGRAMS:
	case SECTION_GROUPS:
		return run->exe_count;
	case SECTION_LINES:
		return run->lines;
	case SECTION_PROCESSES:
		return run->all_processes;
	case SECTION_FILES:
		return run->files || run->start;
	case SECTION_SYMBOLS:
	case SECTION_PAGES:
		return run->anatomy && run->anatomy->sample_count;
	default:
		return false;
	}
}

bool run_facts__are_certain(const struct compare_column *column)
{
	for (size_t i = 0; i < column->run_count; i++)
		if (column->runs[i]->files || column->runs[i]->start || column->runs[i]->anatomy)
			return false;
	return column->facts && column->facts->libraries_known;
}

static void collect(const struct collecting *collecting)
{
	static const struct {
		enum compare_section section;
		collect_fn *collect;
	} kinds[] = {
		{ SECTION_PROGRAMS, collect_programs }, { SECTION_LIBRARIES, collect_libraries },
		{ SECTION_LINES, collect_lines },
		{ SECTION_GROUPS, collect_groups },	{ SECTION_PROCESSES, collect_processes },
		{ SECTION_FILES, collect_files },	{ SECTION_SYMBOLS, collect_symbols },
		{ SECTION_PAGES, collect_pages },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (run_facts__are_known(collecting->column, collecting->run_index, kinds[i].section))
			kinds[i].collect(collecting);
	collect_calls(collecting);
	collect_faults(collecting);
	collect_children(collecting);
	if (collecting->run->start)
		collect_start(collecting);
}

static int by_key(const void *left, const void *right)
{
	const struct run_fact *a = left, *b = right;
	int order = a->section < b->section ? -1 : a->section > b->section;

	if (!order)
		order = a->order < b->order ? -1 : a->order > b->order;
	if (!order)
		order = strcmp(a->key, b->key);
	if (!order)
		order = a->column < b->column ? -1 : a->column > b->column;
	return order ? order : a->run < b->run ? -1 : a->run > b->run;
}

static void release(struct run_fact *fact)
{
	free(fact->key);
	free(fact->name);
	free(fact->of);
	free(fact->region);
	free(fact->state);
}

/* What there can be one of is one, however many say so; of a page its last state counts. */
static void join(void *kept, void *another)
{
	struct run_fact *fact = kept, *more = another, less = *more;

	if (more->rank > fact->rank) {
		less = *fact;
		*fact = *more;
	} else if (fact->section == SECTION_LIBRARIES || fact->section == SECTION_PROGRAMS) {
		fact->value = 1;
	} else if (more->rank == fact->rank) {
		fact->value += more->value;
	}
	release(&less);
}

struct run_facts run_facts__of(const struct compare_column *columns, size_t count)
{
	struct shifted shifted = shifted__of(columns, count);
	struct run_facts facts = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < columns[i].run_count; k++)
			collect(&(struct collecting){ &facts, &shifted, &columns[i], columns[i].runs[k], i, k });
	shifted__free(&shifted);
	facts.count = unite(facts.list, facts.count, sizeof(*facts.list), by_key, join);
	return facts;
}

void run_facts__free(struct run_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++)
		release(&facts->list[i]);
	free(facts->list);
}
