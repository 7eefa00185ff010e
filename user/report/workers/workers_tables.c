// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "report/options.h"
#include "report/shown.h"
#include "report/workers/workers_report.h"

enum { WORKERS_SHOWN = 24, MAPPINGS_SHOWN = 8, LARGEST_SHOWN = 8 };

struct cell workers_cells__pages(uint64_t pages, struct unit unit, uint64_t page_bytes)
{
	if (!pages)
		return cell__said(cell__count(0), text__of("."));
	unit.size /= page_bytes;
	return cell__in(cell__count(pages), FORM_VALUE, unit);
}

/* What the tables are in. */
struct measure {
	struct unit unit;
	uint64_t page_bytes; /* of the machine of the pool */
};

static struct cell pages_cell(const struct measure *measure, uint64_t pages)
{
	return workers_cells__pages(pages, measure->unit, measure->page_bytes);
}

/* KiB, or MiB where the pages of a process are many. */
static struct measure measure_of(const struct workers *workers)
{
	uint64_t most = 0;

	for (size_t i = 0; i <= workers->worker_count; i++) {
		const struct worker *member = i ? &workers->workers[i - 1] : &workers->master;
		const struct worker_pages *pages = &member->pages;
		const uint64_t present = (pages->shared + pages->own + pages->unknown) * workers->machine.page_bytes;
		const uint64_t rss = worker__rss(member), larger = rss == ABSENT || rss < present ? present : rss;

		most = larger > most ? larger : most;
	}
	return (struct measure){
		most > 16 << 20 ? unit__mib : unit__kib, workers->machine.page_bytes,
	};
}

/* A row: a member, the sum of the workers, or one mapping of all of them. */
struct pages_row {
	struct cell pid;
	uint64_t age_ns; /* ABSENT: of the sum */
	const char *role, *name;
	const struct pool_mapping *mapping;
	struct worker_pages pages;
	uint64_t pss_anon; /* bytes, as the next; ABSENT: not known */
	uint64_t rss, pss, shmem, file;
	bool is_master;
};

/* `index` is the place of the number in struct worker_pages. */
static struct cell number_cell(const void *subject, const void *row, int index)
{
	const struct pages_row *line = row;

	return pages_cell(subject, *(const uint64_t *)((const char *)&line->pages + index));
}

/* What does not apply to a master, with whose memory the workers' is compared. */
static struct cell worker_cell(const void *subject, const void *row, int index)
{
	const struct pages_row *line = row;

	return line->is_master ? cell__blank() : number_cell(subject, row, index);
}

static struct cell inherited_cell(const void *subject, const void *row, int index)
{
	const struct pages_row *line = row;

	return line->is_master ? cell__blank() : pages_cell(subject, worker_pages__inherited(&line->pages));
}

/* `index` is the place of the number in struct pages_row. */
static struct cell bytes_cell(const void *subject, const void *row, int index)
{
	const uint64_t bytes = *(const uint64_t *)((const char *)row + index);

	return cell__in(cell__count(bytes), FORM_VALUE, ((const struct measure *)subject)->unit);
}

#define BYTES(name, member, ...) \
	{ name, COLUMN_COUNT, .cell = bytes_cell, .index = offsetof(struct pages_row, member), __VA_ARGS__ }

#define PAGES(name, member, function, ...) \
	{ name, COLUMN_COUNT, .cell = function, .index = offsetof(struct worker_pages, member), __VA_ARGS__ }
#define CLASSES \
	PAGES("identical", unshared.identical, worker_cell), \
	PAGES("few-words", unshared.few_words, worker_cell), \
	PAGES("different", unshared.different, worker_cell), \
	PAGES("unstable", unshared.unstable, worker_cell, IF_ANY), \
	PAGES("unread", unshared.unread, worker_cell, IF_ANY), \
	PAGES("unknown-origin", unknown_origin, worker_cell, IF_ANY), \
	PAGES("perhaps-identical", perhaps.identical, worker_cell, IF_ANY), \
	PAGES("new", new, worker_cell), \
	PAGES("file-copies", file_private, worker_cell, IF_ANY), \
	PAGES("unknown", unknown, number_cell, IF_ANY), \
	PAGES("huge", huge, number_cell, IF_ANY), \
	PAGES("dropped", dropped, worker_cell, IF_ANY), \
	PAGES("swapped", swapped, number_cell, IF_ANY)

