// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bench/serve_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number before `unit`; NAN: it is no such text, or cannot be. */
static double number_before(const char *text, const char *unit)
{
	char *end;
	double number = text ? strtod(text, &end) : NAN;

	return text && end != text && !strcmp(end, unit) && isfinite(number) && number > 0 ?
		       number :
		       NAN;
}

bool serve_question__of(const struct bench *bench, struct serve_question *question)
{
	const struct bench_notes *settings = &bench->settings;

	question->rate = number_before(bench_notes__find(settings, SERVE_RATE_NOTE), "/s");
	question->cpu_ns =
		number_before(bench_notes__find(settings, SERVE_CPU_NOTE), " ms") * 1e6;
	return !isnan(question->rate) || !isnan(question->cpu_ns);
}

double serve_question__busy(const struct serve_question *question)
{
	return question->rate * question->cpu_ns / 1e9;
}

static const double *cpu_of(const struct bench *bench, size_t cell)
{
	return bench->cells[cell].values[BENCH_METRIC_CPU];
}

/* The row is there if ratios are to it. */
bool serve_answer__possible(const struct bench *bench)
{
	return bench->kind == BENCH_SERVE && bench->cell_count && bench->rounds &&
	       bench->baseline_count && bench->baselines[0].row == 0 && cpu_of(bench, 0);
}

struct serve_answer serve_answer__of(const struct bench *bench,
				     const struct serve_question *question, size_t cell)
{
	struct serve_answer answer = { .of_request = NAN, .of_cpu = NAN, .from_rate = NAN,
				       .below_cpu_ns = NAN };
	struct estimate *saving = &answer.saving_ns;
	struct series now, then;

	if (!serve_answer__possible(bench) || !cpu_of(bench, cell))
		return answer;
	now = bench_cell__series(&bench->cells[0], BENCH_METRIC_CPU, bench->rounds);
	then = bench_cell__series(&bench->cells[cell], BENCH_METRIC_CPU, bench->rounds);
	*saving = series__difference(&now, &then, PAIRED);
	answer.of_request = saving->value / question->cpu_ns;
	answer.of_cpu = saving->value * question->rate / 1e9;
	answer.is_shown = estimate__shows(saving, 0) > SHOWN_NOTHING;
	if (answer.is_shown && saving->value > 0) {
		answer.from_rate = SERVE_MATTERS * 1e9 / saving->value;
		answer.below_cpu_ns = saving->value / SERVE_MATTERS;
	}
	return answer;
}
