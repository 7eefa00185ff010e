// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy.h"

static void add_line(struct table *table, int64_t faults, const char *text)
{
	table__row(table);
	table__format(table, "%lld", (long long)faults);
	table__text(table, text);
}

struct table *report__anatomy_books(const struct run *run)
{
	const struct anatomy *anatomy = run->anatomy;
	struct table *table = table__new("Books of the anatomy: faults of all recorded processes");
	uint64_t total = 0, unattributed = 0, missed = 0;
	uint64_t rows[PHASE_COUNT] = { 0 };
	int64_t rest;

	for (size_t i = 0; i < anatomy->sample_count; i++) {
		total += anatomy->samples[i].faults;
		unattributed += anatomy->samples[i].unattributed;
		missed += anatomy->samples[i].missed;
	}
	rest = total - unattributed - missed;
	for (size_t i = 0; i < anatomy->row_count; i++)
		rows[anatomy->rows[i].phase] += anatomy->rows[i].faults;
	table__column(table, "faults", ALIGN_RIGHT);
	table__column(table, "of", ALIGN_LEFT);
	table__rule(table);
	for (int phase = 0; phase < PHASE_COUNT; phase++) {
		add_line(table, rows[phase], phase_counters[phase].header);
		rest -= rows[phase];
	}
	add_line(table, unattributed, "unattributed: faults without an event");
	add_line(table, missed, "missed: not recorded, as after forks outside the sample");
	if (rest)
		add_line(table, rest, "not explained");
	table__rule(table);
	add_line(table, total, "total, the kernel's own count");
	return table;
}
