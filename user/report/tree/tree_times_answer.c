// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of the CPU time of a tree its programs' own work is, and what takes the rest, in a paragraph. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/tree/tree_times_report.h"

enum { MANY_STARTS = 10, PARTS_NAMED = 4 };

struct share {
	const char *name;
	uint64_t ns;
};

bool report__is_tree(const struct run *run)
{
	return run->tree_times && tree_times__starts(run->tree_times) >= MANY_STARTS;
}

static int by_ns(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

/* What is no work, the most first. */
static char *largest_parts(const struct tree_times *times)
{
	const struct share work_excluded[] = {
		{ "creating processes", tree_times__part(times, TREE_CREATE) + tree_times__part(times, TREE_BEFORE) },
		{ "exec", tree_times__part(times, TREE_EXEC) },
		{ "ld.so", tree_times__part(times, TREE_LDSO) },
		{ "their constructors", tree_times__part(times, TREE_INIT) },
		{ "ending", tree_times__part(times, TREE_END) },
		{ "waiting", tree_times__part(times, TREE_WAIT) },
	};
	enum { SHARES = sizeof(work_excluded) / sizeof(work_excluded[0]) };
	struct share shares[SHARES];
	char *text = NULL;

	for (int i = 0; i < SHARES; i++)
		shares[i] = work_excluded[i];
	qsort(shares, SHARES, sizeof(*shares), by_ns);
	for (int i = 0; i < PARTS_NAMED; i++)
		text__replace(&text, "%s%s%s %s", text ? text : "", text ? ", " : "", shares[i].name,
			      quantity__share((double)shares[i].ns, times->cpu_ns).text);
	return text;
}

void report__print_tree_answer(const struct run *run, const struct table_output *output)
{
	const struct tree_times *times = run->tree_times;
	const uint64_t copies = tree_times__copies(times);
	autofree char *parts = NULL, *text = NULL;

	if (!times->cpu_ns)
		return;
	parts = largest_parts(times);
	text = text__of("The tree took %s of CPU time in %s, as traced: %s of programs",
			quantity__time(times->cpu_ns).text, quantity__time(run->wall_ns).text,
			quantity__count(tree_times__starts(times), "start", "starts").text);
	if (copies)
		text__replace(&text, "%s, and %s that never executed one", text,
			      quantity__count(copies, "process", "processes").text);
	text__replace(&text, "%s. %s of it is their own work; %s.", text,
		      quantity__share((double)tree_times__part(times, TREE_WORK), times->cpu_ns).text, parts);
	if (times->unfinished)
		text__replace(&text, "%s Nothing of this is known of %s that had not ended.", text,
			      quantity__count(times->unfinished, "thread", "threads").text);
	if (times->left_out)
		text__replace(&text, "%s %s of threads or images found no room.", text,
			      quantity__count(times->left_out, "time", "times").text);
	wrap__print(NULL, text, 0, 0, output);
}
