// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/workers/workers_trials.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/advice_lines.h"
#include "report/cells.h"
#include "report/words.h"

const char *workers_trials__way(enum pool_way way)
{
	static const char *const names[POOL_WAYS] = {
		[POOL_AS_IS] = "as it is",
		[POOL_MERGE] = "same-page merging",
		[POOL_FREEZE] = "gc.freeze()",
		[POOL_COMPACT] = "GC.start, GC.compact",
		[POOL_ARENA] = "MALLOC_ARENA_MAX=1",
		[POOL_REFORK] = "workers restarted",
	};

	return names[way];
}

/* A figure of a run; NAN: not known. */
typedef double figure_fn(const struct pool_sample *sample);

static double known(uint64_t value)
{
	return value == ABSENT ? NAN : (double)value;
}

static double bytes_figure(const struct pool_sample *sample)
{
	return known(pool_memory__bytes(&sample->loaded));
}

static double extra_figure(const struct pool_sample *sample)
{
	return pool_memory__extra(&sample->loaded);
}

static double unshared_figure(const struct pool_sample *sample)
{
	return sample->loaded.unshared_bytes;
}

static double new_figure(const struct pool_sample *sample)
{
	return sample->loaded.new_bytes;
}

static double origin_figure(const struct pool_sample *sample)
{
	return sample->loaded.unknown_origin_bytes;
}

static double cpu_figure(const struct pool_sample *sample)
{
	return known(sample->cpu_ns);
}

static double ksmd_figure(const struct pool_sample *sample)
{
	return known(sample->ksmd_ns);
}

static double load_figure(const struct pool_sample *sample)
{
	return sample->load_ns;
}

static double mean_figure(const struct pool_sample *sample)
{
	return pool_sample__mean(sample);
}

static const struct {
	figure_fn *of;
	const struct unit *unit;
} figures[] = {
	{ bytes_figure, &unit__mib }, { extra_figure, &unit__mib }, { unshared_figure, &unit__mib },
	{ new_figure, &unit__mib },   { cpu_figure, &unit__s },	    { ksmd_figure, &unit__s },
	{ load_figure, &unit__s },    { mean_figure, &unit__mib },  { origin_figure, &unit__mib },
};

/* The median of the rounds; if they differ in what is shown, with the extremes. */
static struct cell figure_cell(const void *subject, const void *row, int index)
{
	const struct pool_trial *trial = row;
	double *values = checked_calloc(trial->sample_count, sizeof(*values));
	struct spread spread;

	for (size_t i = 0; i < trial->sample_count; i++)
		values[i] = figures[index].of(&trial->samples[i]);
	spread = stats__spread(values, trial->sample_count);
	free(values);
	if (!spread.known)
		return cell__absent();
	return cell__said(cell__estimate(spread.median, spread.min, spread.max),
			  text__of("%s", quantity__in(spread.median, *figures[index].unit).text));
}

static struct cell way_cell(const void *subject, const void *row, int index)
{
	return cell__text(workers_trials__way(((const struct pool_trial *)row)->way));
}

static struct cell runs_cell(const void *subject, const void *row, int index)
{
	return cell__count(((const struct pool_trial *)row)->sample_count);
}

#define FIGURE_NAMED(name, number) { name, COLUMN_NUMBER, .cell = figure_cell, .index = number }

static const struct column trial_columns[] = {
	{ "the pool", COLUMN_TEXT, .cell = way_cell },
	{ "runs", COLUMN_COUNT, .cell = runs_cell },
	FIGURE_NAMED("Pss_Anon", 0),
	FIGURE_NAMED("average", 7),
	FIGURE_NAMED("extra", 1),
	FIGURE_NAMED("unshared", 2),
	FIGURE_NAMED("unknown-origin", 8),
	FIGURE_NAMED("new", 3),
	FIGURE_NAMED("CPU s", 4),
	FIGURE_NAMED("ksmd s", 5),
	FIGURE_NAMED("load s", 6),
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
	const double before = known(pool_memory__bytes(&first->ready)), after = bytes_figure(first);
	char *command = words__command(trials->command);

	putc('\n', output->stream);
	wrap__title("Under load", output);
	wrap__paragraph(NULL,
			isnan(before) || isnan(after) ?
				text__of("%s, loaded by: %s", command, trials->load) :
				text__of("%s, loaded by: %s. Its members had %s of anonymous memory "
					 "before the load, and %s after it.",
					 command, trials->load, quantity__size(before).text,
					 quantity__size(after).text), output);
	free(command);
}

static void print_figures(const char *label, const struct estimate *predicted,
			  const struct estimate *measured, struct unit unit,
			  const struct table_output *output)
{
	static const struct estimate nothing;
	char *left = words__estimate(predicted ? predicted : &nothing, unit);
	char *right = words__estimate(measured, unit);

	if ((predicted && predicted->known) || measured->known)
		advice_lines__figures(label, left, right, output);
	free(left);
	free(right);
}

