// SPDX-License-Identifier: GPL-2.0-or-later
/* How far the numbers of a run can be trusted. */

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/escape.h"
#include "format/wrap.h"
#include "report/report_sections.h"

struct loss_line {
	uint64_t count;
	const char *of, *meaning;
};

static const struct column loss_columns[] = {
	{ "count", COUNT_OF(struct loss_line, count) },
	{ "of", TEXT_OF(struct loss_line, of) },
	{ "meaning", TEXT_OF(struct loss_line, meaning) },
};

static struct table *losses_table(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new(run->integrity.exact ? "Integrity: exact"
							    : "Integrity: not exact");

	TABLE_COLUMNS(table, loss_columns, NULL);
	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		const struct loss_line line = { run->integrity.losses[loss],
						loss_counters[loss].header,
						loss_counters[loss].definition };

		if (line.count)
			table__add(table, &line);
	}
	return table;
}

static void print_notes(const struct run *run, const struct report_options *options,
			const struct table_output *output)
{
	for (size_t i = 0; i < run->integrity.note_count; i++) {
		autofree char *note = table_output__safe(output, run->integrity.notes[i]);

		if (!i)
			putc('\n', output->stream);
		if (output->width)
			wrap__print("note:", run->integrity.notes[i], 0, 6, output);
		else
			fprintf(output->stream, "note: %s\n", note);
	}
}

static const struct column note_columns[] = { { "note", COLUMN_TEXT, .offset = 0 } };

static struct table *notes_table(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Notes");

	TABLE_COLUMNS(table, note_columns, NULL);
	for (size_t i = 0; i < run->integrity.note_count; i++)
		table__add(table, &run->integrity.notes[i]);
	return table;
}

/* What no run by this source shows, so that nobody takes what is not there for zero. */
static const char *const data_words[HAS_COUNT] = {
	[HAS_FAULTS] = "page faults",
	[HAS_PROCESS_FAULTS] = "page faults of single processes",
	[HAS_FAULT_CLASSES] = "classes of page faults",
	[HAS_ACTORS] = "whose code made a call",
	[HAS_DENIED] = "calls denied by seccomp (counted as calls that failed)",
	[HAS_LIFE] = "processes",
	[HAS_CLOCK] = "when processes began and ended",
	[HAS_ERRORS] = "which calls failed",
};

/* Without page faults there are no parts of them to speak of. */
static bool goes_without_saying(const struct run *run, enum run_data data)
{
	return (data == HAS_PROCESS_FAULTS || data == HAS_FAULT_CLASSES) &&
	       !run__has(run, HAS_FAULTS);
}

static void print_blindness(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	autofree char *text = NULL;

	for (int data = 0; data < HAS_COUNT; data++)
		if (run->origins[data] == ORIGIN_NOT_SUPPORTED && !goes_without_saying(run, data))
			text__replace(&text, "%s%s%s", text ? text : "", text ? "; " : "",
				      data_words[data]);
	if (text) {
		text__replace(&text, "Not supported by %s: %s.",
			      run->source ? run->source : "this source", text);
		putc('\n', output->stream);
		wrap__print(NULL, text, 0, 0, output);
	}
}

static const struct column blindness_columns[] = {
	{ "not supported", COLUMN_TEXT, .offset = 0 }
};

static struct table *blindness_table(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Not supported by the source");

	TABLE_COLUMNS(table, blindness_columns, NULL);
	for (int data = 0; data < HAS_COUNT; data++)
		if (run->origins[data] == ORIGIN_NOT_SUPPORTED)
			table__add(table, &data_words[data]);
	return table;
}

/* Sums over some of the processes. */
struct part_of_run {
	const char *name;
	uint64_t processes, syscalls, errors, denied, faults;
};

/* What the table is about: the parts that the run sees. */
struct balance {
	bool denied, faults;
};

static const struct column run_balance_columns[] = {
	{ "processes", COUNT_OF(struct part_of_run, processes) },
	{ "syscalls", COUNT_OF(struct part_of_run, syscalls) },
	{ "errors", COUNT_OF(struct part_of_run, errors) },
	{ "denied", COUNT_OF(struct part_of_run, denied), WHEN(struct balance, denied) },
	{ "faults", COUNT_OF(struct part_of_run, faults), WHEN(struct balance, faults) },
	{ "of", TEXT_OF(struct part_of_run, name) },
};

static void add_calls(struct part_of_run *part, const struct syscall_table *calls)
{
	part->syscalls += syscall_table__calls(calls);
	part->errors += syscall_table__errors(calls);
	part->denied += syscall_table__denied(calls);
}

static struct part_of_run children_of(const struct run *run)
{
	struct part_of_run part = { .name = "children" };

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		part.processes += group__children(group);
		part.faults += group->inherited.total + group->execd.total;
		add_calls(&part, &group->table);
	}
	return part;
}

