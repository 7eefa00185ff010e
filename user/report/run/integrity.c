// SPDX-License-Identifier: GPL-2.0-or-later
/* How far the numbers of a run can be trusted. */

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/escape.h"
#include "format/wrap.h"
#include "report/report_sections.h"
#include "report/shown.h"

struct loss_line {
	uint64_t count;
	const char *of, *meaning;
};

static const struct column loss_columns[] = {
	{ "count", COUNT_OF(struct loss_line, count) },
	{ "of", TEXT_OF(struct loss_line, of) },
	{ "meaning", TEXT_OF(struct loss_line, meaning) },
};

static const char *title_of(const struct integrity *integrity)
{
	if (!integrity->exact)
		return "Integrity: not exact";
	if (integrity->losses[LOSS_VMA_BUSY] || integrity->losses[LOSS_UNKNOWN_ACCESS])
		return "Integrity: counts are exact, classes of page faults are not";
	return "Integrity: exact";
}

static struct table *losses_table(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new(title_of(&run->integrity));

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

static void print_notes(const struct run *run, const struct report_options *options, const struct table_output *output)
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
	[HAS_CLOCK] = "when processes began and ended",
};

/* Without page faults there are no parts of them to speak of. */
static bool goes_without_saying(const struct run *run, enum run_data data)
{
	return (data == HAS_PROCESS_FAULTS || data == HAS_FAULT_CLASSES) && !run__has(run, HAS_FAULTS);
}

static void print_blindness(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	autofree char *text = NULL;

	/* The first line of a run that takes strace instead says what is lost by that. */
	if (run->fallback_reason && report__is_brief(options))
		return;
	for (int data = 0; data < HAS_COUNT; data++)
		if (run->origins[data] == ORIGIN_NOT_SUPPORTED && !goes_without_saying(run, data))
			text__replace(&text, "%s%s%s", text ? text : "", text ? "; " : "", data_words[data]);
	if (text) {
		text__replace(&text, "Not supported by %s: %s.", run->source ? run->source : "this source", text);
		putc('\n', output->stream);
		wrap__print(NULL, text, 0, 0, output);
	}
}

static const struct column blindness_columns[] = { { "not supported", COLUMN_TEXT, .offset = 0 } };

static struct table *blindness_table(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Not supported by the source");

	TABLE_COLUMNS(table, blindness_columns, NULL);
	for (int data = 0; data < HAS_COUNT; data++)
		if (run->origins[data] == ORIGIN_NOT_SUPPORTED)
			table__add(table, &data_words[data]);
	return table;
}

enum { PROCESSES, SYSCALLS, ERRORS, DENIED, FAULTS, NUMBERS };
static const char *const number_names[NUMBERS] = { "processes", "syscalls", "errors", "denied", "faults" };

/* Sums over some of the processes; or what they lack, which may be less than nothing. */
struct part_of_run {
	const char *name;
	double numbers[NUMBERS];
};

/* What the table is about: what the run sees. */
struct balance {
	bool has[NUMBERS];
};

static const struct column run_balance_columns[] = {
	{ NULL, NUMBER_OF(struct part_of_run, numbers), WHEN(struct balance, has), EACH_OF(number_names) },
	{ "of", TEXT_OF(struct part_of_run, name) },
};

static void add(struct part_of_run *part, uint64_t processes, const struct syscall_table *calls, uint64_t faults)
{
	part->numbers[PROCESSES] += processes;
	part->numbers[SYSCALLS] += syscall_table__calls(calls);
	part->numbers[ERRORS] += syscall_table__errors(calls);
	part->numbers[DENIED] += syscall_table__denied(calls);
	part->numbers[FAULTS] += faults;
}

/* The parts, what is missing in them, and the total. */
enum { ROOTS, CHILDREN, MISSING, TOTAL, PARTS };

/* Returns whether nothing is missing. Parts that exceed the total are as wrong as parts that fall short of it. */
static bool balance_of(const struct run *run, struct part_of_run parts[PARTS])
{
	bool is_balanced = true;

	parts[ROOTS] =
		(struct part_of_run){ .name = run__is_attached(run) ? "processes attached to" : "the command itself" };
	parts[CHILDREN] = (struct part_of_run){ .name = "children" };
	parts[MISSING] = (struct part_of_run){ .name = "missing above" };
	parts[TOTAL] = (struct part_of_run){ .name = "total" };
	add(&parts[ROOTS], run__roots(run), &run->root_table, run->root_faults.total);
	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		add(&parts[CHILDREN], group__children(group), &group->table,
		    group->inherited.total + group->execd.total);
	}
	add(&parts[TOTAL], run->totals[LIFE_PROCESSES], &run->table,
	    run__has(run, HAS_PROCESS_FAULTS) ? run->faults.total : 0);
	for (int i = 0; i < NUMBERS; i++) {
		parts[MISSING].numbers[i] =
			parts[TOTAL].numbers[i] - parts[ROOTS].numbers[i] - parts[CHILDREN].numbers[i];
		is_balanced &= parts[MISSING].numbers[i] == 0;
	}
	return is_balanced;
}

static struct table *balance_table(const struct run *run, const struct report_options *options)
{
	const struct balance about = { {
		[PROCESSES] = true, [SYSCALLS] = true, [ERRORS] = true,
		[DENIED] = run__has(run, HAS_DENIED),
		[FAULTS] = run__has(run, HAS_PROCESS_FAULTS),
	} };
	struct part_of_run parts[PARTS];
	const bool is_balanced = balance_of(run, parts);
	struct table *table;

	table = table__new("Cross-check: the parts and the total");
	TABLE_COLUMNS(table, run_balance_columns, &about);
	for (int part = 0; part < PARTS; part++) {
		if (part == ROOTS || part == TOTAL)
			table__rule(table);
		if (part != MISSING || !is_balanced)
			table__add(table, &parts[part]);
	}
	return table;
}

/* People see on one screen only what is wrong. */
static void print_balance(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	struct part_of_run parts[PARTS];

	if (!balance_of(run, parts) || !report__is_brief(options))
		table__show(balance_table(run, options), output);
}

static void print_losses(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	if (!report__is_brief(options) || !run->integrity.exact)
		table__show(losses_table(run, options), output);
}

/* What counting up to a moment leaves open; of a run that ended otherwise the first line says more. */
static void print_still_running(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	if (report__is_brief(options) || !run->integrity.exact || !run->integrity.losses[LOSS_UNFINISHED])
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

void report__integrity(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	PRINT_SECTIONS(integrity_sections, run, options, output);
}