static void print_advice(const struct pool_advice *advice, const struct table_output *output)
{
	advice_lines__title(advice->rule, advice->title, output);
	advice_lines__paragraph("evidence", advice->evidence, output);
	advice_lines__paragraph("do", advice->action, output);
	advice_lines__paragraph("not for", advice->not_for, output);
	if (advice->predicted_bytes.known || advice->measured_bytes.known)
		advice_lines__saves(output);
	print_figures("  MiB", &advice->predicted_bytes, &advice->measured_bytes, unit__mib,
		      output);
	print_figures("  CPU s", NULL, &advice->measured_cpu_ns, unit__s, output);
	print_figures("  load s", NULL, &advice->measured_load_ns, unit__s, output);
	advice_lines__paragraph("tried", advice->tried, output);
}

void workers_trials__print(const struct pool_trials *trials, const struct table_output *output)
{
	print_head(trials, output);
	table__show(ways_table(trials), output);
	if (output->page && trials->advice_count) {
		workers_trials__print_tables(trials, output);
		return;
	}
	putc('\n', output->stream);
	wrap__title(trials->advice_count ? "Advice: what it saves of the pool's anonymous memory" :
		    "Advice: none, no rule has found anything worth saying", output);
	if (trials->advice_count > 1)
		wrap__print(NULL, "Rules may count the same page: their savings do not add up.", 0, 2,
			    output);
	for (size_t i = 0; i < trials->advice_count; i++) {
		struct table_output picture;

		putc('\n', output->stream);
		picture = picture__begin(output);
		print_advice(&trials->advice[i], &picture);
		picture__end(output);
	}
}

/* For programs. */

struct run_row {
	const struct pool_trial *trial;
	uint64_t round;
	struct pool_sample sample;
};

static struct cell run_way(const void *subject, const void *row, int index)
{
	return cell__text(pool_way_keys[((const struct run_row *)row)->trial->way]);
}

#define OF_RUN(name, member) { name, COUNT_OF(struct run_row, member) }

static const struct column run_columns[] = {
	{ "way", COLUMN_TEXT, .cell = run_way },
	OF_RUN("round", round),
	OF_RUN("ready_pss_anon_bytes", sample.ready.pss_anon_bytes),
	OF_RUN("pss_anon_bytes", sample.loaded.pss_anon_bytes),
	OF_RUN("swap_pss_bytes", sample.loaded.swap_pss_bytes),
	OF_RUN("extra_bytes", sample.loaded.extra_bytes),
	OF_RUN("mergeable_bytes", sample.loaded.mergeable_bytes),
	OF_RUN("perhaps_extra_bytes", sample.loaded.perhaps_extra_bytes),
	OF_RUN("workers", sample.loaded.workers),
	OF_RUN("unshared_bytes", sample.loaded.unshared_bytes),
	OF_RUN("new_bytes", sample.loaded.new_bytes),
	OF_RUN("cpu_ns", sample.cpu_ns),
	OF_RUN("ksmd_ns", sample.ksmd_ns),
	OF_RUN("load_ns", sample.load_ns),
	OF_RUN("end_faults", sample.end_faults),
};

static struct table *runs_table(const struct pool_trials *trials)
{
	struct table *table = table__new("Runs");

	TABLE_COLUMNS(table, run_columns, NULL);
	for (size_t i = 0; i < trials->count; i++)
		for (size_t k = 0; k < trials->list[i].sample_count; k++) {
			const struct run_row row = { &trials->list[i], k + 1,
						     trials->list[i].samples[k] };

			table__add(table, &row);
		}
	return table;
}

/* `offset`: of the figure in struct pool_advice. */
static struct cell advice_figure(const void *subject, const void *row, int offset)
{
	const struct estimate *figure = (const struct estimate *)((const char *)row + offset);

	return figure->known ? cell__of_estimate(figure, NULL) : cell__absent();
}

#define OF_ADVICE(name, member) \
	{ name, COLUMN_ESTIMATE, .cell = advice_figure, .index = offsetof(struct pool_advice, member) }

static const struct column advice_columns[] = {
	{ "rule", TEXT_OF(struct pool_advice, rule) },
	{ "title", TEXT_OF(struct pool_advice, title) },
	{ "evidence", TEXT_OF(struct pool_advice, evidence) },
	{ "action", TEXT_OF(struct pool_advice, action) },
	{ "not for", TEXT_OF(struct pool_advice, not_for) },
	{ "tried", TEXT_OF(struct pool_advice, tried) },
	OF_ADVICE("predicted bytes", predicted_bytes),
	OF_ADVICE("measured bytes", measured_bytes),
	OF_ADVICE("measured cpu ns", measured_cpu_ns),
	OF_ADVICE("measured load ns", measured_load_ns),
};

void workers_trials__data(const struct pool_trials *trials, const struct table_output *output)
{
	struct table *table = table__new("Advice");

	table__show(runs_table(trials), output);
	TABLE_COLUMNS(table, advice_columns, NULL);
	for (size_t i = 0; i < trials->advice_count; i++)
		table__add(table, &trials->advice[i]);
	table__show(table, output);
}
