// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/run_metrics.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/by_chance.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unite.h"
#include "model/words/names.h"

/* Takes the name over. */
static void add(struct baseline_context *into, const char *of, enum baseline_kind kind, char *name,
		uint64_t value, uint64_t by_ldso)
{
	if (!value) { /* what never happens has no line */
		free(name);
		return;
	}
	into->metrics = checked_grow(into->metrics, into->metric_count, sizeof(*into->metrics));
	into->metrics[into->metric_count++] = (struct baseline_metric){
		.of = checked_strdup(of), .kind = kind, .name = name, .least = value, .most = value,
		.by_ldso = by_ldso, .runs = 1,
	};
}

static void add_named(struct baseline_context *into, const char *of, enum baseline_kind kind,
		      const char *name, uint64_t value)
{
	add(into, of, kind, checked_strdup(name), value, 0);
}

/* Calls. */

static void add_call(struct baseline_context *into, const char *of, const struct syscall_row *row,
		     bool outcomes, bool actors)
{
	const bool scheduled = by_chance__call(row->name);
	char *name = names__call(row);

	for (size_t i = 0; i < row->errno_count && outcomes; i++) {
		const struct call_errno *error = &row->errnos[i];
		const bool waits = scheduled || by_chance__error(error->name);

		add(into, of, waits ? BASELINE_SCHEDULED : BASELINE_FAILED,
		    text__of("%s %s", name, error->name), syscall_row__sum(error->calls), 0);
	}
	add(into, of, scheduled ? BASELINE_SCHEDULED : BASELINE_CALLS, name,
	    syscall_row__sum(row->calls), actors ? row->calls[ACTOR_LDSO] : 0);
}

static void add_calls(struct baseline_context *into, const char *of,
		      const struct syscall_table *table, const struct run *run)
{
	for (size_t i = 0; i < table->count; i++)
		add_call(into, of, &table->rows[i], run->outcomes, run__has(run, HAS_ACTORS));
}

/* Faults. */

static uint64_t dirtied_by_ldso(const struct faults *faults)
{
	uint64_t sum = 0;

	for (int class = 0; class < FAULT_COUNT; class++)
		if (fault_class__dirties(class) || class == FAULT_COW_REUSE)
			sum += faults->by[ACTOR_LDSO][class];
	return sum;
}

static void add_class(struct baseline_context *into, const char *of, enum baseline_kind kind,
		      const struct faults *faults, enum fault_class class)
{
	add_named(into, of, kind, fault_counters[class].header, faults__class(faults, class));
}

/*
 * Of a page that parent and child both write to, the first one makes a copy and the other one takes the
 * page over: which is which depends on who comes first, their sum does not.
 */
static void add_faults(struct baseline_context *into, const char *of, const struct faults *faults)
{
	add_named(into, of, BASELINE_PAGES, "pages written after a fork",
		  faults__class(faults, FAULT_COW_COPY) + faults__class(faults, FAULT_COW_REUSE));
	add_named(into, of, BASELINE_PAGES, "pages of files copied", faults__class(faults, FAULT_FILE_COW));
	add_named(into, of, BASELINE_PAGES, "new pages filled", faults__class(faults, FAULT_ZERO_FILL));
	add_named(into, of, BASELINE_PAGES, "pages dirtied by ld.so", dirtied_by_ldso(faults));
	for (int class = 0; class < FAULT_COUNT; class++)
		if (by_chance__class(class))
			add_class(into, of, BASELINE_CACHED, faults, class);
	add_named(into, of, BASELINE_CACHED, "unattributed", faults__unattributed(faults));
	add_named(into, of, BASELINE_CACHED, "major", faults__mark(faults, MARK_MAJOR));
}

/* What is loaded. */

static void add_images(struct baseline_context *into, const struct check_names *names)
{
	for (uint32_t i = 0; i < names->run->exe_count; i++)
		add(into, OF_RUN, BASELINE_IMAGE, check_names__image(names, i), 1, 0);
}

/* ld.so maps the libraries that it loads, and its cache. */
static bool is_library(const struct file_row *row)
{
	return row->kind == FILE_NAMED && row->by_ldso[FILE_MAPPED].calls &&
	       strcmp(text__file_name(row->path), "ld.so.cache") != 0;
}

