// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bindnow/bindnow_measures.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bindnow/bindnow_report.h"
#include "report/bindnow/bindnow_words.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/shown.h"
#include "report/words.h"

enum { SYMBOLS_USUAL = 5, SYMBOLS_SHOWN = 12, GROUPS_SHOWN = 4, WIDE = 100 /* columns from which extremes fit, too */ };

/* The table of figures in the making. */
struct figures {
	struct table *table;
	const struct bindnow *bindnow;
	bool is_narrow; /* medians alone */
	size_t groups; /* that are shown */
	bool is_brief; /* only the rows that answer the question */
};

/* `other`: the median of the other side. Times beside each other have as many decimals: those of the shorter. */
static char *median_text(const struct figures *figures, const struct spread *spread, double other, struct unit unit)
{
	const double shorter = fmin(spread->median, other) / unit.size;

	if (!spread->known || !figures->is_narrow)
		return words__spread(spread, unit);
	return text__of("%s", *unit.name ? number__fixed(spread->median / unit.size, number__decimals(shorter)).text
					 : quantity__in(spread->median, unit).text);
}

/* Pages not compared are worth a line only if there are some. */
static bool says_nothing(const struct bindnow_row *row)
{
	return row->section == BINDNOW_GROUP && !strcmp(row->key, BINDNOW_UNSEEN) &&
	       !(row->cells[SIDE_LAZY].max > 0) && !(row->cells[SIDE_NOW].max > 0);
}

/* What the start costs more, without what forks cost it later, and what a child saves. */
static bool answers(const struct bindnow *bindnow, const struct bindnow_row *row)
{
	static const char *const keys[] = { "start_faults", "faults", "first_fork_ns", "whole_ns", BINDNOW_SYMBOLS,
					    NULL };

	if (row->section == BINDNOW_START && !strcmp(row->key, "faults"))
		return !bindnow__row(bindnow, BINDNOW_START, 0, "start_faults");
	return text__is_any(row->key, keys);
}

static struct cell side_cell(const struct figures *figures, const struct bindnow_row *row, int side, struct unit unit)
{
	const struct spread *spread = &row->cells[side];
	char *text = median_text(figures, spread, row->cells[!side].median, unit);

	if (bindnow_row__counts_symbols(row) && spread->known && bindnow__is_least(figures->bindnow, row->group, side))
		text__replace(&text, ">=%s", text);
	return cell__spread(spread, text);
}

/* Both times of a row are in the unit of the longer. */
static struct unit unit_of(bool is_time, double lazy, double now)
{
	return is_time ? unit__of_time(fmax(lazy, now)) : unit__none;
}

static void begin_figures(const struct figures *figures, const char *header, struct unit unit)
{
	char *text = *unit.name ? text__of("  %s (%s)", header, unit.name) : text__of("  %s", header);

	table__row(figures->table);
	table__put(figures->table, cell__own(text));
}

static void add_figures_of(const struct figures *figures, const struct bindnow_row *row)
{
	const struct unit unit = unit_of(row->is_time, row->cells[SIDE_LAZY].median, row->cells[SIDE_NOW].median);
	char *difference = row->is_time ? bindnow_words__difference_in(&row->difference, unit)
					: bindnow_words__difference(&row->difference, false);

	begin_figures(figures, row->header, unit);
	for (int side = 0; side < SIDE_COUNT; side++)
		table__put(figures->table, side_cell(figures, row, side, unit));
	table__put(figures->table, cell__of_estimate(&row->difference, difference));
}

static void add_section_rows(const struct figures *figures, enum bindnow_section section, size_t group)
{
	for (size_t i = 0; i < figures->bindnow->row_count; i++) {
		const struct bindnow_row *row = &figures->bindnow->rows[i];

		if (row->section == section && row->group == group && !says_nothing(row) &&
		    (!figures->is_brief || answers(figures->bindnow, row)))
			add_figures_of(figures, row);
	}
}

static void add_groups(const struct figures *figures)
{
	const struct bindnow *bindnow = figures->bindnow;

	for (size_t i = 0; i < figures->groups; i++) {
		const struct bindnow_group *group = &bindnow->groups[i];
		autofree char *title = text__of("%" PRIu64 "x %s", group->children, group->name);

		table__heading(figures->table, title);
		add_section_rows(figures, BINDNOW_GROUP, i);
	}
	if (bindnow->group_count > 1) {
		table__heading(figures->table, "mean child of all groups");
		add_section_rows(figures, BINDNOW_CHILD, 0);
	}
}

static struct cell time_ratio_cell(const struct estimate *ratio)
{
	char *text = words__ratio(ratio);

	text__replace(&text, "x %s", text);
	return cell__of_estimate(ratio, text);
}