static const struct column member_columns[] = {
	{ "pid", COLUMN_COUNT, CELL_OF(struct pages_row, pid) },
	{ "", TEXT_OF(struct pages_row, role) },
	{ "age", COUNT_OF(struct pages_row, age_ns), .words = quantity__time, .unless_absent = true },
	{ "inherited", COLUMN_COUNT, .cell = inherited_cell },
	PAGES("shared", shared, number_cell),
	PAGES("remapped", remapped, number_cell, IF_ANY),
	PAGES("merged", merged, number_cell, IF_ANY),
	PAGES("private", own, number_cell),
	CLASSES,
	BYTES("Pss_Anon", pss_anon),
	{ "name", TEXT_OF(struct pages_row, name) },
};

static void add_member(struct table *table, const struct worker *member, bool is_master)
{
	const struct pages_row row = {
		.pid = cell__count(member->pid),
		.age_ns = member->age_ns,
		.name = member->name,
		.role = is_master ? "master" : "worker",
		.pages = member->pages,
		.pss_anon = member->pss_anon_bytes,
		.rss = worker__rss(member),
		.pss = worker__pss(member) == ABSENT ? worker__pss_anon(member) : worker__pss(member),
		.shmem = member->rss_shmem_bytes,
		.file = member->rss_file_bytes,
		.is_master = is_master,
	};

	table__add(table, &row);
}

static void add_sum(struct table *table, const struct workers *workers)
{
	struct pages_row row = { .pid = cell__text("all"), .age_ns = ABSENT, .role = "workers",
				 .pages = workers__sum(workers) };

	for (size_t i = 0; i < workers->worker_count && row.pss_anon != ABSENT; i++) {
		uint64_t pss = workers->workers[i].pss_anon_bytes;

		row.pss_anon = pss == ABSENT ? ABSENT : row.pss_anon + pss;
	}
	table__rule(table);
	table__add(table, &row);
}

