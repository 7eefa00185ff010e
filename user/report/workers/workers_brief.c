// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer about a pool on one screen: how much memory are copies, whose, and what to try next. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/workers/restart.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/options.h"
#include "report/workers/workers_flow_report.h"
#include "report/workers/workers_report.h"

enum { REST_PARTS = 20 }; /* what is less than one part in so many changes little */

/* "gunicorn (pid 3662) and 4 workers", or "3 workers without their master" */
static char *pool_text(const struct workers *workers)
{
	const char *noun = number__plural(workers->worker_count, "worker", "workers");

	if (workers->has_master)
		return text__of("%s (pid %d) and %zu %s", workers->master.name, workers->master.pid,
				workers->worker_count, noun);
	return text__of("%zu %s without their master", workers->worker_count, noun);
}

struct workers_copies workers_copies__of(const struct workers *workers)
{
	struct workers_copies copies = { workers->extra_bytes, 0, workers->mergeable_bytes };

	if (workers->perhaps_extra_bytes == ABSENT ||
	    !workers_words__is_worth(workers->perhaps_extra_bytes, workers->extra_bytes))
		return copies;
	copies.doubtful = workers->perhaps_extra_bytes;
	copies.bytes += copies.doubtful;
	copies.mergeable += workers->perhaps_mergeable_bytes;
	return copies;
}

uint64_t workers_copies__pss(const struct workers *workers)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;

	return cross_check->pss_anon_bytes == ABSENT ? cross_check->counted_bytes
						     : cross_check->pss_anon_bytes;
}

static void add_memory(char **text, uint64_t pss)
{
	if (pss == ABSENT)
		text__replace(text, "%s: the sum of their memory (PSS) is not known", *text);
	else
		text__replace(text, "%s use %s of anonymous memory (PSS)", *text,
			      quantity__size(pss).text);
}

static void add_copies(char **text, const struct workers_copies *copies, const char *least)
{
	if (copies->doubtful)
		text__replace(text, "%s; %s%s of that are copies (it is unknown whether %s of them were "
			      "inherited)", *text, least, quantity__size(copies->bytes).text,
			      quantity__size(copies->doubtful).text);
	else
		text__replace(text, "%s; %s%s of that are copies of inherited pages", *text, least,
			      quantity__size(copies->bytes).text);
	text__replace(text, "%s, %s%s of them byte-identical to another.", *text, least,
		      quantity__size(copies->mergeable).text);
}

static void add_rest(char **text, uint64_t pss, uint64_t mergeable, bool at_least)
{
	if (pss == ABSENT || mergeable < pss / REST_PARTS || mergeable > pss)
		return;
	text__replace(text, "%s Without the identical ones the pool would use %s %s.", *text,
		      at_least ? "at most" : "about", quantity__size(pss - mergeable).text);
}

char *workers_words__verdict(const struct workers *workers)
{
	const struct workers_copies copies = workers_copies__of(workers);
	const uint64_t pss = workers_copies__pss(workers);
	char *text;

	if (!workers->worker_count)
		return text__of("There are no workers now.");
	text = pool_text(workers);
	add_memory(&text, pss);
	if (!copies.bytes) {
		text__replace(&text, "%s; no copies of inherited pages were found.", text);
		return text;
	}
	add_copies(&text, &copies, workers->at_least ? "at least " : "");
	add_rest(&text, pss, copies.mergeable, workers->at_least);
	return text;
}

/* Did one writer copy more than any other? */
static bool copied_most(const struct workers_flow *flow)
{
	if (!flow->copy_count || !flow->writer_count)
		return false;
	return flow->writer_count == 1 || flow->writers[0].copies > flow->writers[1].copies;
}

/* Who copied most; of a pool that was not watched, what the changes look like. */
static char *cause_of(const struct workers *workers)
{
	const struct workers_flow *flow = workers->flow;
	char *code, *text;

	if (!flow)
		return workers->has_state ? workers_words__hint(workers) : NULL;
	if (!copied_most(flow))
		return NULL;
	code = workers_flow__code(&flow->writers[0]);
	text = text__of("%s of the %zu copies while the pool was watched were made by %s.",
			quantity__percent((double)flow->writers[0].copies / flow->copy_count).text,
			flow->copy_count, code);
	free(code);
	return text;
}

static void print_cause(const struct workers *workers, const struct table_output *output)
{
	char *sample = workers->has_state ? workers_words__sample(workers) : NULL;
	char *cause = cause_of(workers);

	if (sample)
		wrap__paragraph(NULL, sample, output);
	if (cause)
		wrap__paragraph("Likely cause:", cause, output);
}

/* What restarting workers would save, if that is worth it. */
static void print_restart(const struct workers_flow *flow, const struct table_output *output)
{
	const struct flow_restart *best = flow ? restart__best(flow) : NULL;

	if (!best)
		return;
	wrap__paragraph("Restart:", text__of("workers restarted after %s each would use %s less on average "
					     "(predicted).", quantity__time(best->period_ns).text,
					     quantity__size(best->saved_bytes.value).text), output);
}

static void print_next(const struct workers *workers, const struct table_output *output)
{
	autofree char *command = NULL;

	if (workers->trials || !workers->has_state || !workers->worker_count || !workers_copies__of(workers).bytes)
		return;
	if (workers->flow)
		command = text__of("forktax workers --load LOAD COMMAND");
	else
		command = text__of("forktax workers --duration 30s -p %d", workers__member_pid(workers, 0));
	putc('\n', output->stream);
	wrap__paragraph("Next:", text__of(workers->flow ? "try remedies while LOAD uses the pool of COMMAND:" :
					  "see which code copies pages:"), output);
	wrap__command(command, 2, output);
}

static void print_state(const struct workers *workers, const struct report_options *options,
			const struct table_output *output)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;

	table__show(workers_tables__largest(workers, options), output);
	if (!cross_check->matches && cross_check->counted_bytes != ABSENT)
		table__show(workers_tables__cross_check(workers, options), output);
	if (workers->trials)
		workers_trials__print_brief(workers->trials, options, output);
}

static void print_gaps(const struct workers *workers, const struct table_output *output)
{
	for (size_t i = 0; i < workers->gap_count; i++)
		wrap__paragraph("Not known:", text__of("%s", workers->gaps[i].what), output);
}

void workers_report__print_brief(const struct workers *workers, const struct report_options *options,
				 const struct table_output *output)
{
	if (!options->quiet)
		print_cause(workers, output);
	if (workers->has_state)
		print_state(workers, options, output);
	if (workers->flow)
		workers_flow__print_brief(workers->flow, options, output);
	if (!options->quiet)
		print_restart(workers->flow, output);
	if (workers->has_state)
		workers_report__print_warnings(workers, output);
	print_gaps(workers, output);
	if (!options->quiet)
		print_next(workers, output);
}
