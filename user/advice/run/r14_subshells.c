// SPDX-License-Identifier: GPL-2.0-or-later
/* R14: a shell forks copies of itself that execute no program. */
#include <inttypes.h>

#include "advice/run/rules_run.h"
#include "analysis/lines/line_sums.h"
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
	double part; /* of the forks of that shell */
	double ns; /* of the run: that part of what these forks take */
};

static struct subshells find_subshells(const struct run_subject *subject)
{
	const struct bill *bill = subject->run->bill;
	struct subshells most = { .exe = NO_EXE };

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		const uint64_t copies = row->kind == BILL_FORK ? copies_of(subject->run, row->exe) : 0;
		double part, ns;

		if (copies < COPIES_LEAST || copies > row->count ||
		    !run_subject__names_shell(run_subject__name(subject, row->exe)))
			continue;
		part = (double)copies / (double)row->count;
		ns = part * run_subject__wall(subject, row);
		if (ns > most.ns)
			most = (struct subshells){ row->exe, copies, part, ns };
	}
	return most;
}

/* At most, what copies do, what the shell asks the kernel for and what all wait for to wake up are for them, too. */
static double most_of(const struct run_subject *subject, const struct subshells *subshells)
{
	const struct bill *bill = subject->run->bill;
	double ns = 0;

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];

		if (row->kind == BILL_READY ||
		    (row->exe == subshells->exe &&
		     (row->kind == BILL_FORK || row->kind == BILL_CALL || (row->kind == BILL_CODE && !row->executed))))
			ns += run_subject__wall(subject, row);
	}
	return subshells->part * ns;
}

/* ", above all at plugin.sh:16": the line that forks most; to be freed. */
static char *place_of(const struct run *run)
{
	struct line_sums sums = run->lines ? line_sums__of(run) : (struct line_sums){ 0 };
	const struct line_sum *most = line_sums__most(&sums);
	autofree char *place = most && most->no_exec ? script_line__place(most->line) : NULL;

	line_sums__free(&sums);
	return place ? text__of(", above all at %s", place) : text__of("%s", "");
}

bool rule__r14_subshells(const struct run_subject *subject, struct advice *advice)
{
	const struct subshells most = find_subshells(subject);
	autofree char *share = NULL, *place = NULL;

	if (most.exe == NO_EXE || most.ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, most.ns);
	place = place_of(subject->run);
	advice->evidence = text__of("%s forks %" PRIu64 " subshells that execute no program%s: to fork them takes %s.",
				    run_subject__name(subject, most.exe), most.copies, place, share);
	advice->action = text__of("%s", "use { ...; } instead of ( ... ), a variable instead of $( ... ) of what the "
				  "shell does itself, no echo before a pipe: none of these creates a process (what "
				  "ends with & and each side of a pipe do)");
	advice->predicted_ns = estimate__at_most(most_of(subject, &most));
	return true;
}
