// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "report/bindnow/bindnow_report.h"
#include "report/cells.h"

static const char *const side_keys[SIDE_COUNT] = { [SIDE_LAZY] = "lazy", [SIDE_NOW] = "now" };

struct bindnow_figure {
	const char *section, *subject, *key, *side;
	struct cell value;
};

static const struct column bindnow_columns[] = {
	{ "section", TEXT_OF(struct bindnow_figure, section) },
	{ "subject", TEXT_OF(struct bindnow_figure, subject) },
	{ "key", TEXT_OF(struct bindnow_figure, key) },
	{ "side", TEXT_OF(struct bindnow_figure, side) },
	{ "value", COLUMN_ESTIMATE, CELL_OF(struct bindnow_figure, value) },
};

static void add_of_file(struct table *table, const struct bindnow_file *file, const char *key, struct cell value)
{
	table__add(table, &(struct bindnow_figure){ "file", file->path, key, NULL, value });
}

static void add_file_figures(struct table *table, const struct bindnow_file *file)
{
	add_of_file(table, file, "way", cell__text(bindnow_way_keys[file->way]));
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		if (file->relocations[kind] != ABSENT)
			add_of_file(table, file, relocation_keys[kind], cell__count(file->relocations[kind]));
	if (file->way != WAY_UNKNOWN)
		add_of_file(table, file, "relro", cell__text(elf_relro_keys[file->relro]));
}

static void add_row_figures(struct table *table, const struct bindnow *bindnow, const struct bindnow_row *row)
{
	bool is_of_group = row->section == BINDNOW_GROUP;
	struct bindnow_figure figure = {
		.section = bindnow_section_keys[row->section],
		.subject = is_of_group ? bindnow->groups[row->group].name : NULL,
		.key = row->key,
	};

	for (int side = 0; side < SIDE_COUNT; side++) {
		figure.side = side_keys[side];
		figure.value = cell__spread(&row->cells[side], NULL);
		table__add(table, &figure);
	}
	figure.side = "difference";
	figure.value = cell__of_estimate(&row->difference, NULL);
	table__add(table, &figure);
}

static void add_of_time(struct table *table, const char *key, const char *side, const struct estimate *value)
{
	table__add(table, &(struct bindnow_figure){ "time", NULL, key, side, cell__of_estimate(value, NULL) });
}

static void add_times(struct table *table, const struct bindnow *bindnow)
{
	const struct compare_timing *lazy = &bindnow->comparison->timings[SIDE_LAZY];
	const struct compare_timing *now = &bindnow->comparison->timings[SIDE_NOW];

	add_of_time(table, "wall_ns", side_keys[SIDE_LAZY], &lazy->wall);
	add_of_time(table, "wall_ns", side_keys[SIDE_NOW], &now->wall);
	add_of_time(table, "wall_ns", "ratio", &now->ratio);
	add_of_time(table, "cpu_ns", side_keys[SIDE_LAZY], &lazy->cpu);
	add_of_time(table, "cpu_ns", side_keys[SIDE_NOW], &now->cpu);
	add_of_time(table, "cpu_ns", "ratio", &now->cpu_ratio);
}

static void add_break_even(struct table *table, const char *subject, const struct break_even *even)
{
	table__add(table, &(struct bindnow_figure){ "break_even", subject, "pays", NULL,
						    cell__text(bindnow_pays_keys[even->pays]) });
	if (even->pays != PAYS_AFTER && even->pays != PAYS_AT_LATEST)
		return;
	table__add(table, &(struct bindnow_figure){ "break_even", subject, "children", NULL,
						    cell__estimate(even->children, even->low, even->high) });
}

struct table *bindnow__figures(const struct bindnow *bindnow)
{
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, bindnow_columns, NULL);
	for (size_t i = 0; i < bindnow->files->count; i++)
		add_file_figures(table, &bindnow->files->files[i]);
	for (size_t i = 0; i < bindnow->row_count; i++)
		add_row_figures(table, bindnow, &bindnow->rows[i]);
	add_times(table, bindnow);
	add_break_even(table, "time", &bindnow->in_time);
	add_break_even(table, "faults", &bindnow->in_faults);
	return table;
}
