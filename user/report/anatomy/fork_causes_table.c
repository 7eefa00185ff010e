// SPDX-License-Identifier: GPL-2.0-or-later
/* The causes of a fork's overhead, the most expensive first. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/forks/fork_causes.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/causes_table.h"

enum { SYMBOLS_NAMED = 2 };

/* "ld.so binds _exit, dup2 and 3 more symbols again"; to be freed. */
static char *words_of_binding(const struct anatomy *anatomy, uint32_t group)
{
	struct name_list list = { .most = SYMBOLS_NAMED };
	autofree char *names = NULL;

	for (size_t i = 0; i < anatomy->symbol_count; i++)
		if (anatomy->symbols[i].group == group && anatomy->symbols[i].symbol)
			name_list__add(&list, anatomy->symbols[i].symbol);
	names = name_list__finish(&list);
	return text__of("ld.so binds %s again", names ? names : "symbols");
}

/* What the call copied, as far as it is known; to be freed. */
static char *words_of_call(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	char *text;

	if (group < run->group_count && run->groups[group].birth != BIRTH_FORK)
		return text__of("the %s call itself", birth_counters[run->groups[group].birth].key);
	if (!cost || cost->vmas.median == ABSENT)
		return text__of("fork copies the parent's mappings and page tables");
	text = text__of("fork copies the parent's %" PRIu64 " mappings", cost->vmas.median);
	if (cost->page_table_bytes.median != ABSENT)
		text__replace(&text, "%s and %s of page tables", text,
			      quantity__size(cost->page_table_bytes.median).text);
	return text;
}

static char *words_of(const struct run *run, uint32_t group, const struct fork_cause *cause)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);

	switch (cause->kind) {
	case CAUSE_PAGE_TABLES:
		return words_of_call(run, group);
	case CAUSE_PINNED:
		return text__of("fork copies %s of pinned pages", quantity__size(cost->pinned_bytes).text);
	case CAUSE_DESCRIPTORS:
		return text__of("fork copies %" PRIu64 " descriptors", cost->open_files);
	case CAUSE_BINDING:
		return words_of_binding(run->anatomy, group);
	case CAUSE_KERNEL:
		return cause->call ? text__of("the kernel uses memory of the child in %s", cause->call)
				   : text__of("the kernel uses memory of the new child");
	case CAUSE_HEAP:
		return text__of("the child writes to the heap (copy on write)");
	case CAUSE_STACK:
		return text__of("the child writes to its stack (copy on write)");
	case CAUSE_TLS:
		return text__of("the child writes to thread-local data (copy on write)");
	case CAUSE_DATA:
		return causes_table__object(run, cause->object, "the child writes to data of ", " (copy on write)");
	case CAUSE_ANONYMOUS:
		return text__of("the child writes to other memory (copy on write)");
	case CAUSE_CODE:
		return causes_table__object(run, cause->object, "code and constants of ", " are mapped again");
	case CAUSE_ACCESS_FLAG:
		return text__of("the child reads memory of its parent (access flag)");
	case CAUSE_PARENT:
		return text__of("the parent writes after the fork (copy on write)");
	}
	return text__of("?");
}

void fork_causes__print(const struct run *run, const struct report_options *options,
			const struct fork_breakdown *breakdown, const char *more_groups,
			const struct table_output *output)
{
	struct fork_causes causes = fork_causes__of(run, breakdown);
	autofree char *group = names__group(run, breakdown->group, false);
	struct causes_table table = {
		.title = text__of("Causes of the overhead: %s%s", group, more_groups),
		.whole_ns = breakdown->overhead,
	};

	for (size_t i = 0; i < causes.count; i++) {
		const struct fork_cause *cause = &causes.list[i];

		causes_table__add(&table, cause->timed ? cause->ns : NAN, 0, cause->faults,
				  words_of(run, breakdown->group, cause));
	}
	causes_table__show(&table, "starting and ending the child is in it", options, output);
	fork_causes__free(&causes);
}
