// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "report/bindnow/bindnow_tables.h"
#include "report/bindnow/bindnow_words.h"

static const char *const side_keys[SIDE_COUNT] = { [SIDE_LAZY] = "lazy", [SIDE_NOW] = "now" };

static void start(struct table *table, const char *section, const char *subject, const char *key,
		  const char *side)
{
	table__row(table);
	table__text(table, section);
	table__text(table, subject);
	table__text(table, key);
	table__text(table, side);
}

static void add_estimate(struct table *table, const struct estimate *estimate)
{
	if (!estimate->known)
		return;
	table__format(table, "%.15g", estimate->value);
	if (!estimate->bounded)
		return;
	table__format(table, "%.15g", estimate->low);
	table__format(table, "%.15g", estimate->high);
}

static void add_spread(struct table *table, const struct spread *spread)
{
	if (!spread->known)
		return;
	table__format(table, "%.15g", spread->median);
	table__format(table, "%.15g", spread->min);
	table__format(table, "%.15g", spread->max);
}

static void add_file(struct table *table, const struct bindnow_file *file)
{
	start(table, "file", file->path, "way", "");
	table__text(table, bindnow_way_keys[file->way]);
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++) {
		if (file->relocations[kind] == ABSENT)
			continue;
		start(table, "file", file->path, relocation_keys[kind], "");
		table__format(table, "%" PRIu64, file->relocations[kind]);
	}
	if (file->way == WAY_UNKNOWN)
		return;
	start(table, "file", file->path, "relro", "");
	table__text(table, elf_relro_keys[file->relro]);
}

static void add_row(struct table *table, const struct bindnow *bindnow,
		    const struct bindnow_row *row)
{
	const char *section = bindnow_section_keys[row->section];
	const char *group = row->section == BINDNOW_GROUP ? bindnow->groups[row->group].name : "";

	for (int side = 0; side < SIDE_COUNT; side++) {
		start(table, section, group, row->key, side_keys[side]);
		add_spread(table, &row->cells[side]);
	}
	start(table, section, group, row->key, "difference");
	add_estimate(table, &row->difference);
}

static void add_time(struct table *table, const char *key,
		     const struct estimate *values[SIDE_COUNT], const struct estimate *ratio)
{
	for (int side = 0; side < SIDE_COUNT; side++) {
		start(table, "time", "", key, side_keys[side]);
		add_estimate(table, values[side]);
	}
	start(table, "time", "", key, "ratio");
	add_estimate(table, ratio);
}

static void add_times(struct table *table, const struct bindnow *bindnow)
{
	const struct compare_timing *lazy = &bindnow->comparison->timings[SIDE_LAZY];
	const struct compare_timing *now = &bindnow->comparison->timings[SIDE_NOW];

	add_time(table, "wall_ns", (const struct estimate *[]){ &lazy->wall, &now->wall },
		 &now->ratio);
	add_time(table, "cpu_ns", (const struct estimate *[]){ &lazy->cpu, &now->cpu },
		 &now->cpu_ratio);
}

static void add_break_even(struct table *table, const char *subject, const struct break_even *even)
{
	start(table, "break_even", subject, "pays", "");
	table__text(table, bindnow_pays_keys[even->pays]);
	if (even->pays != PAYS_AFTER && even->pays != PAYS_AT_LATEST)
		return;
	start(table, "break_even", subject, "children", "");
	table__count(table, even->children);
	table__count(table, even->low);
	table__count(table, even->high);
}

void bindnow_csv__print(const struct bindnow *bindnow, const struct table_output *output)
{
	static const char *const headers[] = { "section", "subject", "key", "side",
					       "value",	  "low",     "high" };
	struct table *table = table__new(NULL);

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < bindnow->files.count; i++)
		add_file(table, &bindnow->files.files[i]);
	for (size_t i = 0; i < bindnow->row_count; i++)
		add_row(table, bindnow, &bindnow->rows[i]);
	add_times(table, bindnow);
	add_break_even(table, "time", &bindnow->in_time);
	add_break_even(table, "faults", &bindnow->in_faults);
	table__print(table, output);
	table__free(table);
}
