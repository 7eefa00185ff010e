// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "model/words/dictionary.h"
#include "model/workers/workers_flow_fields.h"
#include "report/cells.h"
#include "report/options.h"
#include "report/saved_table.h"
#include "report/shown.h"
#include "report/workers/workers_flow_report.h"
#include "report/workers/workers_report.h"

enum { MEMBERS_SHOWN = 24, WRITERS_SHOWN = 10, WRITERS_USUAL = 5 };
enum { UNNAMED_PARTS = 10 }; /* code without names is worth a word if it made a tenth of all copies */

/* Points of the curve, since a member was born or the watch began. */
static const uint64_t points[] = { 100, 1000, 10000, 60000, 600000, 3600000 }; /* ms */
static const char *const point_names[] = { "0.1 s", "1 s", "10 s", "1 min", "10 min", "1 h" };
enum { POINTS = sizeof(points) / sizeof(points[0]) };

/* A member and what it still shared at the points, as far as its copies tell. */
struct member_row {
	struct flow_member member;
	uint64_t pid;
	const char *role;
	uint64_t shared[POINTS]; /* ABSENT: not known, or the watch was over */
};

static uint64_t lived_ns(const struct workers_flow *flow, const struct flow_member *member)
{
	uint64_t end = member->ended_ns == ABSENT ? flow->duration_ns : member->ended_ns;

	return end - (member->born_ns == ABSENT ? 0 : member->born_ns);
}

static const char *role_of(const struct workers_flow *flow, const struct flow_member *member)
{
	if (member->executed)
		return "helper";
	return workers_flow__is_worker(flow, member - flow->members) ? "worker" : "master";
}

static struct member_row row_of(const struct workers_flow *flow, const struct flow_member *member)
{
	struct member_row row = { *member, member->pid, role_of(flow, member), { 0 } };

	for (int i = 0; i < POINTS; i++)
		row.shared[i] = points[i] * 1000000 > lived_ns(flow, member) ? ABSENT : member->shared_before;
	return row;
}

static void take_copy(struct member_row *row, const struct flow_copy *copy)
{
	uint64_t begin = row->member.born_ns == ABSENT ? 0 : row->member.born_ns;

	for (int i = 0; i < POINTS; i++)
		if (row->shared[i] != ABSENT && row->shared[i] && copy->ns - begin <= points[i] * 1000000)
			row->shared[i]--;
}

/* A row for each member, to be freed. */
static struct member_row *rows_of(const struct workers_flow *flow)
{
	struct member_row *rows = checked_calloc(flow->member_count, sizeof(*rows));

	for (size_t i = 0; i < flow->member_count; i++)
		rows[i] = row_of(flow, &flow->members[i]);
	for (size_t i = 0; i < flow->copy_count; i++)
		take_copy(&rows[flow->copies[i].member], &flow->copies[i]);
	return rows;
}

/* `index` is the place of the number in the row. */
static struct cell pages_cell(const void *subject, const void *row, int index)
{
	return workers_cells__pages(*(const uint64_t *)((const char *)row + index), unit__mib,
				    ((const struct workers_flow *)subject)->page_bytes);
}

static struct cell point_cell(const void *subject, const void *row, int index)
{
	const uint64_t pages = ((const struct member_row *)row)->shared[index];

	return pages == ABSENT ? cell__blank() :
				 workers_cells__pages(pages, unit__mib,
						      ((const struct workers_flow *)subject)->page_bytes);
}

#define MEMBER(name, of) \
	{ name, COLUMN_COUNT, .cell = pages_cell, .index = offsetof(struct member_row, member.of) }
#define MOMENT(name, of, ...) \
	{ name, COUNT_OF(struct member_row, member.of), .words = quantity__time, __VA_ARGS__ }
#define PID_AND_ROLE \
	{ "pid", COUNT_OF(struct member_row, pid) }, { "", TEXT_OF(struct member_row, role) }

static const struct column member_columns[] = {
	PID_AND_ROLE,
	MOMENT("born", born_ns, .unless_absent = true),
	MOMENT("ended", ended_ns, .unless_absent = true),
	MEMBER("shared", shared_before),
	{ NULL, COLUMN_COUNT, .cell = point_cell, EACH_OF(point_names), IF_KNOWN },
	MOMENT("half-in", half_life_ns),
	MEMBER("copies", copies),
	MEMBER("new", filled),
	{ "name", TEXT_OF(struct member_row, member.name) },
};

static struct table *curve_table(const struct workers_flow *flow, const struct report_options *options)
{
	struct table *table = table__new("Still shared after, MiB");
	autofree struct member_row *rows = rows_of(flow);
	const size_t most = room__of_pool(options, 0, MEMBERS_SHOWN).rows;
	size_t shown = 0;

	TABLE_COLUMNS(table, member_columns, flow);
	table__rule(table);
	for (size_t i = 0; i < flow->member_count && shown < most; i++) {
		if (flow->members[i].executed)
			continue;
		table__add(table, &rows[i]);
		shown++;
	}
	return table;
}

#define PAGES(name, of) { name, COUNT_OF(struct member_row, member.of) }

