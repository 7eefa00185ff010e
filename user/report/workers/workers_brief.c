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

/* What the first sentence says, bytes: copies for sure, and where they count those that are perhaps copies. */
struct workers_copies {
	uint64_t bytes, doubtful, mergeable;
};

static struct workers_copies copies_of(const struct workers *workers)
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

/* Of all members, by the kernel; where its sum was not read, by their pages. */
static uint64_t pss_of(const struct workers *workers)
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

/* What is left of the sharing: of each worker, on average. */
static void add_each(char **text, const struct workers *workers)
{
	const struct worker_pages sum = workers__sum(workers);
	const uint64_t count = workers->worker_count, page = workers->machine.page_bytes;

	text__replace(text, "%s %s %s for itself and still shares %s%s with the others%s.", *text,
		      count == 1 ? "The worker has" : "Each worker has", quantity__size(sum.own / count * page).text,
		      sum.unknown ? "at least " : "", quantity__size(sum.shared / count * page).text,
		      count == 1 ? "" : ", on average");
}

/* Shared memory is no part of the sums above. */
static void add_shmem(char **text, const struct workers *workers, uint64_t pss)
{
	const uint64_t shmem = workers__shmem(workers);

	if (shmem != ABSENT && shmem && (pss == ABSENT || shmem >= pss / REST_PARTS))
		text__replace(text, "%s The pool also has %s of shared memory (shmem), each page once.", *text,
			      quantity__size(shmem).text);
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
	const struct workers_copies copies = copies_of(workers);
	const uint64_t pss = pss_of(workers);
	char *text;

	if (!workers->worker_count)
		return text__of("There are no workers now.");
	text = pool_text(workers);
	add_memory(&text, pss);
	if (copies.bytes) {
		add_copies(&text, &copies, workers->at_least ? "at least " : "");
		add_rest(&text, pss, copies.mergeable, workers->at_least);
	} else {
		text__replace(&text, "%s; no copies of inherited pages were found.", text);
	}
	add_each(&text, workers);
	add_shmem(&text, workers, pss);
	return text;
}

/* Less than one part in so many names no cause. */
enum { CAUSE_PARTS = 10 };

static uint64_t copied_while_watched(const struct workers_flow *flow)
{
	return flow->copy_count * flow->page_bytes;
}

/* Were nearly all copies there before the watch, whose code is therefore not known? */
static bool came_too_late(const struct workers *workers)
{
	return workers->flow && workers->has_state &&
	       copied_while_watched(workers->flow) < copies_of(workers).bytes / CAUSE_PARTS;
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
	if (!copied_most(flow) || came_too_late(workers))
		return NULL;
	code = workers_flow__code(&flow->writers[0]);
	text = text__of("%s of the %zu copies while the pool was watched were made by %s.",
			quantity__percent((double)flow->writers[0].copies / flow->copy_count).text,
			flow->copy_count, code);
	free(code);
	return text;
}

/* The copies that are there now, but for those that the watch saw. */
static void print_too_late(const struct workers *workers, const struct table_output *output)
{
	const uint64_t seen = copied_while_watched(workers->flow);

	wrap__paragraph("Cause not known:",
			text__of("%s were copied before the watch, which saw %s (%s).",
				 quantity__size(copies_of(workers).bytes - seen).text,
				 quantity__count(workers->flow->copy_count, "copy", "copies").text,
				 quantity__size(seen).text), output);
}

static void print_cause(const struct workers *workers, const struct table_output *output)
{
	char *sample = workers->has_state ? workers_words__sample(workers) : NULL;
	char *cause = cause_of(workers);

	if (sample)
		wrap__paragraph(NULL, sample, output);
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

	if (!workers->has_state || !workers->worker_count || !copies_of(workers).bytes || (workers->flow && !is_late))
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

/* What gives memory back, and how to try the best of it. */
static void print_advice(const struct workers *workers, const struct report_options *options,
			 const struct table_output *output)
{
	struct advice_order order = advice_order__of_pool(workers);

	if (order.count)
		advice_rows__print(&order, options, output);
	if (order.count && !options->quiet) {
		wrap__paragraph(NULL, text__of("To try %s, start the pool by this line, and compare:",
					       order.list[0]->rule), output);
		wrap__command(order.list[0]->by_hand, 2, output);
	}
	advice_order__free(&order);
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
		table__show(workers_tables__largest(workers, options), output);
	if (workers->flow)
		workers_flow__print_brief(workers->flow, options, output);
	if (workers->has_state)
		workers_report__print_warnings(workers, output);
	print_gaps(workers, output);
	print_advice(workers, options, output);
	if (!options->quiet)
		print_next(workers, output);
}
