// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/workers/workers_report.h"

static struct number_text size_of_pages(uint64_t pages)
{
	return quantity__size(pages * PAGE_BYTES);
}

/* Pages of all workers as the share of one. */
struct share {
	const struct workers *workers;
	struct worker_pages sum;
};

static struct number_text each(const struct share *share, uint64_t pages)
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

/* Whom workers are compared with. */
static const char *reference(const struct share *share)
{
	return share->workers->has_master ? "the master has" : "most of them have";
}

static char *master_sentence(const struct workers *workers)
{
	if (workers->has_master)
		return NULL;
	return text__of("The process that these %zu workers were forked from is none of them: it has ended, or "
			"executes another program. They are compared with what most of them have.",
			workers->worker_count);
}

/* A little memory of unknown origin does not change the sentence; it is reported under "Not known". */
enum { WORTH_SAYING = 100 }; /* one part in so many */

bool workers_words__is_worth(uint64_t doubtful, uint64_t sure)
{
	return doubtful && doubtful >= (doubtful + sure) / WORTH_SAYING;
}

/* Pages of unknown origin, if they count for what is said first. */
static uint64_t doubtful(const struct share *share)
{
	const uint64_t pages = share->sum.unknown_origin;

	return workers_words__is_worth(pages, worker_pages__unshared(&share->sum)) ? pages : 0;
}

/* What each has for itself at addresses where the master has memory, too. */
static char *own_words(const struct share *share, uint64_t unshared)
{
	char *text;

	if (doubtful(share))
		text = text__of("the %s that %s has for itself%s where %s memory, too",
				each(share, unshared + doubtful(share)).text,
				each_worker(share), on_average(share),
				share->workers->has_master ? "the master has" : "others have");
	else
		text = text__of("the %s that %s no longer shares%s",
				each(share, unshared + doubtful(share)).text, each_worker(share),
				on_average(share));
	return text;
}

static char *alike_words(const struct share *share, uint64_t unshared)
{
	const struct page_classes *sure = &share->sum.unshared, *perhaps = &share->sum.perhaps;
	const bool is_read = perhaps->identical != ABSENT && doubtful(share);
	const uint64_t pages = unshared + (is_read ? share->sum.unknown_origin : 0);
	const uint64_t same = sure->identical + (is_read ? perhaps->identical : 0);
	char *text;

	if (pages == sure->unread + (is_read ? perhaps->unread : 0))
		return text__of("nothing could be read to compare it");
	text = text__of("%s (%s) are byte for byte what %s", each(share, same).text,
			quantity__percent((double)same / pages).text,
			reference(share));
	return text;
}

/* "; of 8 KiB it is not known ...", or "". */
static char *doubt_words(const struct share *share)
{
	const uint64_t master = share->workers->has_master ? share->workers->master.pages.unknown : 0;
	char *text = text__of("%s", "");

	if (doubtful(share))
		text__replace(&text, "%s; of %s it is not known whether it was inherited", text,
			      each(share, share->sum.unknown_origin).text);
	if (share->sum.unknown)
		text__replace(&text, "%s; of another %s of %s%s it is not known whether it is shared", text,
			      each(share, share->sum.unknown).text, each_worker(share),
			      on_average(share));
	if (master)
		text__replace(&text, "%s; of %s of the master it is not known whether it is shared", text,
			      size_of_pages(master).text);
	return text;
}

static char *unshared_sentence(const struct share *share)
{
	const uint64_t unshared = worker_pages__unshared(&share->sum);
	char *doubt = doubt_words(share), *own, *alike, *text;

	if (!unshared && !doubtful(share)) {
		text = text__of("All that %s has inherited and still has is shared%s%s.", each_worker(share),
				share->sum.unknown ? ", as far as is known" : "", doubt);
		free(doubt);
		return text;
	}
	own = own_words(share, unshared);
	alike = alike_words(share, unshared);
	text = text__of("Of %s, %s%s.", own, alike, doubt);
	free(own);
	free(alike);
	free(doubt);
	return text;
}