static void add_time(const struct figures *figures, const char *header, const struct estimate *lazy,
		     const struct estimate *now, const struct estimate *ratio)
{
	const struct unit unit = unit_of(true, lazy->value, now->value);
	const struct estimate *const times[SIDE_COUNT] = { lazy, now };

	if (!lazy->known || !now->known)
		return;
	begin_figures(figures, header, unit);
	for (int side = 0; side < SIDE_COUNT; side++) {
		const struct estimate *time = times[side];
		const struct spread spread = { true, time->value,
					       time->bounded ? time->low : NAN,
					       time->bounded ? time->high : NAN };

		table__put(figures->table,
			   cell__of_estimate(time, median_text(figures, &spread, times[!side]->value, unit)));
	}
	if (ratio->known)
		table__put(figures->table, time_ratio_cell(ratio));
}

static void add_all(const struct figures *figures)
{
	const struct compare_timing *timings = figures->bindnow->comparison->timings;
	const struct compare_timing *lazy = &timings[SIDE_LAZY], *now = &timings[SIDE_NOW];

	table__heading(figures->table, "all of it");
	add_section_rows(figures, BINDNOW_ALL, 0);
	if (!lazy->wall.known || !now->wall.known)
		return;
	add_time(figures, "wall time, untraced", &lazy->wall, &now->wall, &now->ratio);
	add_time(figures, "CPU time, untraced", &lazy->cpu, &now->cpu, &now->cpu_ratio);
}

/* A page has room for all; the brief table for none but the only one. */
static size_t groups_shown(const struct bindnow *bindnow, bool is_brief, const struct table_output *output)
{
	const size_t most = output->page ? bindnow->group_count : is_brief ? bindnow->group_count == 1 : GROUPS_SHOWN;

	return bindnow->group_count < most ? bindnow->group_count : most;
}

/* Paired differences need not be those of the medians beside them. */
static void say_paired(const struct bindnow *bindnow, const struct table_output *output)
{
	if (bindnow->row_count)
		wrap__print(NULL, "Differences are medians of the differences of paired runs, with 95 % intervals; "
				  "they need not be those of the medians beside them.", 0, 0, output);
}

static void print_figures(const struct bindnow *bindnow, bool is_brief, const struct table_output *output)
{
	struct table *table = table__new(NULL);
	const struct figures figures = {
		.table = table,
		.bindnow = bindnow,
		.is_narrow = is_brief || (output->width && output->width < WIDE),
		.is_brief = is_brief,
		.groups = groups_shown(bindnow, is_brief, output),
	};

	table__may_continue_below(table);
	table__column(table, "", COLUMN_TEXT);
	table__column(table, bindnow->comparison->columns[SIDE_LAZY].settings ? "without" : "as it is",
		      COLUMN_ESTIMATE);
	table__column(table, "LD_BIND_NOW=1", COLUMN_ESTIMATE);
	table__column(table, "difference", COLUMN_ESTIMATE);
	if (bindnow->row_count) {
		table__heading(table, "the command itself");
		add_section_rows(&figures, BINDNOW_START, 0);
		add_groups(&figures);
	}
	add_all(&figures);
	table__finish(table, output);
	say_paired(bindnow, output);
	if (!is_brief && bindnow->group_count > figures.groups)
		fprintf(output->stream, "%zu smaller groups are in --csv and --json\n",
			bindnow->group_count - figures.groups);
	putc('\n', output->stream);
}

/* Is the count of functions of a shown group a lower bound, or unknown, on either side? */
static bool is_open(const struct bindnow *bindnow, const struct bindnow_row *row, size_t groups)
{
	if (!bindnow_row__counts_symbols(row) || row->group >= groups)
		return false;
	for (int side = 0; side < SIDE_COUNT; side++)
		if (!row->cells[side].known || bindnow__is_least(bindnow, row->group, side))
			return true;
	return false;
}

static void print_open(const struct bindnow *bindnow, bool is_brief, const struct table_output *output)
{
	bool open = false;

	for (size_t i = 0; i < bindnow->row_count; i++)
		open |= is_open(bindnow, &bindnow->rows[i], groups_shown(bindnow, is_brief, output));
	if (!open)
		return;
	wrap__print(NULL,
		    "Functions bound again: >= means at least so many, and - that it could not be "
		    "known: children wrote to pages with slots that were not compared, or records of "
		    "them were lost.",
		    0, 0, output);
	putc('\n', output->stream);
}

enum { HANG = 11 }; /* column of the text behind a label */

static void print_finding(const char *label, char *text, const struct table_output *output)
{
	wrap__print(label, text, 0, HANG, output);
	wrap__separate(output);
	free(text);
}

static void print_command(const struct bindnow *bindnow, const struct table_output *output)
{
	compare__print_line(words__command(bindnow->comparison->columns[SIDE_LAZY].command), output);
	putc('\n', output->stream);
}

