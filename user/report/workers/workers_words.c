// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/workers/workers_report.h"

static char *master_sentence(const struct workers *workers)
{
	if (workers->has_master)
		return NULL;
	return text__of("The process that forked these %zu workers has ended, or executes another program. They are "
			"compared with each other.",
			workers->worker_count);
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

static void say(const char *label, char *sentence, const struct table_output *output)
{
	if (sentence)
		wrap__paragraph(label, sentence, output);
}

void workers_words__print(const struct workers *workers, const struct table_output *output)
{
	if (!workers->worker_count)
		return;
	say(NULL, master_sentence(workers), output);
	say("Hint:", workers_words__hint(workers), output);
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
