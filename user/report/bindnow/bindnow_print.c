// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bindnow/bindnow_measures.h"
#include "format/wrap.h"
#include "report/bindnow/bindnow_report.h"
#include "report/bindnow/bindnow_tables.h"
#include "report/bindnow/bindnow_words.h"
#include "report/compare/compare_grid.h"
#include "report/time_unit.h"
#include "report/words.h"

enum { GROUPS_SHOWN = 4, WIDE = 100 /* columns that extremes need, too */ };

static char *number(double value, const struct time_unit *unit, bool is_time)
{
	if (is_time)
		return words("%.*f", time_unit__decimals(value / unit->ns), value / unit->ns);
	return value == floor(value) ? words("%.0f", value) : words("%.1f", value);
}

/* The layout of one table of figures. */
struct figures {
	struct table *table;
	bool is_brief; /* medians alone: the terminal is narrow */
};

static char *spread_text(const struct figures *figures, const struct spread *spread,
			 const struct time_unit *unit, bool is_time)
{
	char *median, *min, *max, *text;

	if (!spread->known)
		return words("-");
	median = number(spread->median, unit, is_time);
	if (figures->is_brief)
		return median;
	min = number(spread->min, unit, is_time);
	max = number(spread->max, unit, is_time);
	text = strcmp(min, max) ? words("%s (%s..%s)", median, min, max) : words("%s", median);
	free(median);
	free(min);
	free(max);
	return text;
}

static void add_cell(struct table *table, char *text)
{
	table__text(table, text);
	free(text);
}

/* Pages are worth a line only where some were not compared. */
static bool says_nothing(const struct bindnow_row *row)
{
	return row->section == BINDNOW_GROUP && !strcmp(row->key, BINDNOW_UNSEEN) &&
	       !(row->cells[SIDE_LAZY].max > 0) && !(row->cells[SIDE_NOW].max > 0);
}

static char *cell_text(const struct figures *figures, const struct bindnow *bindnow,
		       const struct bindnow_row *row, int side, const struct time_unit *unit)
{
	char *text = spread_text(figures, &row->cells[side], unit, row->is_time), *least;

	if (!bindnow_row__counts_symbols(row) || !row->cells[side].known ||
	    !bindnow__is_least(bindnow, row->group, side))
		return text;
	least = words(">=%s", text);
	free(text);
	return least;
}

static void add_row(const struct figures *figures, const struct bindnow *bindnow,
		    const struct bindnow_row *row)
{
	const struct time_unit unit =
		time_unit__for(fmax(row->cells[SIDE_LAZY].median, row->cells[SIDE_NOW].median));

	table__row(figures->table);
	if (row->is_time)
		table__format(figures->table, "  %s (%s)", row->header, unit.name);
	else
		table__format(figures->table, "  %s", row->header);
	for (int side = 0; side < SIDE_COUNT; side++)
		add_cell(figures->table,
			 cell_text(figures, bindnow, row, side, &unit));
	add_cell(figures->table, bindnow_words__difference(&row->difference, row->is_time));
}

static void add_section(const struct figures *figures, const char *title)
{
	if (table__rows(figures->table))
		table__rule(figures->table);
	table__row(figures->table);
	table__text(figures->table, title);
}

static void add_rows(const struct figures *figures, const struct bindnow *bindnow,
		     enum bindnow_section section, size_t group)
{
	for (size_t i = 0; i < bindnow->row_count; i++) {
		const struct bindnow_row *row = &bindnow->rows[i];

		if (row->section == section && row->group == group && !says_nothing(row))
			add_row(figures, bindnow, row);
	}
}

static void add_groups(const struct figures *figures, const struct bindnow *bindnow)
{
	for (size_t i = 0; i < bindnow->group_count && i < GROUPS_SHOWN; i++) {
		const struct bindnow_group *group = &bindnow->groups[i];
		char *title = words("%" PRIu64 "x %s", group->children, group->name);

		add_section(figures, title);
		add_rows(figures, bindnow, BINDNOW_GROUP, i);
		free(title);
	}
	if (bindnow->group_count > 1) {
		add_section(figures, "mean child of all groups");
		add_rows(figures, bindnow, BINDNOW_CHILD, 0);
	}
}

static void add_time(const struct figures *figures, const char *header,
		     const struct estimate times[SIDE_COUNT], const struct estimate *ratio)
{
	const struct time_unit unit =
		time_unit__for(fmax(times[SIDE_LAZY].value, times[SIDE_NOW].value));

	if (!times[SIDE_LAZY].known || !times[SIDE_NOW].known)
		return;
	table__row(figures->table);
	table__format(figures->table, "  %s (%s)", header, unit.name);
	for (int side = 0; side < SIDE_COUNT; side++) {
		const struct estimate *time = &times[side];
		struct spread spread = { true, time->value, time->low, time->high };

		if (!time->bounded)
			spread.min = spread.max = time->value;
		add_cell(figures->table, spread_text(figures, &spread, &unit, true));
	}
	if (!ratio->known)
		return;
	table__format(figures->table, ratio->bounded ? "x %.3f (%.3f..%.3f)" : "x %.3f",
		      ratio->value, ratio->low, ratio->high);
}

