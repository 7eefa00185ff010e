// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer about a pool on one screen: how much memory are copies, whose, and what to try next. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/number.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/advice_tables.h"
#include "report/options.h"
#include "report/workers/workers_flow_report.h"
#include "report/workers/workers_report.h"

enum { SHMEM_PARTS = 20 }; /* less of what exists once is not said first */
/* Less is no best advice: one part in so many of the pool, and so many bytes. */
enum { BEST_PARTS = 20, BEST_BYTES = 8 << 20 };
enum { OWN_PARTS = 5 }; /* less of what is new in all workers is little */

/* "gunicorn (pid 3662) and 4 workers", or "3 workers without their master" */
static char *pool_text(const struct workers *workers)
{
	const char *noun = number__plural(workers->worker_count, "worker", "workers");

	if (workers->has_master)
		return text__of("%s (pid %d) and %zu %s", workers->master.name, workers->master.pid,
				workers->worker_count, noun);
	return text__of("%zu %s without their master", workers->worker_count, noun);
}

static uint64_t sum_of(const struct workers_cost *cost, size_t workers)
{
	return workers_cost__once(cost) + workers * workers_cost__each(cost);
}

/* "107 MiB (PSS). 21.4 MiB of that exist once, 0.7 MiB of these are shared memory (shmem)." */
static void add_once(char **text, const struct workers *workers, const struct workers_cost *cost)
{
	if (cost->anon == ABSENT) {
		text__replace(text, "%s: the sum of their memory (PSS) is not known.", *text);
	} else {
		text__replace(text, "%s use %s%s (PSS). %s%s of that exist once", *text,
			      cost->is_estimate ? "about " : "",
			      quantity__size(sum_of(cost, workers->worker_count)).text,
			      cost->unknown ? "At most " : "", quantity__size(workers_cost__once(cost)).text);
		if (cost->shmem != ABSENT && cost->shmem >= workers_cost__once(cost) / SHMEM_PARTS && cost->shmem)
			text__replace(text, "%s; %s of these are shared memory (shmem)", *text,
				      quantity__size(cost->shmem).text);
		text__replace(text, "%s.", *text);
	}
}

/* The largest part of a worker's own memory, in words. */
static const char *largest_part(const struct workers_cost *cost, bool has_master, uint64_t *bytes)
{
	const struct {
		uint64_t bytes;
		const char *words;
	} parts[] = {
		{ cost->same, has_master ? "copies with the same contents as the master's memory"
					 : "copies with the same contents as in another worker" },
		{ cost->changed, "copies that have changed" },
		{ cost->repeated, "new memory with the same contents as in other workers" },
		{ cost->new, "new memory of its own" },
	};
	size_t most = 0;

	for (size_t i = 1; i < sizeof(parts) / sizeof(parts[0]); i++)
		most = parts[i].bytes > parts[most].bytes ? i : most;
	*bytes = parts[most].bytes;
	return parts[most].words;
}

char *workers_words__verdict(const struct workers *workers)
{
	const struct workers_cost cost = workers__cost(workers);
	const uint64_t each = workers_cost__each(&cost);
	char *text;
	uint64_t part;
	const char *words = largest_part(&cost, workers->has_master, &part);

	if (!workers->worker_count)
		return text__of("There are no workers now.");
	text = pool_text(workers);
	add_once(&text, workers, &cost);
	text__replace(&text, "%s One more worker costs %s%s", text, cost.unknown ? "at least " : "",
		      quantity__size(each).text);
	if (part)
		text__replace(&text, "%s, as each does on average: above all %s (%s)", text, words,
			      quantity__share(part, each).text);
	text__replace(&text, "%s.", text);
	return text;
}

/* Bytes that the pool has in addition to what exists once. */
static uint64_t growth_of(const struct workers *workers)
{
	const struct workers_cost cost = workers__cost(workers);

	return workers->worker_count * workers_cost__each(&cost);
}

static uint64_t copied_now(const struct workers *workers)
{
	const struct workers_cost cost = workers__cost(workers);

	return workers->worker_count * (cost.same + cost.changed);
}

static uint64_t filled_while_watched(const struct workers_flow *flow)
{
	uint64_t pages = flow->unattributed;

	for (size_t i = 0; i < flow->member_count; i++)
		pages += flow->members[i].filled;
	return pages * flow->page_bytes;
}

static uint64_t copied_while_watched(const struct workers_flow *flow)
{
	return flow->copy_count * flow->page_bytes;
}

/* Was most of the growth there before the watch, whose code is therefore not known? */
static bool came_too_late(const struct workers *workers)
{
	return workers->flow && workers->has_state &&
	       copied_while_watched(workers->flow) + filled_while_watched(workers->flow) < growth_of(workers) / 2;
}

/* Who copied most, if copies that the watch saw are the largest part of the growth. */
static char *writer_of(const struct workers *workers)
{
	const struct workers_flow *flow = workers->flow;
	const uint64_t growth = workers->has_state ? growth_of(workers) : filled_while_watched(flow);
	autofree char *code = flow->writer_count ? workers_flow__code(&flow->writers[0]) : NULL;

	if (!flow->copy_count || !flow->writer_count || 2 * copied_while_watched(flow) < growth ||
	    (flow->writer_count > 1 && flow->writers[0].copies == flow->writers[1].copies))
		return NULL;
	return text__of("%s of the %zu copies while the pool was watched were made by %s.",
			quantity__percent((double)flow->writers[0].copies / flow->copy_count).text,
			flow->copy_count, code);
}

