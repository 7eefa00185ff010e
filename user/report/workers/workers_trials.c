// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/workers/workers_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/advice/advice_tables.h"
#include "report/cells.h"
#include "report/saved_table.h"
#include "report/words.h"


static double known(uint64_t value)
{
	return value == ABSENT ? NAN : (double)value;
}

/* Of a run; NAN: not known. */
static double bytes_of(const struct pool_sample *sample)
{
	return known(pool_memory__bytes(&sample->loaded));
}

static double extra_of(const struct pool_sample *sample)
{
	return pool_memory__extra(&sample->loaded);
}

enum { FIGURE_BYTES, FIGURE_AVERAGE, FIGURE_EXTRA, FIGURE_UNSHARED, FIGURE_ORIGIN, FIGURE_NEW, FIGURE_CPU,
       FIGURE_KSMD, FIGURE_LOAD };

static const struct {
	const struct unit *unit;
	double (*of)(const struct pool_sample *sample); /* NULL: it is a member */
	size_t place;
} figures[] = {
#define MEMBER(member) NULL, offsetof(struct pool_sample, member)
	[FIGURE_BYTES] = { &unit__mib, bytes_of },
	[FIGURE_AVERAGE] = { &unit__mib, pool_sample__mean },
	[FIGURE_EXTRA] = { &unit__mib, extra_of },
	[FIGURE_UNSHARED] = { &unit__mib, MEMBER(loaded.unshared_bytes) },
	[FIGURE_ORIGIN] = { &unit__mib, MEMBER(loaded.unknown_origin_bytes) },
	[FIGURE_NEW] = { &unit__mib, MEMBER(loaded.new_bytes) },
	[FIGURE_CPU] = { &unit__s, MEMBER(cpu_ns) },
	[FIGURE_KSMD] = { &unit__s, MEMBER(ksmd_ns) },
	[FIGURE_LOAD] = { &unit__s, MEMBER(load_ns) },
};

static double figure_of(const struct pool_sample *sample, int figure)
{
	if (figures[figure].of)
		return figures[figure].of(sample);
	return known(*(const uint64_t *)((const char *)sample + figures[figure].place));
}

/* The median of the rounds; if they differ in what is shown, with the extremes. */
static struct cell figure_cell(const void *subject, const void *row, int index)
{
	const struct pool_trial *trial = row;
	autofree double *values = checked_calloc(trial->sample_count, sizeof(*values));
	struct spread spread;

	for (size_t i = 0; i < trial->sample_count; i++)
		values[i] = figure_of(&trial->samples[i], index);
	spread = stats__spread(values, trial->sample_count);
	if (!spread.known)
		return cell__absent();
	return cell__in(cell__estimate(spread.median, spread.min, spread.max), FORM_VALUE, *figures[index].unit);
}

#define FIGURE(name, figure) { name, COLUMN_NUMBER, .cell = figure_cell, .index = FIGURE_##figure }

static const struct column trial_columns[] = {
	{ "the pool", WORD_OF(struct pool_trial, way, pool_way_words) },
	{ "runs", COUNT_OF(struct pool_trial, sample_count) },
	FIGURE("Pss_Anon", BYTES),
	FIGURE("average", AVERAGE),
	FIGURE("extra", EXTRA),
	FIGURE("unshared", UNSHARED),
	FIGURE("unknown-origin", ORIGIN),
	FIGURE("new", NEW),
	FIGURE("CPU s", CPU),
	FIGURE("ksmd s", KSMD),
	FIGURE("load s", LOAD),
};

static struct table *ways_table(const struct pool_trials *trials)
{
	struct table *table = table__new("After the load, MiB of all members (medians of the runs; "
					 "Pss_Anon with swap; average: while it ran)");

	TABLE_COLUMNS(table, trial_columns, NULL);
	for (size_t i = 0; i < trials->count; i++)
		if (trials->list[i].sample_count)
			table__add(table, &trials->list[i]);
	return table;
}

static void print_head(const struct pool_trials *trials, const struct table_output *output)
{
	const struct pool_sample *first = &trials->list[0].samples[0];
	const double before = known(pool_memory__bytes(&first->ready)), after = bytes_of(first);
	autofree char *command = words__command(trials->command);

	putc('\n', output->stream);
	wrap__title("Under load", output);
	wrap__paragraph(NULL,
			isnan(before) || isnan(after) ?
				text__of("%s, loaded by: %s", command, trials->load) :
				text__of("%s, loaded by: %s. Its members had %s of anonymous memory "
					 "before the load, and %s after it.",
					 command, trials->load, quantity__size(before).text,
					 quantity__size(after).text), output);
}

void workers_trials__print(const struct pool_trials *trials, const struct report_options *options,
			   const struct table_output *output)
{
	struct advice_order order = advice_order__of_pool(trials);

	print_head(trials, output);
	table__show(ways_table(trials), output);
	if (output->page || !order.count)
		advice_rows__print(&order, options, output);
	else
		advice_text__print(&order, output);
	advice_order__free(&order);
}

void workers_trials__print_brief(const struct pool_trials *trials, const struct report_options *options,
				 const struct table_output *output)
{
	struct advice_order order = advice_order__of_pool(trials);

	advice_rows__print(&order, options, output);
	advice_order__free(&order);
}

/* For programs. */

static struct table *runs_table(const struct pool_trials *trials)
{
	const struct shape *shape = saved_table__shape(saved_table__shape(&pool_trials_shape, "ways"), "samples");
	struct table *table = table__new("Runs");

	table__column(table, "way", COLUMN_TEXT);
	table__column(table, "round", COLUMN_COUNT);
	saved_table__add_columns(table, shape);
	for (size_t i = 0; i < trials->count; i++)
		for (size_t k = 0; k < trials->list[i].sample_count; k++) {
			table__row(table);
			table__text(table, pool_way_keys[trials->list[i].way]);
			table__count(table, k + 1);
			saved_table__put(table, shape, trials, &trials->list[i].samples[k]);
		}
	return table;
}

void workers_trials__data(const struct pool_trials *trials, const struct table_output *output)
{
	table__show(runs_table(trials), output);
	table__show(saved_table__of("Advice", trials, &pool_trials_shape, trials, "advice"), output);
}
