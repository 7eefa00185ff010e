// SPDX-License-Identifier: GPL-2.0-or-later
/* A7: fork copies an entry for each page, however large the page is. */
#include "advice/rules.h"
#include "advice/saving.h"
#include "base/quantity.h"

static const double LARGE = 256 * 1048576.0; /* bytes */

bool rule__a07_huge_pages(const struct subject *subject, struct advice *advice)
{
	const struct breakdown_entry *copying = &subject->breakdown->lines[BREAKDOWN_COPY];
	const char *doubt = subject__doubt(subject);
	const double page = run__page_bytes(subject->run);
	double pages = copied__memory(subject->run, subject->index).small;
	struct copied small = { .small = pages }, huge = { .huge = -pages / copied__pages_per_table(subject->run) };
	struct saving saving = { .unknown = *doubt };

	if (pages * page < LARGE || subject->group->birth == BIRTH_VFORK || !copying->known)
		return false;
	saving__add_copying(&saving, subject, &small);
	saving__add_copying(&saving, subject, &huge);
	advice->evidence = text__of("The parent has %s in small pages when it forks, and copying took %s: "
				    "%s for each page. The parent pays.%s",
				    quantity__size(pages * page).text, quantity__time(copying->ns).text,
				    quantity__time(copying->ns / pages).text, doubt);
	advice->action = text__of("Use huge pages for large memory: madvise(MADV_HUGEPAGE), or "
				  "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 for what malloc returns. A child "
				  "that writes to it still copies %s at a time, after the kernel split the huge page.",
				  quantity__size(page).text);
	if (!subject__uses_glibc(subject))
		advice->tried = text__of("no: only glibc has the setting (GLIBC_TUNABLES)");
	/* An upper bound: as if all of it became huge. */
	saving.low = 0;
	saving__predict(&saving, advice);
	advice->predicted_faults.known &= !*doubt; /* none are saved, which would stand for the time */
	return true;
}
