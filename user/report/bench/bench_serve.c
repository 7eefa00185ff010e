// SPDX-License-Identifier: GPL-2.0-or-later
/* Does pre-forking pay? The table, and what it means for the user's own load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/serve_results.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bench/bench_layout.h"
#include "report/cells.h"
#include "report/words.h"

/* A load generator busier than this share of its CPU is what limits the figures. */
static const double generator_limit = 0.9;

/* "pre-fork, static", to be freed. */
static char *name_of(const struct bench *bench, size_t cell)
{
	const char *column = bench->columns[cell % bench->column_count].name;

	return text__of("%s%s%s", bench->rows[cell / bench->column_count].name, *column ? ": " : "",
			column);
}

/* What the table is about. */
struct answer_table {
	const struct bench *bench;
	const struct serve_question *question;
	bool has_request, has_rate; /* the user has stated them */
	struct unit saving, below;
};

struct answer_line {
	char *name;
	struct serve_answer answer;
	bool is_shown; /* a saving that is not shown to be one is not put into numbers */
};

static struct cell saving_cell(const void *subject, const void *row, int index)
{
	const struct answer_line *line = row;
	const struct cell saving = cell__of_estimate(&line->answer.saving_ns, NULL);

	return line->is_shown ? cell__in(saving, FORM_VALUE, ((const struct answer_table *)subject)->saving)
			      : cell__said(saving, text__of("none shown"));
}

static struct cell share_cell(const void *subject, const void *row, int of_cpu)
{
	const struct answer_line *line = row;
	const double share = of_cpu ? line->answer.of_cpu : line->answer.of_request;

	return line->is_shown ? cell__worded(cell__number(share, DECIMALS_ALL), quantity__percent(share))
			      : cell__absent();
}

static struct cell rate_cell(const void *subject, const void *row, int index)
{
	const double rate = ((const struct answer_line *)row)->answer.from_rate;
	struct number_text words;

	snprintf(words.text, sizeof(words.text), "%.0f/s", ceil(rate));
	return cell__worded(cell__number(rate, DECIMALS_ALL), words);
}

static struct cell below_cell(const void *subject, const void *row, int index)
{
	return cell__in(cell__number(((const struct answer_line *)row)->answer.below_cpu_ns, DECIMALS_ALL),
			FORM_VALUE, ((const struct answer_table *)subject)->below);
}

static char *header_with_unit(const struct column *column, const void *subject, int index)
{
	const struct answer_table *about = subject;

	return text__of("%s (%s)", column->header, index ? about->below.name : about->saving.name);
}

static const struct column answer_columns[] = {
	{ "", TEXT_OF(struct answer_line, name) },
	{ "CPU saved", COLUMN_ESTIMATE, .cell = saving_cell, .header_of = header_with_unit },
	{ "of request", COLUMN_NUMBER, .cell = share_cell, WHEN(struct answer_table, has_request) },
	{ "of a CPU", COLUMN_NUMBER, .cell = share_cell, WHEN(struct answer_table, has_rate), .index = 1 },
	{ "5 % from", COLUMN_NUMBER, .cell = rate_cell },
	{ "5 % below", COLUMN_NUMBER, .cell = below_cell, .header_of = header_with_unit, .index = 1 },
};

static struct answer_line line_of(const struct answer_table *about, size_t cell)
{
	struct answer_line line = { NULL, serve_answer__of(about->bench, about->question, cell), false };

	line.is_shown = line.answer.is_shown || !line.answer.saving_ns.bounded;
	return line;
}

static void add_answer(struct table *table, const struct answer_table *about, size_t cell)
{
	struct answer_line line = line_of(about, cell);

	if (!line.answer.saving_ns.known)
		return;
	line.name = name_of(about->bench, cell);
	table__add(table, &line);
	free(line.name);
}

/* Of the least that the columns show. */
static void choose_units(struct answer_table *about)
{
	double saving = INFINITY, below = INFINITY;

	for (size_t i = 1; i < about->bench->cell_count; i++) {
		const struct answer_line line = line_of(about, i);

		if (!line.answer.saving_ns.known)
			continue;
		below = fmin(below, line.answer.below_cpu_ns);
		if (line.is_shown)
			saving = fmin(saving, fabs(line.answer.saving_ns.value));
	}
	about->saving = unit__of_time(isinf(saving) ? 0 : saving);
	about->below = unit__of_time(isinf(below) ? 0 : below);
}