static void add_libraries(struct baseline_context *into, const struct check_names *names)
{
	const struct files *files = names->run->files;

	/* Where calls were missed, some are: a run that has none widens the range to what none can leave. */
	if (!files || !files->by_actor || files->missed)
		return;
	for (size_t i = 0; i < files->row_count; i++) {
		const struct file_row *row = &files->rows[i];
		const struct file_counts *opened = &row->by_ldso[FILE_OPENED];

		if (is_library(row))
			add(into, check_names__group(names, row->group), BASELINE_LIBRARY,
			    check_names__path(names, row->path), opened->calls - opened->errors, 0);
	}
}

/* Only where all children were recorded: an estimate is nothing to be held to. */
static bool is_whole(const struct run *run, uint32_t group)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);

	return sample && group < run->group_count &&
	       sample->children == group__children(&run->groups[group]) && !sample->missed;
}

static void add_symbols(struct baseline_context *into, const struct check_names *names)
{
	const struct anatomy *anatomy = names->run->anatomy;

	for (size_t i = 0; anatomy && i < anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &anatomy->symbols[i];
		char *object;

		if (!is_whole(names->run, symbol->group))
			continue;
		object = check_names__object(names, symbol->object);
		add(into, check_names__group(names, symbol->group), BASELINE_BOUND,
		    text__of("%s of %s", symbol->symbol ? symbol->symbol : "a symbol without a name",
			     object ? object : "an object now gone"), symbol->children, 0);
		free(object);
	}
}

static void add_group(struct baseline_context *into, const struct check_names *names, uint32_t index)
{
	const struct run *run = names->run;
	const struct group *group = &run->groups[index];
	const char *of = check_names__group(names, index);

	add_named(into, of, BASELINE_LIFE, CHILDREN_OF_GROUP, group__children(group));
	add_calls(into, of, &group->table, run);
	if (run__has(run, HAS_FAULT_CLASSES)) {
		struct faults faults = group->inherited;

		faults__add(&faults, &group->execd);
		add_faults(into, of, &faults);
	}
}

/* Children by the program that they executed first, and those that executed none. */
static void add_programs(struct baseline_context *into, const struct check_names *names)
{
	uint64_t without_exec = 0;

	for (uint32_t i = 0; i < names->run->group_count; i++) {
		const struct group *group = &names->run->groups[i];
		const char *program = check_names__program(names, group);

		if (program)
			add_named(into, OF_RUN, BASELINE_PROGRAM, program, group__children(group));
		else
			without_exec += group__children(group);
	}
	add_named(into, OF_RUN, BASELINE_LIFE, FORKS_WITHOUT_EXEC, without_exec);
}

static void add_lines(struct baseline_context *into, const struct check_names *names)
{
	const struct script_lines *lines = names->run->lines;

	for (size_t i = 0; lines && i < lines->count; i++) {
		char *name = check_names__line(names, &lines->rows[i]);

		if (name)
			add(into, OF_RUN, BASELINE_LINE, name, lines->rows[i].children, 0);
	}
}

static void add_life(struct baseline_context *into, const struct run *run)
{
	static const enum lifecycle counted[] = { LIFE_PROCESSES, LIFE_EXECS, LIFE_THREADS };

	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		add_named(into, OF_RUN, BASELINE_LIFE, lifecycle_counters[counted[i]].key, run->totals[counted[i]]);
}

/* Several groups may be alike by name. */
static void join(void *kept, void *more)
{
	struct baseline_metric *metric = kept, *other = more;

	metric->least = metric->most += other->most;
	metric->by_ldso += other->by_ldso;
	baseline_metric__release(other);
}

void run_metrics__take(const struct check_names *names, struct baseline_context *into)
{
	const struct run *run = names->run;

	add_life(into, run);
	add_programs(into, names);
	add_lines(into, names);
	add_images(into, names);
	add_libraries(into, names);
	add_symbols(into, names);
	add_calls(into, OF_COMMAND, &run->root_table, run);
	if (run__has(run, HAS_FAULT_CLASSES))
		add_faults(into, OF_COMMAND, &run->root_faults);
	else if (run__has(run, HAS_FAULTS))
		add_named(into, OF_RUN, BASELINE_CACHED, "faults", run->faults.total);
	for (uint32_t i = 0; i < run->group_count; i++)
		add_group(into, names, i);
	into->metric_count = unite(into->metrics, into->metric_count, sizeof(*into->metrics),
				   baseline_metric__compare, join);
}
