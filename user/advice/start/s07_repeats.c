// SPDX-License-Identifier: GPL-2.0-or-later
/* S7: questions whose answer was known: all but the first of each are saved. */
#include <inttypes.h>

#include "advice/start/start_cost.h"
#include "analysis/start/start_findings.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { NAMED_MOST = 4 };

/*
 * ld.so asks for the directories of each RUNPATH for itself: what would help there is S1's. Of musl, ld.so
 * is the C library, too, and after the entry asks what the program wants to know.
 */
static bool is_of_program(const struct start_subject *subject, const struct start_call *call)
{
	if (call->actor != ACTOR_LDSO)
		return !call->before_program;
	return call->begin_ns >= subject->start->marks.entry && !start_subject__has_glibc(subject);
}

static char *name_of(const struct start_repeat *repeat)
{
	const char *path = repeat->call->path;

	return text__of("%s%s%s (%" PRIu64 " times)", repeat->call->name, path ? " of " : "",
			path ? path : "", repeat->times);
}

static void add_cost(struct start_cost *cost, const struct start_repeat *repeat)
{
	cost->calls += repeat->times - 1;
	cost->ns += repeat->ns / repeat->times * (repeat->times - 1);
}

bool rule__s07_repeats(const struct start_subject *subject, struct advice *advice)
{
	struct start_findings findings = start_findings__of(subject->start);
	struct start_cost cost = { 0 };
	struct name_list names = { .most = NAMED_MOST };
	autofree char *list = NULL, *listed = NULL;

	for (size_t i = 0; i < findings.repeat_count; i++) {
		autofree char *name = name_of(&findings.repeats[i]);

		if (!is_of_program(subject, findings.repeats[i].call))
			continue;
		add_cost(&cost, &findings.repeats[i]);
		name_list__add(&names, name);
	}
	start_findings__free(&findings);
	list = name_list__finish(&names);
	if (!list)
		return false;
	if (subject->start->left_out)
		listed = text__of(" among the %zu that are listed", subject->start->call_count);
	advice->evidence = text__of("Calls that the program made before, with the same result%s: %" PRIu64
				    ", %s as traced. %s.", listed ? listed : "", cost.calls,
				    quantity__time(cost.ns).text, list);
	advice->action = text__of("Keep the first result, unless the program has to notice that "
				  "files change meanwhile.");
	start_cost__predict(&cost, subject, advice);
	return true;
}