/* What the copies look like, if they are the largest part of the growth. */
static char *looks_of(const struct workers *workers)
{
	const struct workers_writers writers = workers__python_writers(workers);
	const uint64_t copied = copied_now(workers);

	if (2 * copied < growth_of(workers))
		return NULL;
	if (2 * writers.counts >= copied)
		return text__of("reference counts. %s of %s of copies hold objects of Python, and its garbage "
				"collector has not written to them. Reading an object writes its reference count, "
				"which lies in the object.", quantity__size(writers.counts).text,
				quantity__size(copied).text);
	if (2 * writers.collector >= copied)
		return text__of("the garbage collector of Python. It wrote to %s of %s of copies.",
				quantity__size(writers.collector).text, quantity__size(copied).text);
	return workers_words__hint(workers);
}

static char *cause_of(const struct workers *workers)
{
	char *text = workers->has_state ? looks_of(workers) : NULL;

	if (!text && workers->flow)
		text = writer_of(workers);
	return text;
}

/* What is there now, but for what the watch saw. */
static void print_too_late(const struct workers *workers, const struct table_output *output)
{
	const uint64_t copied = copied_while_watched(workers->flow), filled = filled_while_watched(workers->flow);

	wrap__paragraph("Before the watch:",
			text__of("%s of the %s that workers have for themselves. The watch saw %s of copies and %s of "
				 "new memory.", quantity__size(growth_of(workers) - copied - filled).text,
				 quantity__size(growth_of(workers)).text, quantity__size(copied).text,
				 quantity__size(filled).text), output);
}

static void print_cause(const struct workers *workers, const struct table_output *output)
{
	char *cause = cause_of(workers);

	if (cause)
		wrap__paragraph("Likely cause:", cause, output);
	if (came_too_late(workers))
		print_too_late(workers, output);
}

static void print_next(const struct workers *workers, const struct table_output *output)
{
	const bool is_late = came_too_late(workers);
	autofree char *command = NULL;
	const char *what = "see which code copies pages:";

	if (!workers->has_state || !workers->worker_count || !copied_now(workers) || (workers->flow && !is_late))
		return;
	if (is_late) {
		what = "watch the pool from its first fork on, with COMMAND that starts it:";
		command = text__of("forktax workers --duration 30s -- COMMAND");
	} else {
		command = text__of("forktax workers --duration 30s -p %d", workers__member_pid(workers, 0));
	}
	putc('\n', output->stream);
	wrap__paragraph("Next:", text__of("%s", what), output);
	wrap__command(command, 2, output);
}

/* Is most of a worker what nobody else has, and `worth`, that of the best advice, little beside it? */
static bool is_own(const struct workers_cost *cost, size_t workers, double worth)
{
	const uint64_t own = cost->new * workers;

	return 2 * cost->new > workers_cost__each(cost) && cost->new >= BEST_BYTES &&
	       own * BEST_PARTS >= sum_of(cost, workers) && worth * OWN_PARTS < own;
}

/* The best, in full, if it saves enough. */
static void print_best(const struct workers *workers, const struct advice *best, const struct table_output *output)
{
	const struct workers_cost cost = workers__cost(workers);
	const uint64_t sum = sum_of(&cost, workers->worker_count);
	const double worth = best ? advice_order__bytes(best) : 0;
	const struct estimate *saving = best ? &best->predicted_bytes : NULL;

	if (!workers->has_state || !workers->worker_count)
		return;
	if (is_own(&cost, workers->worker_count, worth)) {
		wrap__paragraph("Nothing to share:",
				text__of("%s of each worker is new since its fork, and its own. Fewer workers take "
					 "less, and so do workers that end after some work and start again: one worker "
					 "less saves %s of %s.", quantity__size(cost.new).text,
					 quantity__size(workers_cost__each(&cost)).text, quantity__size(sum).text),
				output);
	} else if (worth * BEST_PARTS >= sum && worth >= BEST_BYTES) {
		wrap__paragraph("Best advice:",
				text__of("%s Predicted: saves %s%s of %s.", best->action,
					 saving->bounded && saving->value < saving->high ? "up to " : "",
					 quantity__size(saving->high).text, quantity__size(sum).text), output);
		if (best->not_for)
			wrap__paragraph("Not for:", text__of("%s", best->not_for), output);
	}
}

/* What gives memory back, and how to try the best of it. */
static void print_advice(const struct advice_order *order, const struct report_options *options,
			 const struct table_output *output)
{
	if (order->count)
		advice_rows__print(order, options, output);
	if (order->count && !options->quiet) {
		wrap__paragraph(NULL, text__of("To try %s, start the pool by this line, and compare:",
					       order->list[0]->rule), output);
		wrap__command(order->list[0]->by_hand, 2, output);
	}
}

static void print_gaps(const struct workers *workers, const struct table_output *output)
{
	for (size_t i = 0; i < workers->gap_count; i++)
		wrap__paragraph("Not known:", text__of("%s", workers->gaps[i].what), output);
}

void workers_report__print_brief(const struct workers *workers, const struct report_options *options,
				 const struct table_output *output)
{
	struct advice_order order = advice_order__of_pool(workers);

	if (!options->quiet)
		print_best(workers, order.count ? order.list[0] : NULL, output);
	if (!options->quiet)
		print_cause(workers, output);
	if (workers->has_state && workers->worker_count)
		table__show(workers_tables__cost(workers), output);
	if (workers->has_state)
		table__show(workers_tables__largest(workers, options), output);
	if (workers->flow)
		workers_flow__print_brief(workers->flow, options, output);
	if (workers->has_state)
		workers_report__print_warnings(workers, output);
	print_gaps(workers, output);
	print_advice(&order, options, output);
	advice_order__free(&order);
	if (!options->quiet)
		print_next(workers, output);
}
