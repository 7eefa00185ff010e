// SPDX-License-Identifier: GPL-2.0-or-later
/* R14: a shell forks copies of itself that execute no program. */
#include <inttypes.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/text.h"

enum { COPIES_LEAST = 20 };
static const double SHARE_LEAST = 0.1;

/* How many copies of a program never executed another one. */
static uint64_t copies_of(const struct run *run, uint32_t exe)
{
	uint64_t copies = 0;

	for (size_t i = 0; i < run->group_count; i++)
		if (run->groups[i].parent_exe == exe && run->groups[i].exec_target == NO_EXE)
			copies += group__children(&run->groups[i]);
	return copies;
}

struct subshells {
	uint32_t exe;
	uint64_t copies;
	double ns; /* of the run: their part of the forks of that shell */
};

static struct subshells find_subshells(const struct run_subject *subject)
{
	const struct bill *bill = subject->run->bill;
	struct subshells most = { .exe = NO_EXE };

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		const uint64_t copies = row->kind == BILL_FORK ? copies_of(subject->run, row->exe) : 0;
		double ns;

		if (copies < COPIES_LEAST || !row->count ||
		    !run_subject__names_shell(run_subject__name(subject, row->exe)))
			continue;
		ns = run_subject__wall(subject, row) * (double)copies / (double)row->count;
		if (copies <= row->count && ns > most.ns)
			most = (struct subshells){ row->exe, copies, ns };
	}
	return most;
}

bool rule__r14_subshells(const struct run_subject *subject, struct advice *advice)
{
	const struct subshells most = find_subshells(subject);
	autofree char *share = NULL;

	if (most.exe == NO_EXE || most.ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, most.ns);
	advice->evidence = text__of("%s forks %" PRIu64 " subshells that execute no program: they take %s.",
				    run_subject__name(subject, most.exe), most.copies, share);
	advice->action = text__of("%s", "use { ...; } instead of ( ... ), a variable instead of $( ... ) of what the "
				  "shell does itself, no echo before a pipe: none of these creates a process (what "
				  "ends with & and each side of a pipe do)");
	advice->predicted_ns = estimate__at_most(most.ns);
	return true;
}
