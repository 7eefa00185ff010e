// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare FIRST SECOND, where both are saved by forktax bench. */
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/print.h"
#include "format/html/html_page.h"
#include "report/bench/bench_report.h"

enum { SIDES = 2 };

struct sides {
	const struct bench *benches[SIDES];
	const char *names[SIDES];
};

bool compare_benches__any(const struct operand *operands, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (operands[i].is_saved && operands[i].saved.family == SAVED_BENCH)
			return true;
	return false;
}

static void print(const void *subject, const struct report_options *options,
		  const struct table_output *tables)
{
	const struct sides *sides = subject;

	html_page__title(tables->page, "compare");
	bench_report__compare(sides->benches, sides->names, options, tables);
}

/* 0, or the exit status after a complaint. */
static int check_side(const char *word, const struct operand *operand)
{
	if (!operand->is_saved || operand->saved.family != SAVED_BENCH)
		return print_error("compare", EXIT_FORKTAX,
				   "%s was not saved by forktax bench: a file of bench can be compared "
				   "only with another one", word);
	if (operand->reason)
		return print_error("compare", EXIT_FORKTAX, "cannot read %s: %s", word,
				   operand->reason);
	return 0;
}

static int compare(const struct sides *sides, const struct report_options *options)
{
	if (options->json)
		return print_error("compare", EXIT_USAGE, "--json: the two files are the JSON; "
						       "--csv has the ratios");
	if (sides->benches[0]->kind != sides->benches[1]->kind)
		return print_error("compare", EXIT_USAGE,
				   "%s was saved by bench %s, but %s by bench %s: give two of one kind",
				   sides->names[0], bench_kind_keys[sides->benches[0]->kind], sides->names[1],
				   bench_kind_keys[sides->benches[1]->kind]);
	return print_unsaved("compare", options, print, sides);
}

int compare_benches(char *const *words, const struct operand *operands, size_t count,
		    const struct report_options *options)
{
	struct sides sides;

	if (count != SIDES)
		return print_error("compare", EXIT_USAGE,
				   "files saved by forktax bench are compared in pairs: give two");
	for (int side = 0; side < SIDES; side++) {
		int status = check_side(words[side], &operands[side]);

		if (status)
			return status;
		sides.benches[side] = operands[side].saved.bench;
		sides.names[side] = words[side];
	}
	return compare(&sides, options);
}