static int by_unshared(const void *left, const void *right)
{
	const struct worker *a = *(const struct worker *const *)left;
	const struct worker *b = *(const struct worker *const *)right;

	if (a->pages.own != b->pages.own)
		return a->pages.own < b->pages.own ? 1 : -1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* The workers and, behind them, the master, if there is one; to be freed. */
static const struct worker **members_of(const struct workers *workers)
{
	const struct worker **list = checked_calloc(workers->worker_count + 1, sizeof(*list));

	for (size_t i = 0; i < workers->worker_count; i++)
		list[i] = &workers->workers[i];
	if (workers->has_master)
		list[workers->worker_count] = &workers->master;
	return list;
}

/* The workers, those with most private memory first; to be freed. */
static const struct worker **workers_tables__by_private(const struct workers *workers)
{
	const struct worker **list = members_of(workers);

	qsort(list, workers->worker_count, sizeof(*list), by_unshared);
	return list;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static char *left_out(size_t count, size_t shown, const char *what)
{
	return count > shown ? text__of(", the %zu of %zu %s with most private memory", shown, count, what)
			     : text__of("%s", "");
}

struct table *workers_tables__members(const struct workers *workers, const struct report_options *options)
{
	const size_t count = workers->worker_count, shown = least(count, room__of_pool(options, 0, WORKERS_SHOWN).rows);
	/* In their order; of too many those with most private memory. */
	autofree const struct worker **list = shown < count ? workers_tables__by_private(workers) : members_of(workers);
	const struct measure measure = measure_of(workers);
	autofree char *rest = left_out(count, shown, "workers");
	struct table *table = table__titled(text__of("Anonymous memory, %s%s", measure.unit.name, rest), NULL);

	table__may_continue_below(table);
	TABLE_COLUMNS(table, member_columns, &measure);
	table__rule(table);
	if (workers->has_master)
		add_member(table, &workers->master, true);
	for (size_t i = 0; i < shown; i++)
		add_member(table, list[i], false);
	if (count > 1)
		add_sum(table, workers);
	return table;
}

/* The same bytes as the master has, whether inherited or not. */
static struct cell alike_cell(const void *subject, const void *row, int index)
{
	const struct pages_row *line = row;
	const uint64_t sure = line->pages.unshared.identical, perhaps = line->pages.perhaps.identical;

	return line->is_master ? cell__blank() : pages_cell(subject, sure + (perhaps == ABSENT ? 0 : perhaps));
}

static const struct column largest_columns[] = {
	{ "pid", COLUMN_COUNT, CELL_OF(struct pages_row, pid) },
	BYTES("RSS", rss),
	BYTES("PSS", pss),
	BYTES("shmem", shmem, IF_ANY),
	BYTES("file", file, IF_ANY),
	PAGES("anon shared", shared, number_cell),
	PAGES("anon private", own, number_cell),
	PAGES("anon unknown", unknown, number_cell, IF_ANY),
	{ "identical", COLUMN_COUNT, .cell = alike_cell },
	PAGES("new", new, worker_cell),
	{ "role", TEXT_OF(struct pages_row, role) },
	{ "name", TEXT_OF(struct pages_row, name), .spare = 1 },
};

struct table *workers_tables__largest(const struct workers *workers, const struct report_options *options)
{
	const size_t count = workers__member_count(workers),
		     shown = least(count, room__of_pool(options, LARGEST_SHOWN, LARGEST_SHOWN).rows);
	autofree const struct worker **list = members_of(workers);
	const struct measure measure = measure_of(workers);
	struct table *table = table__titled(
		shown < count ? text__of("Memory, %s (the largest; %zu more: --top=%zu)", measure.unit.name,
					 count - shown, count)
			      : text__of("Memory, %s", measure.unit.name), NULL);

	qsort(list, count, sizeof(*list), by_unshared);
	TABLE_COLUMNS(table, largest_columns, &measure);
	table__rule(table);
	for (size_t i = 0; i < shown; i++)
		add_member(table, list[i], list[i] == &workers->master);
	return table;
}

static struct cell mapping_name(const void *subject, const void *row, int index)
{
	const char *name = ((const struct pages_row *)row)->mapping->name;

	if (!name)
		return cell__text("anonymous");
	return cell__text(*name == '/' ? text__file_name(name) : name);
}

static struct cell mapping_range(const void *subject, const void *row, int index)
{
	const struct pool_mapping *mapping = ((const struct pages_row *)row)->mapping;

	return cell__own(text__of("%" PRIx64 "-%" PRIx64, mapping->start, mapping->end));
}

static const struct column mapping_columns[] = {
	{ "addresses", COLUMN_TEXT, .cell = mapping_range },
	{ "inherited", COLUMN_COUNT, .cell = inherited_cell },
	PAGES("shared", shared, number_cell),
	PAGES("private", own, number_cell),
	CLASSES,
	{ "mapping", COLUMN_TEXT, .cell = mapping_name },
};

/* All workers' pages of each mapping. */
static struct pages_row *sums_of_mappings(const struct workers *workers)
{
	struct pages_row *rows = checked_calloc(workers->mapping_count, sizeof(*rows));

	for (size_t i = 0; i < workers->mapping_count; i++)
		rows[i].mapping = &workers->mappings[i];
	for (size_t i = 0; i < workers->worker_count; i++) {
		const struct worker *worker = &workers->workers[i];

		for (size_t k = 0; k < worker->mapping_count; k++)
			worker_pages__add(&rows[worker->mappings[k].mapping].pages, &worker->mappings[k].pages);
	}
	return rows;
}

static int by_own(const void *left, const void *right)
{
	const struct pages_row *a = left, *b = right;

	if (a->pages.own != b->pages.own)
		return a->pages.own < b->pages.own ? 1 : -1;
	return a->mapping < b->mapping ? -1 : 1; /* in order of address */
}

struct table *workers_tables__mappings(const struct workers *workers, const struct report_options *options)
{
	autofree struct pages_row *rows = sums_of_mappings(workers);
	size_t count = workers->mapping_count;
	size_t shown = least(count, room__of_pool(options, 0, MAPPINGS_SHOWN).rows);
	const struct measure measure = measure_of(workers);
	autofree char *rest = left_out(count, shown, "mappings");
	struct table *table =
		table__titled(text__of("By mapping, all workers together, %s%s", measure.unit.name, rest), NULL);

	if (shown < count || !options->all_workers)
		qsort(rows, count, sizeof(*rows), by_own);
	table__may_continue_below(table);
	TABLE_COLUMNS(table, mapping_columns, &measure);
	table__rule(table);
	for (size_t i = 0; i < shown; i++)
		table__add(table, &rows[i]);
	return table;
}
