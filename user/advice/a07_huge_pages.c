// SPDX-License-Identifier: GPL-2.0-or-later
/* A7: fork copies one entry per page, and a huge page is one page. */
#include <string.h>

#include "advice/rules.h"
#include "advice/tally.h"

static const double LARGE = 256 * 1048576.0; /* bytes */
enum { HUGE_PAGE = 512 /* pages */ };

/* The setting that is tried is one of glibc. */
static bool uses_glibc(const struct matter *matter)
{
	for (uint32_t i = 0; i < matter->anatomy->object_count; i++)
		if (!strcmp(matter__object(matter, i), "libc.so.6"))
			return true;
	return false;
}

/*
 * Whether pages are huge is not recorded. But if copying took at least a quarter of what small
 * pages cost here in all, copies and teardown, then it went page by page.
 */
static bool was_page_by_page(const struct matter *matter, double pages)
{
	const struct bill_entry *copying = &matter->bill.lines[BILL_COPY];
	const struct figure *cost = &matter->anatomy->costs[COST_FORK_PAGE];

	return copying->known && cost->known && copying->ns > pages * cost->value / 4;
}

bool rule__a07_huge_pages(const struct matter *matter, struct advice *advice)
{
	const struct fork_cost *fork = matter->fork;
	struct tally tally = { 0 };
	double pages;

	if (!fork || fork->rss_bytes == ABSENT || (double)fork->rss_bytes < LARGE ||
	    matter->group->birth == BIRTH_VFORK)
		return false;
	pages = (double)fork->rss_bytes / GOT_PAGE;
	if (!was_page_by_page(matter, pages))
		return false;
	tally__add_cost(&tally, matter, COST_FORK_PAGE, pages - pages / HUGE_PAGE);
	advice->evidence =
		text("The parent has %.0f MiB resident when it forks, and copying took %.2f ms: page by "
		     "page, %.0f ns each. The parent pays.",
		     (double)fork->rss_bytes / 1048576, matter->bill.lines[BILL_COPY].ns / 1e6,
		     matter->bill.lines[BILL_COPY].ns / pages);
	advice->action = text("Let large memory be made of huge pages: madvise(MADV_HUGEPAGE), or "
			      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 for what malloc returns. A child "
			      "that writes to it still copies 4 KiB at a time, but first has to split.");
	if (!uses_glibc(matter))
		advice->tried = text("no: the setting that could be tried is one of glibc");
	/* At most: all of it huge. */
	tally.low = 0;
	tally__predict(&tally, advice);
	return true;
}
