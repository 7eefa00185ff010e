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
	bool has_request, has_rate; /* the user has stated them */
};

struct answer_line {
	struct cell name, saving, of_request, of_cpu, from_rate, below;
};

static const struct column answer_columns[] = {
	{ "", COLUMN_TEXT, CELL_OF(struct answer_line, name) },
	{ "CPU saved", COLUMN_ESTIMATE, CELL_OF(struct answer_line, saving) },
	{ "of request", COLUMN_NUMBER, CELL_OF(struct answer_line, of_request),
	  WHEN(struct answer_table, has_request) },
	{ "of a CPU", COLUMN_NUMBER, CELL_OF(struct answer_line, of_cpu),
	  WHEN(struct answer_table, has_rate) },
	{ "5 % from", COLUMN_NUMBER, CELL_OF(struct answer_line, from_rate) },
	{ "5 % below", COLUMN_NUMBER, CELL_OF(struct answer_line, below) },
};

static struct cell share_cell(double share)
{
	return cell__worded(cell__number(share, DECIMALS_ALL), quantity__percent(share));
}

static struct cell rate_cell(double rate)
{
	struct number_text words;

	snprintf(words.text, sizeof(words.text), "%.0f/s", ceil(rate));
	return cell__worded(cell__number(rate, DECIMALS_ALL), words);
}

/* A saving that is not shown to be one is not put into numbers. */
static void add_answer(struct table *table, const struct bench *bench,
		       const struct serve_question *question, size_t cell)
{
	const struct serve_answer answer = serve_answer__of(bench, question, cell);
	const struct estimate *saving = &answer.saving_ns;
	bool is_shown = answer.is_shown || !saving->bounded;
	struct answer_line line;

	if (!saving->known)
		return;
	line = (struct answer_line){
		.name = cell__own(name_of(bench, cell)),
		.saving = cell__of_estimate(saving, text__of("%s", is_shown ?
						    quantity__time(saving->value).text : "none shown")),
		.of_request = share_cell(is_shown ? answer.of_request : NAN),
		.of_cpu = share_cell(is_shown ? answer.of_cpu : NAN),
		.from_rate = rate_cell(answer.from_rate),
		.below = cell__worded(cell__number(answer.below_cpu_ns, DECIMALS_ALL),
				      quantity__time(answer.below_cpu_ns)),
	};
	table__add(table, &line);
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
	const struct answer_table about = { !isnan(question->cpu_ns), !isnan(question->rate) };
	autofree char *base = name_of(bench, 0), *load = load_text(question);
	struct table *table = table__new("What it would save");

	wrap__paragraph("Load:", text__of("%s, now served by %s.", load, base), output);
	TABLE_COLUMNS(table, answer_columns, &about);
	for (size_t i = 1; i < bench->cell_count; i++)
		add_answer(table, bench, question, i);
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
