// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "report/shown.h"
#include "report/workers/workers_report.h"

enum { PROCESSES_SHOWN = 8 };

/* A process, or the sum. */
struct cross_check_row {
	const char *of;
	uint64_t pid; /* ABSENT: the sum */
	uint64_t pss_anon, counted, pss_file, pss_shmem, swap_pss;
};

/* `index`: where the row has the number of bytes. */
static struct cell bytes_cell(const void *subject, const void *row, int index)
{
	return cell__in(cell__count(*(const uint64_t *)((const char *)row + index)), FORM_VALUE, unit__kib);
}

static struct cell of_cell(const void *subject, const void *row, int index)
{
	const struct cross_check_row *line = row;

	return line->pid == ABSENT ? cell__text("all") : cell__count(line->pid);
}

static struct cell gap_cell(const void *subject, const void *row, int index)
{
	const struct cross_check_row *line = row;
	double gap = (double)line->counted - (double)line->pss_anon;

	if (line->counted == ABSENT || line->pss_anon == ABSENT)
		return cell__absent();
	return cell__in(cell__number(gap, 0), FORM_SIGNED, unit__kib);
}

#define SUM(name, member) \
	{ name, COLUMN_COUNT, .cell = bytes_cell, .index = offsetof(struct cross_check_row, member) }

static const struct column cross_check_columns[] = {
	{ "pid", COLUMN_COUNT, .cell = of_cell },
	{ "", TEXT_OF(struct cross_check_row, of) },
	SUM("Pss_Anon", pss_anon),
	SUM("page-by-page", counted),
	{ "gap", COLUMN_NUMBER, .cell = gap_cell },
	SUM("Pss_File", pss_file),
	SUM("Pss_Shmem", pss_shmem),
	SUM("SwapPss", swap_pss),
};

static void add(struct table *table, const struct worker *worker, const char *role)
{
	const struct cross_check_row row = {
		role, worker->pid, worker->pss_anon_bytes, worker->counted_bytes,
		worker->pss_file_bytes, worker->pss_shmem_bytes, worker->swap_pss_bytes,
	};

	table__add(table, &row);
}

struct table *workers_tables__cross_check(const struct workers *workers, const struct report_options *options)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;
	/* Of many it says less than their sum. */
	const size_t usual = workers->worker_count <= PROCESSES_SHOWN ? PROCESSES_SHOWN : 0;
	const size_t shown = room__of_pool(options, usual, usual).rows;
	struct table *table = table__new("Cross-check, KiB (Pss_Anon: the kernel's sum of the pages)");
	const struct cross_check_row sum = {
		cross_check->matches		       ? "match"
		: cross_check->counted_bytes == ABSENT ? "not known"
						       : "no match",
		ABSENT,
		cross_check->pss_anon_bytes,
		cross_check->counted_bytes,
		cross_check->pss_file_bytes,
		cross_check->pss_shmem_bytes,
		cross_check->swap_pss_bytes,
	};

	TABLE_COLUMNS(table, cross_check_columns, NULL);
	table__rule(table);
	if (workers->has_master)
		add(table, &workers->master, "master");
	for (size_t i = 0; i < workers->worker_count && i < shown; i++)
		add(table, &workers->workers[i], "worker");
	table__rule(table);
	table__add(table, &sum);
	return table;
}
