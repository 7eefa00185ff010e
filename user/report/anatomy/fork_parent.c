// SPDX-License-Identifier: GPL-2.0-or-later
/* What a parent had when it forked, which is what fork had to copy. */

#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/cells.h"

/* "28 mappings", "28 (27..30) mappings". */
static void append(char **text, const struct spread_of *values, uint64_t unit, const char *noun)
{
	const bool bounded = values->min != ABSENT && values->max != ABSENT;
	autofree char *range = NULL;

	if (values->median == ABSENT)
		return;
	range = quantity__count_range(values->median / unit, bounded ? values->min / unit : 0,
				      bounded ? values->max / unit : 0);
	text__replace(text, "%s%s%s %s", *text, **text ? ", " : "", range, noun);
}

static void append_one(char **text, uint64_t value, uint64_t unit, const char *noun)
{
	const struct spread_of same = { value, value, value };

	append(text, &same, unit, noun);
}

void report__print_fork_parent(const struct run *run, uint32_t group, const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	autofree char *text = text__of("%s", "");

	if (cost && cost->forks) {
		append(&text, &cost->vmas, 1, "mappings");
		append_one(&text, cost->vmas_anon, 1, "of them with anonymous pages, whose page tables are copied");
		append(&text, &cost->page_table_bytes, 1024, "KiB of page tables");
		append_one(&text, cost->rss_bytes, 1024, "KiB resident");
		if (cost->pinned_bytes)
			append_one(&text, cost->pinned_bytes, 1024, "KiB pinned");
		if (cost->open_files)
			append_one(&text, cost->open_files, 1,
				   number__plural(cost->open_files, "descriptor", "descriptors"));
		append(&text, &cost->threads, 1, number__plural(cost->threads.median, "thread", "threads"));
	}
	if (*text) {
		putc('\n', output->stream);
		wrap__title("The parent when it forked, median (min..max)", output);
		wrap__print(NULL, text, 0, 2, output);
	}
}