static bool has_break_even(const struct bindnow *bindnow)
{
	return bindnow->children > 0 && bindnow__may_matter(bindnow); /* NAN is not */
}

static void print_break_even(const struct bindnow *bindnow, const struct table_output *output)
{
	if (!has_break_even(bindnow))
		return;
	print_finding("In faults:", bindnow_words__break_even(&bindnow->in_faults, false), output);
	if (bindnow->verdict.outcome != OUTCOME_UNEXPLAINED)
		print_finding("In time:", bindnow_words__break_even(&bindnow->in_time, true), output);
}

static void print_verdict(const struct bindnow *bindnow, const struct table_output *output)
{
	char *outcome = compare_words__outcome(bindnow->comparison);

	wrap__paragraph(NULL, bindnow_words__verdict(bindnow), output);
	if (outcome)
		wrap__paragraph(NULL, outcome, output);
	print_break_even(bindnow, output);
}

static void print_notes(const struct bindnow *bindnow, const struct table_output *output)
{
	if (bindnow->comparison->columns[SIDE_LAZY].settings)
		wrap__print(NULL, "LD_BIND_NOW was set already, so the first column is not the command as it is.", 0, 0,
			    output);
	if (bindnow->files->is_secure)
		wrap__print(NULL,
			    "The command gains rights when it is executed (set-user-ID or the like): "
			    "newer versions of glibc may ignore LD_BIND_NOW then, and the kernel ignores --no-aslr.",
			    0, 0, output);
}

/* ", on x86_64" */
static char *machine_text(const struct bindnow *bindnow)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];
	autofree char *machine = lazy->run_count ? machine__words(&lazy->runs[0]->machine) : text__of("%s", "");

	return *machine ? text__of(", on %s", machine) : text__of("%s", "");
}

static void print_method(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];
	size_t traced = lazy->run_count, timed = lazy->sample_count;
	autofree char *machine = machine_text(bindnow);
	autofree char *traced_text = text__of("%s of each, alternating%s; median (min..max). ",
					      quantity__count(traced, "traced run", "traced runs").text, machine);
	autofree char *clock = compare_words__clock(bindnow->comparison);
	autofree char *timed_text = text__of("All of it: %s of each, alternating, not pinned by "
				    "forktax, after one warm-up; medians with 95 %% interval. %s",
					     quantity__count(timed, "untraced run", "untraced runs").text, clock);

	wrap__labelled(NULL, text__of("%s%s", traced ? traced_text : "", timed ? timed_text : ""), output);
}

static void print_runs(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];
	autofree char *machine = machine_text(bindnow);

	wrap__labelled("Runs:", text__of("%zu traced, %zu timed of each, alternating%s.", lazy->run_count,
					 lazy->sample_count, machine), output);
}

static void print_brief(const struct bindnow *bindnow, const struct report_options *options,
			const struct table_output *output)
{
	if (bindnow__may_matter(bindnow)) {
		print_figures(bindnow, true, output);
		bindnow__print_symbols(bindnow, room__of(options, SYMBOLS_USUAL, SIZE_MAX).rows, output);
	}
	print_notes(bindnow, output);
	if (!options->quiet)
		print_runs(bindnow, output);
}

static void print_sections(const struct bindnow *bindnow, const struct report_options *options,
			   const struct table_output *output)
{
	if (!options->quiet)
		print_command(bindnow, output);
	if (section__is_shown(SHOW_OBJECTS, IN_FULL, options))
		bindnow__print_files(bindnow, output);
	if (section__is_shown(SHOW_COUNTS, IN_FULL, options)) {
		print_figures(bindnow, false, output);
		print_open(bindnow, false, output);
	}
	if (section__is_shown(SHOW_BINDINGS, IN_FULL, options))
		bindnow__print_symbols(bindnow, room__of(options, 0, SIZE_MAX).rows, output);
	print_notes(bindnow, output);
	if (!options->quiet)
		print_method(bindnow, output);
}

static void print_for_people(const struct bindnow *bindnow, const struct report_options *options,
			     const struct table_output *output)
{
	compare__print_losses(bindnow->comparison, output);
	print_verdict(bindnow, output);
	if (!options->quiet)
		compare__print_warning(bindnow->comparison, output);
	if (!output->page)
		putc('\n', output->stream);
	if (report__is_brief(options))
		print_brief(bindnow, options, output);
	else
		print_sections(bindnow, options, output);
}

void bindnow_report__print(const struct comparison *comparison, const struct report_options *options,
			   const struct table_output *output)
{
	struct bindnow *bindnow = bindnow__new(comparison);

	if (table_output__view(output) == VIEW_DATA)
		table__finish(bindnow__figures(bindnow), output);
	else
		print_for_people(bindnow, options, output);
	bindnow__free(bindnow);
}