static const struct column sharing_columns[] = {
	PID_AND_ROLE,
	PAGES("shared before", shared_before),
	PAGES("- copied", copied),
	PAGES("- last owner", last_owner),
	PAGES("- unmapped", unmapped),
	PAGES("- otherwise", unexplained),
	PAGES("+ newly shared", newly_shared),
	PAGES("= after", shared_after),
};

/* By the page maps, except for copies. */
static struct table *sharing_table(const struct workers_flow *flow, const struct report_options *options)
{
	struct table *table = table__new("Where shared pages went, pages");
	const size_t most = room__of_pool(options, 0, MEMBERS_SHOWN).rows;

	TABLE_COLUMNS(table, sharing_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < flow->member_count && i < most; i++) {
		const struct member_row row = row_of(flow, &flow->members[i]);

		if (row.member.shared_after != ABSENT)
			table__add(table, &row);
	}
	return table;
}

char *workers_flow__code(const struct flow_writer *writer)
{
	const char *file = writer->object ? text__file_name(writer->object) : NULL;

	if (writer->actor == ACTOR_KERNEL)
		return writer->call ? text__of("the kernel in %s", writer->call)
				    : text__of("the kernel, outside of calls");
	if (writer->symbol)
		return text__of("%s, %s", writer->symbol, file ? file : "no file");
	if (file)
		return text__of("0x%" PRIx64 ", %s", writer->offset, file);
	return text__of("0x%" PRIx64 ", no file", writer->offset);
}

static struct cell code_cell(const void *subject, const void *row, int index)
{
	return cell__own(workers_flow__code(row));
}

static struct cell rate_cell(const void *subject, const void *row, int index)
{
	const struct workers_flow *flow = subject;

	if (!flow->duration_ns)
		return cell__absent();
	return cell__number(((const struct flow_writer *)row)->copies * 6e10 / flow->duration_ns, 0);
}

static struct cell share_cell(const void *subject, const void *row, int index)
{
	const struct workers_flow *flow = subject;

	return cell__number(100.0 * ((const struct flow_writer *)row)->copies / flow->copy_count, 1);
}

static struct cell size_cell(const void *subject, const void *row, int index)
{
	const uint64_t pages = ((const struct flow_writer *)row)->filled;

	return cell__said(
		cell__count(pages),
		text__of("%s", quantity__size(pages * ((const struct workers_flow *)subject)->page_bytes).text));
}

static const struct column copier_columns[] = {
	{ "copies", COUNT_OF(struct flow_writer, copies) },
	{ "%", COLUMN_NUMBER, .cell = share_cell },
	{ "per-minute", COLUMN_NUMBER, .cell = rate_cell },
	{ "members", COUNT_OF(struct flow_writer, members), .unless_zero = true },
	{ "code", COLUMN_TEXT, .cell = code_cell },
};

static const struct column filler_columns[] = {
	{ "size", COLUMN_COUNT, .cell = size_cell },
	{ "code", COLUMN_TEXT, .cell = code_cell },
};

static struct table *copier_table(const struct workers_flow *flow, size_t most)
{
	struct table *table = table__titled(text__of("Who copied"), NULL);

	TABLE_COLUMNS(table, copier_columns, flow);
	table__rule(table);
	for (size_t i = 0; i < flow->writer_count && flow->writers[i].copies; i++)
		if (i < most)
			table__add(table, &flow->writers[i]);
	return table;
}

static int by_filled(const void *left, const void *right)
{
	const struct flow_writer *a = *(const struct flow_writer *const *)left;
	const struct flow_writer *b = *(const struct flow_writer *const *)right;

	if (a->filled != b->filled)
		return a->filled > b->filled ? -1 : 1;
	return a < b ? -1 : a > b;
}

static struct table *filler_table(const struct workers_flow *flow, size_t most)
{
	struct table *table = table__titled(text__of("New memory, by code"), NULL);
	autofree const struct flow_writer **order = checked_calloc(flow->writer_count, sizeof(*order));

	TABLE_COLUMNS(table, filler_columns, flow);
	table__rule(table);
	for (size_t i = 0; i < flow->writer_count; i++)
		order[i] = &flow->writers[i];
	qsort(order, flow->writer_count, sizeof(*order), by_filled);
	for (size_t i = 0; i < flow->writer_count && order[i]->filled; i++)
		if (i < most)
			table__add(table, order[i]);
	return table;
}

static struct table *copies_table(const struct workers_flow *flow)
{
	struct table *table = table__new("Copies");

	table__column(table, "pid", COLUMN_COUNT);
	table__column(table, "page", COLUMN_TEXT);
	table__column(table, "ns", COLUMN_COUNT);
	table__column(table, "code", COLUMN_TEXT);
	for (size_t i = 0; i < flow->copy_count; i++) {
		const struct flow_copy *copy = &flow->copies[i];

		table__row(table);
		table__count(table, flow->members[copy->member].pid);
		table__put(table, cell__own(text__of("0x%" PRIx64, copy->address)));
		table__count(table, copy->ns);
		table__put(table, cell__own(workers_flow__code(&flow->writers[copy->writer])));
	}
	return table;
}

