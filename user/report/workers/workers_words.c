// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/workers/workers_report.h"

static struct number_text size_of_pages(const struct workers *workers, uint64_t pages)
{
	return quantity__size(pages * workers->machine.page_bytes);
}

/* Pages of all workers as the share of one. */
struct share {
	const struct workers *workers;
	struct worker_pages sum;
};

static struct number_text each(const struct share *share, uint64_t pages)
{
	return size_of_pages(share->workers, pages / share->workers->worker_count);
}

static const char *each_worker(const struct share *share)
{
	return share->workers->worker_count == 1 ? "the worker" : "each worker";
}

static const char *on_average(const struct share *share)
{
	return share->workers->worker_count == 1 ? "" : " on average";
}

/* The memory that workers' is compared with. */
static const char *reference(const struct share *share)
{
	return share->workers->has_master ? "the master's" : "that of most workers";
}

static char *master_sentence(const struct workers *workers)
{
	if (workers->has_master)
		return NULL;
	return text__of("The process that forked these %zu workers has ended, or executes another program. They are "
			"compared with the memory that most of them have.",
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

/* "18 MiB of private memory on average where the master has memory, too", of unknown origin or not. */
static char *own_words(const struct share *share, uint64_t unshared)
{
	const struct number_text size = each(share, unshared + doubtful(share));

	if (doubtful(share))
		return text__of("%s of private memory%s where %s memory, too", size.text, on_average(share),
				share->workers->has_master ? "the master has" : "others have");
	return text__of("%s of inherited memory%s that it no longer shares", size.text, on_average(share));
}

static char *alike_words(const struct share *share, uint64_t unshared)
{
	const struct page_classes *sure = &share->sum.unshared, *perhaps = &share->sum.perhaps;
	const bool is_read = perhaps->identical != ABSENT && doubtful(share);
	const uint64_t pages = unshared + (is_read ? share->sum.unknown_origin : 0);
	const uint64_t same = sure->identical + (is_read ? perhaps->identical : 0);

	if (pages == sure->unread + (is_read ? perhaps->unread : 0))
		return text__of("nothing could be read to compare it");
	return text__of("%s (%s) of it is identical to %s", each(share, same).text,
			quantity__share((double)same, pages).text, reference(share));
}

/* "; it is unknown whether 8 KiB ...", or "". */
static char *doubt_words(const struct share *share)
{
	const uint64_t master = share->workers->has_master ? share->workers->master.pages.unknown : 0;
	char *text = text__of("%s", "");

	if (doubtful(share))
		text__replace(&text, "%s; it is unknown whether %s of it was inherited", text,
			      each(share, share->sum.unknown_origin).text);
	if (share->sum.unknown)
		text__replace(&text, "%s; it is unknown whether another %s of %s%s is shared", text,
			      each(share, share->sum.unknown).text, each_worker(share), on_average(share));
	if (master)
		text__replace(&text, "%s; it is unknown whether %s of the master is shared", text,
			      size_of_pages(share->workers, master).text);
	return text;
}

/* Begins a sentence. */
static const char *each_worker_begins(const struct share *share)
{
	return share->workers->worker_count == 1 ? "The worker" : "Each worker";
}

static char *unshared_sentence(const struct share *share)
{
	const uint64_t unshared = worker_pages__unshared(&share->sum);
	char *doubt = doubt_words(share), *own, *alike, *text;

	if (!unshared && !doubtful(share)) {
		text = text__of("%s still shares all memory that it inherited and did not give back%s%s.",
				each_worker_begins(share), share->sum.unknown ? ", as far as is known" : "", doubt);
		free(doubt);
		return text;
	}
	own = own_words(share, unshared);
	alike = alike_words(share, unshared);
	text = text__of("%s has %s: %s%s.", each_worker_begins(share), own, alike, doubt);
	free(own);
	free(alike);
	free(doubt);
	return text;
}

static char *shared_sentence(const struct share *share)
{
	const uint64_t new = share->sum.new + share->sum.file_private;

	if (!new)
		return text__of("%s still shares %s%s.", each_worker_begins(share),
				each(share, share->sum.shared).text, on_average(share));
	return text__of("%s still shares %s%s, and has %s where %s.", each_worker_begins(share),
			each(share, share->sum.shared).text, on_average(share), each(share, new).text,
			share->workers->has_master ?
				"the master has no memory: it is new, or the master has given back its own" :
				"no other worker has memory");
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
	return text__of("%s to %s", quantity__size(figure->low).text, quantity__size(figure->high).text);
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
	text = text__of("All this is estimated: %" PRIu64 " of %" PRIu64 " regions of %s were scanned. "
			"With a confidence of 95 %% all workers together share %s, have %s that they "
			"no longer share, and %s where the master has none; copies cost %s; of these, "
			"%s could be merged.", sample->looked, sample->pieces,
			quantity__size(WORKERS_PIECE_PAGES * workers->machine.page_bytes).text, shared, unshared,
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
	say(workers_words__sample(workers), output);
	say(hint_sentence(workers), output);
}

static void print_warning(char *text, const struct table_output *output)
{
	wrap__paragraph("Warning:", text, output);
}

/* The sums that must agree, and do not. */
static char *cross_check_words(const struct workers_cross_check *cross_check)
{
	if (cross_check->pss_anon_bytes == ABSENT)
		return text__of("The cross-check does not match after %" PRIu64 " readings: the kernel counts other "
				"anonymous pages (RssAnon) than were found.", cross_check->readings);
	return text__of("The cross-check does not match after %" PRIu64 " readings: the pool changed while it was "
			"read. By the kernel it has %s of anonymous memory (Pss_Anon), and page by page %s.",
			cross_check->readings, quantity__size(cross_check->pss_anon_bytes).text,
			quantity__size(cross_check->counted_bytes).text);
}

void workers_report__print_warnings(const struct workers *workers, const struct table_output *output)
{
	const struct workers_cross_check *cross_check = &workers->cross_check;

	if (workers->born || workers->ended)
		print_warning(text__of("While it was read, %" PRIu64 " members were born and %" PRIu64
				       " ended: they are left out.", workers->born, workers->ended),
			      output);
	if (!cross_check->matches && cross_check->counted_bytes != ABSENT)
		print_warning(cross_check_words(cross_check), output);
	if (workers->unreadable)
		print_warning(text__of("%" PRIu64 " processes that may be members could not be looked "
				       "at: run forktax as root.", workers->unreadable), output);
}
