// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/variants.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/series.h"
#include "base/autofree.h"
#include "cmd/commands.h"
#include "model/rows/fields.h"
#include "resolve/resolve.h"
#include "source/privileges.h"
#include "source/trace.h"

/* Checks this before the timed rounds, not after them. */
static int check_capabilities(const struct rounds *rounds)
{
	const struct trace_request request = { .source = rounds->source, .anatomy = rounds->anatomy,
					       .fault_level = FAULTS_SEEN };
	const char *missing = trace__missing_privileges(&request);
	autofree char *lacking = NULL;

	if (!rounds->traced || !missing)
		return 0;
	lacking = privileges__lacking(missing);
	print_error(rounds->name, 0, "%s%s", lacking,
		    rounds->start ? "; or leave out --startup, to count by strace"
				  : "; --traced-runs 0 leaves out the traced runs");
	return EXIT_FORKTAX;
}

static int print_failure(const struct rounds *rounds, const struct rounds_end *end)
{
	static const int statuses[] = {
		[ROUNDS_FAILED] = EXIT_FORKTAX,
		[ROUNDS_REFUSED] = EXIT_REFUSED,
		[ROUNDS_MISSING] = EXIT_MISSING,
	};

	return print_error(rounds->name, statuses[end->failure], "%s", end->reason);
}

static int print_interrupted(const struct rounds *rounds, const struct rounds_end *end)
{
	if (!end->timed && !end->traced)
		return print_error(rounds->name, 128 + end->signal, "interrupted before a round was complete");
	return print_error(rounds->name, 0, "interrupted after %zu of %zu timed rounds and %zu of %zu traced ones",
			   end->timed, rounds->timed, end->traced, rounds->traced);
}

void drop_unknown_lines(struct run *run)
{
	if (!run->lines || script_lines__has_known(run->lines) || run->lines->left_out)
		return;
	shape__free(&script_lines_shape, run->lines);
	run->lines = NULL;
}

int variants__measure(struct variant *variants, size_t count, const struct rounds *rounds, int *signal)
{
	int status = count ? check_capabilities(rounds) : 0;
	struct rounds_end end;

	*signal = 0;
	if (status || !count)
		return status;
	end = rounds__measure(rounds, variants, count, rounds->progress ? bench_progress__show : NULL);
	if (rounds->progress)
		bench_progress__clear();
	*signal = end.signal;
	if (end.signal)
		status = print_interrupted(rounds, &end);
	else if (end.failure)
		status = print_failure(rounds, &end);
	free(end.reason);
	for (size_t i = 0; i < count && !status; i++) {
		for (size_t k = 0; k < variants[i].run_count; k++) {
			resolve__run(variants[i].runs[k]);
			drop_unknown_lines(variants[i].runs[k]);
		}
	}
	return status;
}

void variants__warn(const char *name, const struct variant *variants)
{
	const struct disturbance disturbance = { .busy = variants->busy };
	autofree char *words = variants->sample_count ? disturbance__words(&disturbance) : NULL;

	if (words)
		print_error(name, 0, "warning: %s", words);
}

void variant__move(struct variant *variant, struct compare_column *column)
{
	column->samples_ns = variant->samples_ns;
	column->cpu_ns = variant->cpu_ns;
	column->others = variant->others;
	column->sample_count = variant->sample_count;
	column->busy = variant->sample_count ? variant->busy : NAN;
	column->seed = variant->seed;
	column->runs = variant->runs;
	column->run_count = variant->run_count;
	*variant = (struct variant){ .label = variant->label };
}