static struct part_of_run roots_of(const struct run *run)
{
	struct part_of_run part = {
		.name = run->attached_count ? "processes attached to" : "the command itself",
		.processes = run__roots(run),
		.faults = run->root_faults.total,
	};

	add_calls(&part, &run->root_table);
	return part;
}

static struct part_of_run total_of(const struct run *run)
{
	struct part_of_run part = {
		.name = "total",
		.processes = run->totals[LIFE_PROCESSES],
		.faults = run__has(run, HAS_PROCESS_FAULTS) ? run->faults.total : 0,
	};

	add_calls(&part, &run->table);
	return part;
}

static bool is_balanced(const struct part_of_run *roots, const struct part_of_run *children,
			const struct part_of_run *total)
{
	return total->processes == roots->processes + children->processes &&
	       total->syscalls == roots->syscalls + children->syscalls &&
	       total->errors == roots->errors + children->errors &&
	       total->denied == roots->denied + children->denied &&
	       total->faults == roots->faults + children->faults;
}

/* Parts that exceed the total are as wrong as parts that fall short of it: both are shown. */
static void add_difference(struct table *table, const struct balance *about,
			   const struct part_of_run *roots, const struct part_of_run *children,
			   const struct part_of_run *total)
{
	const struct {
		int64_t difference;
		bool shown;
	} columns[] = {
		{ total->processes - roots->processes - children->processes, true },
		{ total->syscalls - roots->syscalls - children->syscalls, true },
		{ total->errors - roots->errors - children->errors, true },
		{ total->denied - roots->denied - children->denied, about->denied },
		{ total->faults - roots->faults - children->faults, about->faults },
	};

	if (is_balanced(roots, children, total))
		return;
	table__row(table);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (columns[i].shown)
			table__put(table, cell__number(columns[i].difference, 0));
	table__text(table, "missing above");
}

static struct table *balance_table(const struct run *run, const struct report_options *options)
{
	struct part_of_run roots = roots_of(run), children = children_of(run);
	struct part_of_run total = total_of(run);
	const struct balance about = { .denied = run__has(run, HAS_DENIED),
				       .faults = run__has(run, HAS_PROCESS_FAULTS) };
	struct table *table;

	if (!run__has(run, HAS_LIFE))
		return NULL; /* nobody knows whose calls they were */
	table = table__new("Cross-check: the parts and the total");
	TABLE_COLUMNS(table, run_balance_columns, &about);
	table__rule(table);
	table__add(table, &roots);
	table__add(table, &children);
	add_difference(table, &about, &roots, &children, &total);
	table__rule(table);
	table__add(table, &total);
	return table;
}

/* People see on one screen only what is wrong. */
static void print_balance(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	struct part_of_run roots = roots_of(run), children = children_of(run);
	struct part_of_run total = total_of(run);

	if (!report__is_brief(options, output) || !is_balanced(&roots, &children, &total))
		table__show(balance_table(run, options), output);
}

static void print_losses(const struct run *run, const struct report_options *options,
			 const struct table_output *output)
{
	if (!report__is_brief(options, output) || !run->integrity.exact)
		table__show(losses_table(run, options), output);
}

/* What counting up to a moment leaves open; of a run that ended otherwise the first line says more. */
static void print_still_running(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	if (report__is_brief(options, output) || !run->integrity.exact ||
	    !run->integrity.losses[LOSS_UNFINISHED])
		return;
	putc('\n', output->stream);
	wrap__print(NULL, "All is counted up to the moment when counting stopped. A call that a thread was "
			  "inside then is counted; how it ended is not known, and it passes for successful.",
		    0, 0, output);
}

static const struct section integrity_sections[] = {
	TABLE(INTEGRITY, losses_table, VIEW_DATA, BY_DEFAULT, NULL)
	PRINT(INTEGRITY, print_losses, VIEW_READING, BY_DEFAULT, NULL)
	PRINT(INTEGRITY, print_still_running, VIEW_READING, IN_FULL, section__unless_quiet)
	TABLE(INTEGRITY, notes_table, VIEW_DATA, BY_DEFAULT, section__unless_quiet)
	PRINT(INTEGRITY, print_notes, VIEW_READING, BY_DEFAULT, section__unless_quiet)
	TABLE(INTEGRITY, blindness_table, VIEW_DATA, BY_DEFAULT, section__unless_quiet)
	PRINT(INTEGRITY, print_blindness, VIEW_READING, BY_DEFAULT, section__unless_quiet)
	TABLE(INTEGRITY, balance_table, VIEW_DATA, BY_DEFAULT, section__unless_quiet)
	PRINT(INTEGRITY, print_balance, VIEW_READING, BY_DEFAULT, section__unless_quiet)
};

void report__integrity(const struct run *run, const struct report_options *options,
		       const struct table_output *output)
{
	PRINT_SECTIONS(integrity_sections, run, options, output);
}
