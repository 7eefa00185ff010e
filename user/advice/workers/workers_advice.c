// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/workers_advice.h"

#include <string.h>

#include "advice/rule.h"
#include "advice/workers/rules_workers.h"
#include "base/memory.h"
#include "model/run/run_fields.h"

/* Does the name of this file begin so? `path` may be NULL. */
static bool begins(const char *path, const char *begin)
{
	return path && *path == '/' && !strncmp(text__file_name(path), begin, strlen(begin));
}

static bool maps_file(const struct workers *workers, const char *begin)
{
	for (size_t i = 0; i < workers->mapping_count; i++)
		if (begins(workers->mappings[i].name, begin))
			return true;
	return false;
}

static bool is_python(const char *path)
{
	return begins(path, "python3") || begins(path, "libpython3");
}

/* Functions of CPython's collector (3.9 to 3.14), with what a compiler puts behind their names. */
static bool is_collector(const char *symbol)
{
	static const char *const names[] = {
		"collect", "deduce_unreachable", "delete_garbage", "expand_region", "gc_collect", "gc_merge", "gc_list",
		"handle_weakrefs", "mark_", "move_unreachable", "subtract_refs", "untrack_", "update_refs", "visit_",
		"_PyGC_Collect", "PyGC_Collect",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(symbol, names[i], strlen(names[i])))
			return true;
	return false;
}

/* A watch tells who wrote, if the interpreter has symbols. What a master frees at its end is no matter of workers. */
static void add_copies(struct pool_subject *subject, const struct workers_flow *flow)
{
	for (size_t i = 0; i < flow->copy_count; i++) {
		const struct flow_writer *writer = &flow->writers[flow->copies[i].writer];

		if (!workers_flow__is_worker(flow, flow->copies[i].member) || !is_python(writer->object))
			continue;
		subject->copied++;
		if (!writer->symbol)
			subject->unnamed++;
		else if (is_collector(writer->symbol))
			subject->collected++;
	}
}

/* Less memory than that, in bytes, is not worth a word: 2 % of the pool, at least 1 MiB. */
static uint64_t worth_of(const struct workers *workers)
{
	const struct workers_cross_check *sums = &workers->cross_check;
	const uint64_t anon = sums->pss_anon_bytes == ABSENT ? sums->counted_bytes : sums->pss_anon_bytes;
	const uint64_t swap = sums->swap_pss_bytes == ABSENT ? 0 : sums->swap_pss_bytes;
	const uint64_t bytes = (anon == ABSENT ? 0 : anon) + swap;
	const uint64_t least = 1 << 20;

	return bytes / 50 > least ? bytes / 50 : least;
}

void workers_advice__find(struct workers *workers)
{
	const struct worker_pages sum = workers__sum(workers);
	struct pool_subject subject = {
		.state = workers,
		.flow = workers->flow,
		.sum = &sum,
		.worth = worth_of(workers),
		.python = maps_file(workers, "python3") || maps_file(workers, "libpython3"),
		.ruby = maps_file(workers, "libruby") || maps_file(workers, "ruby"),
		.program = workers->has_master ? workers->master.name : NULL,
	};
	const struct rule_question question = { .about = ABOUT_WORKERS, .subject = &subject, .group = NO_GROUP };

	if (workers->flow)
		add_copies(&subject, workers->flow);
	rules__ask(&question, &workers->advice, &workers->advice_count);
	for (size_t i = 0; i < workers->advice_count; i++)
		workers->advice[i].by_hand = checked_strdup(advice__way(&workers->advice[i]));
}
