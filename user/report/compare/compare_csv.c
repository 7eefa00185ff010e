// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/compare/compare_csv.h"

#include <inttypes.h>

#include "report/compare/compare_grid.h"

struct csv {
	struct table *table;
	const char *label;
};

static void start(struct csv *csv, const char *section, const char *key)
{
	table__row(csv->table);
	table__text(csv->table, csv->label);
	table__text(csv->table, section);
	table__text(csv->table, key);
}

static void add_text(struct csv *csv, const char *key, const char *value)
{
	start(csv, "file", key);
	table__text(csv->table, value);
}

static void add_count(struct csv *csv, const char *key, uint64_t value)
{
	start(csv, "file", key);
	table__format(csv->table, "%" PRIu64, value);
}

static void add_facts(struct csv *csv, const struct elf_facts *facts)
{
	if (!facts)
		return;
	add_count(csv, "size", facts->size);
	add_count(csv, "blocks_kib", facts->blocks);
	add_text(csv, "linkage", elf_linkage_keys[facts->linkage]);
	add_text(csv, "libc", elf_libc_keys[facts->libc]);
	if (facts->libraries_known)
		add_count(csv, "libraries", facts->library_count);
	add_text(csv, "relro", elf_relro_keys[facts->relro]);
	add_text(csv, "bind_now", facts->bind_now ? "yes" : "no");
}

static void add_values(struct csv *csv, double value, double min, double max)
{
	table__format(csv->table, "%.15g", value);
	table__format(csv->table, "%.15g", min);
	table__format(csv->table, "%.15g", max);
}

static void add_estimate(struct csv *csv, const char *key, const struct estimate *estimate)
{
	start(csv, "time", key);
	if (estimate->bounded)
		add_values(csv, estimate->value, estimate->low, estimate->high);
	else if (estimate->known)
		table__format(csv->table, "%.15g", estimate->value);
}

static void add_column(struct csv *csv, const struct comparison *comparison, size_t index,
		       const struct compare_view *view)
{
	const struct compare_timing *timing = &comparison->timings[index];

	csv->label = comparison->columns[index].label;
	add_facts(csv, comparison->columns[index].facts);
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		const struct spread *cell = &row->cells[index];

		if (!compare_view__shows(view, row))
			continue;
		start(csv, compare_section_keys[row->section], row->key);
		if (cell->known)
			add_values(csv, cell->median, cell->min, cell->max);
	}
	add_estimate(csv, "wall_ns", &timing->wall);
	add_estimate(csv, "ratio", &timing->ratio);
}

void compare_csv__print(const struct comparison *comparison, const struct compare_view *view,
			const struct table_output *output)
{
	static const char *const headers[] = { "column", "section", "key", "value", "low", "high" };
	struct csv csv = { .table = table__new(NULL) };

	for (int i = 0; i < 6; i++)
		table__column(csv.table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < comparison->column_count; i++)
		add_column(&csv, comparison, i, view);
	table__print(csv.table, output);
	table__free(csv.table);
}
