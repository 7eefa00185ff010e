// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pool as OpenMetrics. Series must not multiply while workers come and go: so members have no pid here, but
 * a rank by private memory, and only so many are listed. The sums are of all.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/export/openmetrics_lines.h"
#include "report/options.h"
#include "report/shown.h"
#include "report/workers/workers_report.h"

enum { MEMBERS_LISTED = 16 };

/* What is written, and the labels of the pool. */
struct pool_metrics {
	const struct workers *workers;
	FILE *stream;
	const char *pool; /* the name of its first member */
	char *pid; /* of the same: pools of one name are different series */
	const struct worker **members; /* the workers, by private memory */
	size_t listed; /* of these */
};

static void of_pool(const struct pool_metrics *metrics, const char *name, const char *help, uint64_t value)
{
	const struct metric_family family = { name, help };

	if (value == ABSENT)
		return;
	metric__begin(metrics->stream, &family);
	METRIC(metrics->stream, name, value, "pool", metrics->pool, "pid", metrics->pid);
}

/* A number of a member; ABSENT: not known. */
typedef uint64_t of_member_fn(const struct worker *member, uint64_t page_bytes);

static void write_member(const struct pool_metrics *metrics, const char *name, const char *rank,
			 uint64_t value)
{
	if (value != ABSENT)
		METRIC(metrics->stream, name, value, "pool", metrics->pool, "pid", metrics->pid,
		       "member", rank);
}

/* Of a master there is nothing where workers are compared with it. */
static void of_members(const struct pool_metrics *metrics, const char *name, const char *help,
		       of_member_fn *value, bool with_master)
{
	const struct metric_family family = { name, help };
	const uint64_t page_bytes = metrics->workers->machine.page_bytes;

	metric__begin(metrics->stream, &family);
	if (with_master && metrics->workers->has_master)
		write_member(metrics, name, "master", value(&metrics->workers->master, page_bytes));
	for (size_t i = 0; i < metrics->listed; i++) {
		autofree char *rank = text__of("%zu", i + 1);

		write_member(metrics, name, rank, value(metrics->members[i], page_bytes));
	}
}

static uint64_t rss_of(const struct worker *member, uint64_t page_bytes)
{
	return (member->pages.shared + member->pages.own + member->pages.unknown) * page_bytes;
}

static uint64_t pss_of(const struct worker *member, uint64_t page_bytes)
{
	return member->pss_anon_bytes == ABSENT ? member->counted_bytes : member->pss_anon_bytes;
}

static uint64_t uss_of(const struct worker *member, uint64_t page_bytes)
{
	return member->pages.own * page_bytes;
}

static uint64_t copies_of(const struct worker *member, uint64_t page_bytes)
{
	return worker_pages__unshared(&member->pages) * page_bytes;
}

static uint64_t identical_of(const struct worker *member, uint64_t page_bytes)
{
	return member->pages.unshared.identical * page_bytes;
}

static uint64_t new_of(const struct worker *member, uint64_t page_bytes)
{
	return member->pages.new * page_bytes;
}

static void write_pool(const struct pool_metrics *metrics)
{
	const struct workers *workers = metrics->workers;
	const struct workers_cross_check *cross_check = &workers->cross_check;
	const uint64_t page_bytes = workers->machine.page_bytes;
	uint64_t rss = workers->has_master ? rss_of(&workers->master, page_bytes) : 0;
	uint64_t uss = workers->has_master ? uss_of(&workers->master, page_bytes) : 0;

	for (size_t i = 0; i < workers->worker_count; i++) {
		rss += rss_of(&workers->workers[i], page_bytes);
		uss += uss_of(&workers->workers[i], page_bytes);
	}
	of_pool(metrics, "workers", "Workers of the pool, without the master.", workers->worker_count);
	of_pool(metrics, "workers_exact", "1 if everything that the bytes rest on is certain.",
		workers__is_exact(workers));
	of_pool(metrics, "workers_sample_every",
		"1 if all memory was read; N if 1 of N regions was: bytes are estimates.",
		workers->sample.every ? workers->sample.every : 1);
	of_pool(metrics, "workers_rss_bytes", "Anonymous memory present, the sum over all members.", rss);
	of_pool(metrics, "workers_pss_bytes",
		"Anonymous memory of the pool: the sum over all members of Pss_Anon.",
		cross_check->pss_anon_bytes == ABSENT ? cross_check->counted_bytes
						      : cross_check->pss_anon_bytes);
	of_pool(metrics, "workers_uss_bytes", "Private anonymous memory, the sum over all members.", uss);
	of_pool(metrics, "workers_copies_bytes",
		"Copies of inherited pages made since the fork; at least so many if not exact.", workers->extra_bytes);
	of_pool(metrics, "workers_identical_copies_bytes", "Those copies that are byte-identical to another.",
		workers->mergeable_bytes);
	of_pool(metrics, "workers_doubtful_copies_bytes",
		"Memory that may be copies too: whether it was inherited is unknown.",
		workers->perhaps_extra_bytes);
}

static void write_members(const struct pool_metrics *metrics)
{
	of_members(metrics, "workers_member_rss_bytes", "Anonymous memory present.", rss_of, true);
	of_members(metrics, "workers_member_pss_bytes", "Its part of the anonymous memory of the pool.",
		   pss_of, true);
	of_members(metrics, "workers_member_uss_bytes", "Private anonymous memory.", uss_of, true);
	of_members(metrics, "workers_member_copies_bytes", "Inherited, and private since the fork.",
		   copies_of, false);
	of_members(metrics, "workers_member_identical_bytes", "Copies with the bytes that the master has.",
		   identical_of, false);
	of_members(metrics, "workers_member_new_bytes", "Memory where the master has none.", new_of, false);
}

void workers__write_openmetrics(const struct workers *workers, const struct report_options *options,
				FILE *stream)
{
	const bool has_master = workers->has_master;
	const struct worker *first = has_master || !workers->worker_count ? &workers->master
									  : &workers->workers[0];
	const size_t most = room__of_pool(options, MEMBERS_LISTED, MEMBERS_LISTED).rows;
	struct pool_metrics metrics = {
		.workers = workers,
		.stream = stream,
		.pool = first->name ? first->name : "",
		.pid = text__of("%" PRId32, first->pid),
		.members = workers_tables__by_private(workers),
		.listed = most < workers->worker_count ? most : workers->worker_count,
	};

	write_pool(&metrics);
	write_members(&metrics);
	fputs("# EOF\n", stream);
	free(metrics.members);
	free(metrics.pid);
}
