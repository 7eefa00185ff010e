// SPDX-License-Identifier: GPL-2.0-or-later
/* R29: programs are started for one answer each, where one can give many, or none is needed. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum { STARTS_LEAST = 10 };
static const double SHARE_LEAST = 0.1;

static const struct helper {
	const char *starter, *program, *argument, *remedy;
} helpers[] = {
#define HELPER(...) { __VA_ARGS__ },
#include "model/advice/helpers.def"
#undef HELPER
};
enum { HELPER_COUNT = sizeof(helpers) / sizeof(helpers[0]) };

/* All that are started for the same remedy. */
struct asked {
	const char *remedy;
	const struct execution *first; /* the dearest; NULL: there are none */
	bool varied; /* other programs than that, too */
	uint64_t starts;
	struct spared spared; /* with all that they start */
};

static bool has_argument(const struct execution *row, const char *argument)
{
	bool has = !*argument;

	for (size_t i = 1; i < row->argument_count; i++)
		has |= !strcmp(row->arguments[i], argument);
	return has;
}

/* NULL: the table has none for such a start. */
static const char *remedy_for(const struct run_subject *subject, const struct execution *row)
{
	const char *starter = run_subject__name(subject, row->parent_exe);

	for (size_t i = 0; row->argument_count && i < HELPER_COUNT; i++)
		if (!strcmp(text__file_name(row->arguments[0]), helpers[i].program) &&
		    !strncmp(starter, helpers[i].starter, strlen(helpers[i].starter)) &&
		    has_argument(row, helpers[i].argument))
			return helpers[i].remedy;
	return NULL;
}

/* What they start belongs to them, and what that starts: again, until nothing more is found. */
static struct asked asked_for(const struct run_subject *subject, const char *remedy)
{
	const struct executions *executions = subject->run->executions;
	const size_t exes = subject->run->exe_count;
	autofree bool *is_added = checked_calloc(executions->count + 1, sizeof(*is_added));
	autofree bool *starts = checked_calloc(exes + 1, sizeof(*starts));
	struct asked asked = { .remedy = remedy };

	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < executions->count; i++) {
			const struct execution *row = &executions->rows[i];
			const bool is_own = !is_added[i] && !text__compare(remedy_for(subject, row), remedy);
			const bool is_below = row->parent_exe < exes && starts[row->parent_exe];

			if (is_added[i] || row->exe >= exes || !(is_own || is_below))
				continue;
			is_added[i] = starts[row->exe] = more = true;
			spared__add(&asked.spared, subject, row, 1);
			if (!is_own)
				continue;
			asked.first = asked.first ? asked.first : row;
			asked.varied |= row->exe != asked.first->exe;
			asked.starts += row->count;
		}
	}
	return asked;
}

bool rule__r29_helpers(const struct run_subject *subject, struct advice *advice)
{
	autofree char *share = NULL, *place = NULL;
	struct asked most = { 0 };

	for (size_t i = 0; subject->run->executions && i < HELPER_COUNT; i++) {
		const bool is_new = !i || strcmp(helpers[i].remedy, helpers[i - 1].remedy);
		const struct asked asked = is_new ? asked_for(subject, helpers[i].remedy) : most;

		if (asked.starts >= STARTS_LEAST && asked.spared.ns > most.spared.ns)
			most = asked;
	}
	if (!most.first || !spared__reaches(&most.spared, subject, SHARE_LEAST))
		return false;
	/* What the answers themselves take is not known. */
	advice->predicted_ns = estimate__at_most(spared__predict(&most.spared, subject, advice));
	share = run_subject__share(subject, advice->predicted_ns.value);
	place = execution__place(subject, most.first);
	advice->evidence = text__of("%s%s%s%s starts %s%s %" PRIu64 " times, for one answer each: with all that these "
				    "start, that takes %s.", run_subject__name(subject, most.first->parent_exe),
				    place ? " (" : "", place ? place : "", place ? ")" : "",
				    text__file_name(most.first->arguments[0]),
				    most.varied ? " and other programs" : "", most.starts, share);
	advice->action = text__copy(most.remedy);
	return true;
}
