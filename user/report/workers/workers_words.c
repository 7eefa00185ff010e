// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "report/workers/workers_report.h"

char *workers_words__size(uint64_t bytes)
{
	if (bytes == ABSENT)
		return text__of("-");
	if (bytes < 1 << 20)
		return text__of("%.0f KiB", bytes / 1024.0);
	return text__of("%.1f MiB", bytes / 1048576.0);
}

char *workers_words__age(uint64_t ns)
{
	uint64_t seconds = ns / 1000000000;

	if (seconds < 60)
		return text__of("%.1f s", ns / 1e9);
	if (seconds < 3600)
		return text__of("%" PRIu64 " min", seconds / 60);
	if (seconds < 48 * 3600)
		return text__of("%" PRIu64 " h", seconds / 3600);
	return text__of("%" PRIu64 " d", seconds / 86400);
}

static char *size_of_pages(uint64_t pages)
{
	return workers_words__size(pages * PAGE_BYTES);
}

/* Pages of all workers as the share of one. */
struct share {
	const struct workers *workers;
	struct worker_pages sum;
};

static char *each(const struct share *share, uint64_t pages)
{
	return size_of_pages(pages / share->workers->worker_count);
}

static const char *each_worker(const struct share *share)
{
	return share->workers->worker_count == 1 ? "the worker" : "each worker";
}

static const char *on_average(const struct share *share)
{
	return share->workers->worker_count == 1 ? "" : " on average";
}

static char *unshared_sentence(const struct share *share)
{
	uint64_t unshared = worker_pages__unshared(&share->sum);
	char *all = each(share, unshared), *same = each(share, share->sum.identical), *text;

	if (!unshared)
		text = text__of("All that %s has inherited and still has is shared.",
				each_worker(share));
	else if (share->sum.unread == unshared)
		text = text__of("%s that %s has inherited is no longer shared%s; what it holds could "
				"not be read.", all, each_worker(share), on_average(share));
	else
		text = text__of("Of the %s that %s no longer shares%s, %s (%.0f %%) are byte for byte "
				"what the master has.", all, each_worker(share), on_average(share),
				same, 100.0 * share->sum.identical / unshared);
	free(all);
	free(same);
	return text;
}

static char *shared_sentence(const struct share *share)
{
	uint64_t new = share->sum.new + share->sum.file_private;
	char *shared = each(share, share->sum.shared), *fresh = each(share, new), *text;

	text = text__of("%s is still shared by %s%s; %s is memory where the master has none: new, or "
			"given back by the master since.",
			shared, each_worker(share), on_average(share), fresh);
	free(shared);
	free(fresh);
	return text;
}

static char *copied_sentence(const struct share *share)
{
	const struct worker_pages *master = &share->workers->master.pages;
	const uint64_t now = share->workers->started, first = share->workers->baseline;
	char *before, *workers, *own, *left, *text;

	if (share->sum.copied == ABSENT || master->copied == ABSENT)
		return NULL;
	before = first <= now ? text__of(", %.0f s before", (now - first) / 1e9) :
				checked_strdup(""); /* the clock was set back */
	workers = size_of_pages(share->sum.copied);
	own = size_of_pages(master->copied);
	left = size_of_pages(share->sum.sole + master->sole);
	text = text__of("Of what was shared at the first look%s, all workers have copied %s, and the "
			"master %s; %s was left to one process alone.", before, workers, own, left);
	free(before);
	free(workers);
	free(own);
	free(left);
	return text;
}

static char *pool_sentence(const struct workers *workers)
{
	const char *least = workers->at_least ? "at least " : "";
	char *extra = workers_words__size(workers->extra_bytes);
	char *mergeable = workers_words__size(workers->mergeable_bytes);
	char *text = text__of("Copies cost the pool %s%s beyond one page per address; %s%s of that "
			      "could be merged again, because the contents are the same.", least,
			      extra, least, mergeable);

	free(extra);
	free(mergeable);
	return text;
}

/* Whose contents are known to have changed, and what the changes look like. */
static char *hint_sentence(const struct share *share)
{
	const struct worker_pages *sum = &share->sum;

	if (!sum->changed_words)
		return NULL;
	if (2 * sum->count_words >= sum->changed_words)
		return text__of("Hint: %.0f %% of the words that changed differ by at most 16, as "
				"reference counts do.", 100.0 * sum->count_words / sum->changed_words);
	if (10 * sum->age_words >= sum->changed_words)
		return text__of("Hint: %.0f %% of the words that changed differ in bits 5 and 6 alone, "
				"as the ages of Ruby's objects do.",
				100.0 * sum->age_words / sum->changed_words);
	return NULL;
}

static char *between(const struct estimate *figure)
{
	return text__of("%.1f to %.1f", figure->low / 1048576, figure->high / 1048576);
}

static char *sample_sentence(const struct workers *workers)
{
	const struct workers_sample *sample = &workers->sample;
	char *shared, *unshared, *new, *extra, *mergeable, *text;

	if (sample->every <= 1)
		return NULL;
	shared = between(&sample->shared);
	unshared = between(&sample->unshared);
	new = between(&sample->new);
	extra = between(&sample->extra);
	mergeable = between(&sample->mergeable);
	text = text__of("All this is estimated: %" PRIu64 " of %" PRIu64 " pieces of 2 MiB were looked at. "
			"With a confidence of 95 %% all workers together share %s MiB, have %s MiB that they "
			"no longer share, and %s MiB where the master has none; copies cost %s MiB, of which "
			"%s MiB could be merged.", sample->looked, sample->pieces, shared, unshared, new,
			extra, mergeable);
	free(shared);
	free(unshared);
	free(new);
	free(extra);
	free(mergeable);
	return text;
}

static char *origin_sentence(const struct share *share)
{
	uint64_t pages = share->sum.unknown_origin;
	char *size = each(share, pages), *text = NULL;

	if (pages)
		text = text__of("Of %s%s it is not known whether it was inherited: the master has "
				"memory at the same addresses, and nothing there is shared.", size,
				share->workers->worker_count == 1 ? "" : " of each worker on average");
	free(size);
	return text;
}

static void add(char *sentences[WORKERS_SENTENCES], char *text)
{
	sentences[text__list_length(sentences)] = text; /* NULL adds nothing */
}

void workers_words__sentences(const struct workers *workers, char *sentences[WORKERS_SENTENCES])
{
	const struct share share = { workers, workers__sum(workers) };

	for (int i = 0; i < WORKERS_SENTENCES; i++)
		sentences[i] = NULL;
	if (!workers->worker_count) {
		add(sentences, text__of("There are no workers now."));
		return;
	}
	add(sentences, unshared_sentence(&share));
	add(sentences, shared_sentence(&share));
	add(sentences, copied_sentence(&share));
	add(sentences, pool_sentence(workers));
	add(sentences, sample_sentence(workers));
	add(sentences, origin_sentence(&share));
	add(sentences, hint_sentence(&share));
}