static char *shared_sentence(const struct share *share)
{
	uint64_t new = share->sum.new + share->sum.file_private;
	char *text;

	text = text__of("%s is still shared by %s%s; %s is memory where %s.",
			each(share, share->sum.shared).text, each_worker(share),
			on_average(share), each(share, new).text,
			share->workers->has_master ?
				"the master has none: new, or given back by the master since" :
				"no other worker has any");
	return text;
}

static char *copied_sentence(const struct share *share)
{
	const struct worker_pages *master = &share->workers->master.pages;
	const uint64_t now = share->workers->started, first = share->workers->baseline;
	char *before, *text;

	if (!share->workers->has_master || share->sum.copied == ABSENT || master->copied == ABSENT)
		return NULL;
	before = first <= now ? text__of(", %s before", quantity__time(now - first).text) :
				checked_strdup(""); /* the clock was set back */
	text = text__of("Of what was shared at the first look%s, all workers have copied %s, and the "
			"master %s; %s was left to one process alone.", before,
			size_of_pages(share->sum.copied).text, size_of_pages(master->copied).text,
			size_of_pages(share->sum.last_owner + master->last_owner).text);
	free(before);
	return text;
}

/* Whose contents are known to have changed, and what the changes look like. */
char *workers_words__hint(const struct workers *workers)
{
	const struct worker_pages sum = workers__sum(workers);

	if (!sum.changed_words)
		return NULL;
	if (2 * sum.count_words >= sum.changed_words)
		return text__of("%s of the words that changed differ by at most 16, as reference "
				"counts do.",
				quantity__percent((double)sum.count_words / sum.changed_words).text);
	if (10 * sum.age_words >= sum.changed_words)
		return text__of("%s of the words that changed differ in bits 5 and 6 alone, as the "
				"ages of Ruby's objects do.",
				quantity__percent((double)sum.age_words / sum.changed_words).text);
	return NULL;
}

static char *hint_sentence(const struct workers *workers)
{
	char *hint = workers_words__hint(workers);

	if (hint)
		text__replace(&hint, "Hint: %s", hint);
	return hint;
}

static char *between(const struct estimate *figure)
{
	return text__of("%s to %s", quantity__size(figure->low).text,
			quantity__size(figure->high).text);
}

char *workers_words__sample(const struct workers *workers)
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
	text = text__of("All this is estimated: %" PRIu64 " of %" PRIu64 " regions of 2 MiB were scanned. "
			"With a confidence of 95 %% all workers together share %s, have %s that they "
			"no longer share, and %s where the master has none; copies cost %s; of these, "
			"%s could be merged.", sample->looked, sample->pieces, shared, unshared,
			new,
			extra, mergeable);
	free(shared);
	free(unshared);
	free(new);
	free(extra);
	free(mergeable);
	return text;
}

static void say(char *sentence, const struct table_output *output)
{
	if (sentence)
		wrap__paragraph(NULL, sentence, output);
}

void workers_words__print(const struct workers *workers, const struct table_output *output)
{
	const struct share share = { workers, workers__sum(workers) };

	if (!workers->worker_count)
		return;
	say(master_sentence(workers), output);
	say(unshared_sentence(&share), output);
	say(shared_sentence(&share), output);
	say(copied_sentence(&share), output);
	say(workers_words__sample(workers), output);
	say(hint_sentence(workers), output);
}

static void print_warning(char *text, const struct table_output *output)
{
	wrap__paragraph("Warning:", text, output);
}

void workers_report__print_warnings(const struct workers *workers, const struct table_output *output)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;

	if (workers->born || workers->ended)
		print_warning(text__of("While it was read, %" PRIu64 " members were born and %" PRIu64
				       " ended: they are left out.", workers->born, workers->ended),
			      output);
	if (!cross_check->matches && cross_check->counted_bytes != ABSENT &&
	    cross_check->pss_anon_bytes != ABSENT)
		print_warning(text__of("The cross-check does not match after %" PRIu64
				       " readings: the "
				       "pool changed while it was read.",
				       cross_check->readings),
			      output);
	if (workers->unreadable)
		print_warning(text__of("%" PRIu64 " processes that may be members could not be looked "
				       "at: run forktax as root.", workers->unreadable), output);
}
