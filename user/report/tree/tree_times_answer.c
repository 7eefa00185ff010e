// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of the CPU time of a tree its programs' own work is, and what takes the rest, in a paragraph. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "model/words/names.h"
#include "report/tree/tree_times_report.h"
#include "report/words.h"

enum { MANY_STARTS = 10, PARTS_NAMED = 4 };
/* Worth other builds of the programs: so many starts of one, and such a share of the tree's CPU time in ld.so. */
enum { LDSO_STARTS = 20 };
static const double LDSO_SHARE = 0.2;

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

/* The program that spends most time in ld.so, of those that are started often; NULL: none. */
static const struct tree_row *most_in_ldso(const struct tree_times *times)
{
	const struct tree_row *most = NULL;

	for (size_t i = 0; i < times->count; i++) {
		const struct tree_row *row = &times->rows[i];

		if (row->executed && row->images >= LDSO_STARTS && row->cpu_ns[TREE_LDSO] &&
		    (!most || row->cpu_ns[TREE_LDSO] > most->cpu_ns[TREE_LDSO]))
			most = row;
	}
	return most;
}

void report__print_ldso_advice(const struct run *run, const struct table_output *output)
{
	const struct tree_times *times = run->tree_times;
	const struct tree_row *row = most_in_ldso(times);
	autofree char *name = NULL, *text = NULL, *without = NULL, *with = NULL;

	if (!row || tree_times__part(times, TREE_LDSO) < LDSO_SHARE * times->cpu_ns)
		return;
	name = names__exe(run, row->exe, false);
	without = words__operand(NULL, run->command);
	with = words__operand("PATH=DIR:$PATH", run->command);
	text = text__of("%s: %s, %s of %s of CPU time in ld.so, which a static build in a directory DIR does "
			"without: forktax compare %s %s.",
			name, quantity__count(row->images, "start", "starts").text,
			quantity__time(row->cpu_ns[TREE_LDSO]).text, quantity__time(tree_row__cpu(row)).text,
			without, with);
	wrap__print(NULL, text, 0, 0, output);
}