/* The file whose code copied most without a name, if that is much of all. */
static void print_unnamed(const struct workers_flow *flow, const struct table_output *output)
{
	const struct flow_writer *most = NULL;
	uint64_t copies = 0;

	for (size_t i = 0; i < flow->writer_count; i++) {
		const struct flow_writer *writer = &flow->writers[i];

		if (writer->symbol || !writer->object)
			continue;
		copies += writer->copies;
		most = most ? most : writer; /* they are in the order of copies */
	}
	if (most && UNNAMED_PARTS * copies > flow->copy_count)
		wrap__paragraph("Not known:",
				text__of("the names of code that made %s of the copies: %s has no "
					 "symbols for it; install its debug symbols (package -dbg or "
					 "-dbgsym), or set DEBUGINFOD_URLS.",
					 quantity__percent((double)copies / flow->copy_count).text,
					 most->object), output);
}

/* Copies and new memory must explain how the pool grew. */
static void print_cross_check(const struct workers_flow *flow, const struct table_output *output)
{
	bool known;
	const int64_t gap = workers_flow__gap(flow, &known);

	if (known && !flow->cross_check.matches)
		wrap__paragraph("Warning:",
				text__of("The cross-check of the watch does not match: by copies, new memory and "
					 "what was given back the pool should use %s %s at the end (Pss_Anon).",
					 quantity__size(llabs(gap)).text, gap > 0 ? "more" : "less"), output);
	if (flow->cross_check.copied_bytes == ABSENT)
		wrap__paragraph("Not known:",
				text__of("the cross-check of the watch: no member of the pool lived at its end, "
					 "the memory of a member could not be read, or there are too many copies "
					 "to follow."), output);
}

static void print_warnings(const struct workers_flow *flow, const struct table_output *output)
{
	uint64_t unknown = flow->lost + flow->beyond;

	if (unknown)
		wrap__paragraph("Warning:",
				text__of("%" PRIu64 " copies were counted, and not recorded: pages were "
					 "copied faster than they could be taken, or there were too many. "
					 "Numbers above may be too small.", unknown), output);
	if (flow->unattributed)
		wrap__paragraph("Warning:",
				text__of("%s of new memory is of unknown members and code: more "
					 "instructions filled pages than are kept.",
					 quantity__size(flow->unattributed * flow->page_bytes).text),
				output);
	if (flow->stacks_lost)
		wrap__paragraph("Warning:",
				text__of("The call stacks of %" PRIu64 " different writers were lost: there "
					 "were too many, or they came faster than they could be read.",
					 flow->stacks_lost),
				output);
	print_unnamed(flow, output);
	print_cross_check(flow, output);
	if (flow->unread)
		wrap__paragraph("Not known:",
				text__of("what %" PRIu64 " of the members shared at first: they had ended "
					 "before their memory could be read, too many were born, or frames "
					 "may not be seen (CAP_SYS_ADMIN).", flow->unread), output);
}

void workers_flow__print_brief(const struct workers_flow *flow, const struct report_options *options,
			       const struct table_output *output)
{
	table__show(copier_table(flow, room__of_pool(options, WRITERS_USUAL, WRITERS_SHOWN).rows), output);
	print_warnings(flow, output);
}

void workers_flow__print(const struct workers_flow *flow, const struct report_options *options,
			 const struct table_output *output)
{
	const size_t writers = room__of_pool(options, WRITERS_USUAL, WRITERS_SHOWN).rows;

	if (section__is_shown(SHOW_SHARING, IN_FULL, options)) {
		workers_flow__print_words(flow, output);
		table__show(curve_table(flow, options), output);
	}
	if (section__is_shown(SHOW_WRITERS, IN_FULL, options)) {
		table__show(copier_table(flow, writers), output);
		table__show(workers_flow__stack_table(flow, options), output);
	}
	if (section__is_shown(SHOW_NEW_MEMORY, IN_FULL, options))
		table__show(filler_table(flow, writers), output);
	if (section__is_shown(SHOW_SHARING, IN_FULL, options))
		table__show(sharing_table(flow, options), output);
	print_warnings(flow, output);
}

void workers_flow__print_data(const struct workers_flow *flow, const struct report_options *options,
			      const struct table_output *output)
{
	const bool has_writers = section__is_shown(SHOW_WRITERS, IN_FULL, options);
	const bool has_sharing = section__is_shown(SHOW_SHARING, IN_FULL, options);

	if (has_sharing)
		table__show(saved_table__of("Flow", flow, &workers_flow_shape, flow, "members"), output);
	if (has_writers || section__is_shown(SHOW_NEW_MEMORY, IN_FULL, options))
		table__show(saved_table__of("Writers", flow, &workers_flow_shape, flow, "writers"), output);
	if (has_writers)
		table__show(workers_flow__stack_frames(flow), output);
	if (has_sharing)
		table__show(saved_table__of_one("Watch", flow, &workers_flow_shape, flow), output);
	if (has_writers)
		table__show(copies_table(flow), output);
}
