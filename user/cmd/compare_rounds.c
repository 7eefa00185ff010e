// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of a comparison that are no saved runs, as variants to be run in turns. */
#include "base/memory.h"
#include "cmd/compare_job.h"

static struct variant *live_columns(const struct compare_job *job, size_t *count)
{
	struct variant *variants = checked_calloc(job->column_count, sizeof(*variants));

	*count = 0;
	for (size_t i = 0; i < job->column_count; i++) {
		const struct compare_column *column = &job->columns[i];

		if (compare_column__is_live(column))
			variants[(*count)++] = (struct variant){
				.label = column->label,
				.path = column->path,
				.argv = column->command,
			};
	}
	return variants;
}

static void take_results(struct compare_job *job, const struct variant *variants)
{
	size_t next = 0;

	for (size_t i = 0; i < job->column_count; i++) {
		struct compare_column *column = &job->columns[i];

		if (!compare_column__is_live(column))
			continue;
		column->samples_ns = variants[next].samples_ns;
		column->cpu_ns = variants[next].cpu_ns;
		column->others = variants[next].others;
		column->sample_count = variants[next].sample_count;
		column->runs = variants[next].runs;
		column->run_count = variants[next].run_count;
		next++;
	}
}

int compare_job__measure(struct compare_job *job)
{
	struct rounds rounds = job->rounds;
	int status;

	rounds.variants = live_columns(job, &rounds.count);
	status = rounds__measure(&rounds);
	take_results(job, rounds.variants);
	free(rounds.variants);
	return status;
}