static char *load_text(const struct serve_question *question)
{
	const struct number_text cpu = quantity__time(question->cpu_ns);

	if (isnan(question->cpu_ns))
		return text__of("%g requests/s", question->rate);
	if (isnan(question->rate))
		return text__of("requests of %s CPU each", cpu.text);
	return text__of("%g requests/s of %s CPU each keep %s CPUs busy", question->rate, cpu.text,
			number__rounded(serve_question__busy(question)).text);
}

static void print_answers(const struct bench *bench, const struct serve_question *question,
			  const struct table_output *output)
{
	struct answer_table about = {
		.bench = bench,
		.question = question,
		.has_request = !isnan(question->cpu_ns),
		.has_rate = !isnan(question->rate),
	};
	autofree char *base = name_of(bench, 0), *load = load_text(question);
	struct table *table = table__new("What it would save");

	wrap__paragraph("Load:", text__of("%s, now served by %s.", load, base), output);
	choose_units(&about);
	TABLE_COLUMNS(table, answer_columns, &about);
	for (size_t i = 1; i < bench->cell_count; i++)
		add_answer(table, &about, i);
	table__show(table, output);
	putc('\n', output->stream);
}

/* The cell that saves most for sure; 0: none does. */
static size_t best_of(const struct bench *bench, const struct serve_question *question)
{
	double most = 0;
	size_t best = 0;

	for (size_t i = 1; i < bench->cell_count; i++) {
		const struct serve_answer answer = serve_answer__of(bench, question, i);

		if (!answer.is_shown || answer.saving_ns.value <= most)
			continue;
		most = answer.saving_ns.value;
		best = i;
	}
	return best;
}

static const char *judgement(double share)
{
	if (share >= SERVE_MATTERS)
		return "that matters";
	return share >= SERVE_MATTERS / 5 ? "that hardly matters" : "that does not matter";
}

static void print_verdict(const struct bench *bench, const struct serve_question *question,
			  const struct table_output *output)
{
	size_t best = best_of(bench, question);
	const struct serve_answer answer = serve_answer__of(bench, question, best);
	bool by_request = !isnan(question->cpu_ns);
	double share = by_request ? answer.of_request : answer.of_cpu;
	autofree char *name = NULL;

	if (bench->rounds < STATS_INTERVAL_MIN) {
		wrap__paragraph("Answer:",
			   text__of("none: fewer than %d rounds cannot tell a difference from "
				    "chance.",
				    STATS_INTERVAL_MIN), output);
		return;
	}
	if (!best) {
		wrap__paragraph("Answer:", text__of("no model was shown to need less CPU per request than "
						    "a fork per connection."), output);
		return;
	}
	name = name_of(bench, best);
	wrap__paragraph("Answer:",
		   text__of("at best (%s) %s of %s would be saved: %s. That would be 5 %% of one CPU "
			    "from %.0f requests/s on, or 5 %% of a request if that took less than "
			    "%s CPU.",
			    name, quantity__percent(share).text,
			    by_request ? "the CPU time" : "one CPU", judgement(share),
			    ceil(answer.from_rate), quantity__time(answer.below_cpu_ns).text),
			    output);
}

/* Where the load generator was the limit, the figure is not the server's. */
static void print_limits(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	autofree char *names = NULL;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct estimate *metrics = analysis->cells[i].metrics;
		const struct estimate *client = &metrics[BENCH_METRIC_CLIENT_CPU];
		autofree char *name = NULL;

		if (!client->known ||
		    client->value < generator_limit * metrics[BENCH_METRIC_TIME].value)
			continue;
		name = name_of(bench, i);
		text__replace(&names, "%s%s%s", names ? names : "", names ? "; " : "", name);
	}
	if (names)
		wrap__paragraph("Note:",
			   text__of("the load was as busy as one CPU allows, so the server could have "
				    "served more (%s).", names), output);
}

void bench_serve__print_after(const struct bench_analysis *analysis, const struct table_output *output)
{
	struct serve_question question;

	print_limits(analysis, output);
	if (serve_question__of(analysis->bench, &question) && serve_answer__possible(analysis->bench))
		print_answers(analysis->bench, &question, output);
}

void bench_serve__print_answer(const struct bench_analysis *analysis, const struct table_output *output)
{
	struct serve_question question;

	if (!serve_question__of(analysis->bench, &question))
		return;
	if (serve_answer__possible(analysis->bench))
		print_verdict(analysis->bench, &question, output);
	else
		wrap__paragraph("Answer:",
				text__of("none: forks per connection were not measured, so there is "
					 "nothing to compare with."), output);
	putc('\n', output->stream);
}
