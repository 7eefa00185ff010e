// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of a start in a paragraph: how long it takes before main(), and what takes most of that. */
#include <math.h>
#include <stdlib.h>

#include "analysis/start/start_answer.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/start/start_report.h"
#include "report/tree/tree_times_report.h"

/* Where most of it is not before main(), a part of the little that is leads away. */
static char *words_of_biggest(const struct run *run, const struct start_answer *answer)
{
	static const char *const words[ANSWER_PART_COUNT] = {
		[PART_OF_KERNEL] = "the kernel's exec",
		[PART_OF_LDSO] = "ld.so",
		[PART_OF_LIBC] = "libc's start",
		[PART_OF_INIT] = "initialisers",
	};
	autofree char *largest = NULL;
	int biggest = 0;

	if (answer->before < answer->all / 2) {
		largest = start__executes_another(run->start) ? text__of("%s", "") : report__largest_from_main_on(run);
		return text__of("From main() on it takes %s%s.", quantity__time(answer->all - answer->before).text,
				largest);
	}
	for (int part = 1; part < ANSWER_PART_COUNT; part++)
		if (answer->parts[part] > answer->parts[biggest])
			biggest = part;
	return text__of("The biggest part of that is %s: %s.", words[biggest],
			quantity__time(answer->parts[biggest]).text);
}

const char *start_words__end(const struct start *start)
{
	return start__executes_another(start) ? "executes another program" : "ends";
}

/* Where main() begins is not known. */
static char *words_of_whole(const struct run *run, const struct start_answer *answer)
{
	return text__of("%s takes %s from its execve until it %s, as traced.",
			run->command_count ? text__file_name(run->command[0]) : "The command",
			quantity__time(answer->all).text, start_words__end(run->start));
}

/* "The start", or "git never forks. Its start"; to be freed. */
static char *whose_start(const struct run *run)
{
	if (!run->anatomy || run->totals[LIFE_FORKS] || !run->command_count)
		return text__of("The start");
	return text__of("%s never forks. Its start", text__file_name(run->command[0]));
}

static char *words_of_answer(const struct run *run, const struct start_answer *answer)
{
	const struct start *start = run->start;
	autofree char *biggest = NULL, *whose = NULL;

	if (isnan(answer->before))
		return words_of_whole(run, answer);
	biggest = words_of_biggest(run, answer);
	whose = whose_start(run);
	return text__of("%s takes %s before main() (%s): %s of the %s until it %s. %s", whose,
			quantity__time(answer->before).text, answer->traced ? "traced" : "not traced, median",
			quantity__share(answer->before, answer->all).text, quantity__time(answer->all).text,
			start_words__end(start), biggest);
}

bool report__print_start_answer(const struct run *run, const struct report_options *options, bool below,
				const struct table_output *output)
{
	const struct start *start = run->start;
	struct start_answer answer;
	autofree char *text = NULL;

	if (options->quiet || !start || start->marks.end == ABSENT)
		return false;
	answer = start_answer__of(start);
	text = words_of_answer(run, &answer);
	if (start->unmarked)
		text__replace(&text, isnan(answer.before) ? "%s How much of that is before main() is not known: %s."
							  : "%s The phases are not divided further: %s.",
			      text, start->unmarked);
	if (below)
		putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	return true;
}

void report__print_start_below(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	report__print_start_answer(run, options, true, output);
}