static void add_all(const struct figures *figures, const struct bindnow *bindnow)
{
	const struct compare_timing *lazy = &bindnow->comparison->timings[SIDE_LAZY];
	const struct compare_timing *now = &bindnow->comparison->timings[SIDE_NOW];
	const struct estimate wall[SIDE_COUNT] = { lazy->wall, now->wall };
	const struct estimate cpu[SIDE_COUNT] = { lazy->cpu, now->cpu };

	add_section(figures, "all of it");
	add_rows(figures, bindnow, BINDNOW_ALL, 0);
	if (!lazy->wall.known || !now->wall.known)
		return;
	add_time(figures, "wall time, untraced", wall, &now->ratio);
	add_time(figures, "CPU time, untraced", cpu, &now->cpu_ratio);
}

static void print_figures(const struct bindnow *bindnow, const struct table_output *output)
{
	struct table *table = table__new(NULL);
	const struct figures figures = {
		.table = table,
		.is_brief = output->width && output->width < WIDE,
	};

	table__column(table, "", ALIGN_LEFT);
	table__column(table, "as it is", ALIGN_RIGHT);
	table__column(table, "LD_BIND_NOW=1", ALIGN_RIGHT);
	table__column(table, "difference", ALIGN_RIGHT);
	if (bindnow->row_count) {
		add_section(&figures, "the command itself");
		add_rows(&figures, bindnow, BINDNOW_START, 0);
		add_groups(&figures, bindnow);
	}
	add_all(&figures, bindnow);
	table__print(table, output);
	table__free(table);
	if (bindnow->group_count > GROUPS_SHOWN)
		fprintf(output->stream, "%zu smaller groups are in --csv and --json\n",
			bindnow->group_count - GROUPS_SHOWN);
	putc('\n', output->stream);
}

/* Whether the count of functions of a group that is shown is open, on one of the sides. */
static bool is_open(const struct bindnow *bindnow, const struct bindnow_row *row)
{
	if (!bindnow_row__counts_symbols(row) || row->group >= GROUPS_SHOWN)
		return false;
	for (int side = 0; side < SIDE_COUNT; side++)
		if (!row->cells[side].known || bindnow__is_least(bindnow, row->group, side))
			return true;
	return false;
}

static void print_open(const struct bindnow *bindnow, const struct table_output *output)
{
	bool open = false;

	for (size_t i = 0; i < bindnow->row_count; i++)
		open |= is_open(bindnow, &bindnow->rows[i]);
	if (!open)
		return;
	wrap__print(NULL,
		    "Functions bound again: >= means at least so many, and - that it could not be "
		    "told: children wrote to pages with slots that were not compared, or records of "
		    "them were lost.",
		    0, 0, output);
	putc('\n', output->stream);
}

enum { HANG = 11 }; /* column of the text behind a label */

static void print_text(const char *label, char *text, const struct table_output *output)
{
	wrap__print(label, text, 0, HANG, output);
	free(text);
}

static void print_command(const struct bindnow *bindnow, const struct table_output *output)
{
	char *text = words__command(bindnow->comparison->columns[SIDE_LAZY].command);

	compare__print_line(text, output);
	free(text);
	putc('\n', output->stream);
}

static void print_break_even(const struct bindnow *bindnow, const struct table_output *output)
{
	if (isnan(bindnow->children) || bindnow->children == 0 || !bindnow__may_matter(bindnow))
		return;
	print_text("In faults:", bindnow_words__break_even(&bindnow->in_faults, false), output);
	print_text("In time:", bindnow_words__break_even(&bindnow->in_time, true), output);
}

static void print_notes(const struct bindnow *bindnow, const struct table_output *output)
{
	if (bindnow->was_set)
		wrap__print(NULL, "LD_BIND_NOW was set already: \"as it is\" means without it.", 0, 0,
			    output);
	if (bindnow->is_secure)
		wrap__print(NULL,
			    "The command gains rights when it is executed (set-user-ID or the like): "
			    "newer versions of glibc may ignore LD_BIND_NOW then.",
			    0, 0, output);
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void print_method(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];
	size_t traced = lazy->run_count, timed = lazy->sample_count;
	char *traced_text = words("%zu traced run%s of each, in turns; median (min..max), "
				  "differences with 95 %% interval. ",
				  traced, plural(traced));
	char *timed_text = words("All of it: %zu untraced run%s of each, in turns, after one warm-up; "
				 "medians with 95 %% interval.",
				 timed, plural(timed));
	char *disturbance = comparison__disturbance(bindnow->comparison);
	char *text = words("%s%s%s%s", traced ? traced_text : "", timed ? timed_text : "",
			   disturbance ? " " : "", disturbance ? disturbance : "");

	wrap__print(NULL, text, 0, 0, output);
	free(traced_text);
	free(timed_text);
	free(disturbance);
	free(text);
}

void bindnow__print(const struct bindnow *bindnow, bool quiet, const struct table_output *output)
{
	if (output->style == TABLE_CSV) {
		bindnow_csv__print(bindnow, output);
		return;
	}
	compare__print_losses(bindnow->comparison, output);
	if (!quiet)
		print_command(bindnow, output);
	bindnow__print_files(bindnow, output);
	print_figures(bindnow, output);
	print_open(bindnow, output);
	bindnow__print_symbols(bindnow, output);
	print_break_even(bindnow, output);
	print_text("Verdict:", bindnow_words__verdict(bindnow), output);
	print_notes(bindnow, output);
	if (!quiet)
		print_method(bindnow, output);
}
