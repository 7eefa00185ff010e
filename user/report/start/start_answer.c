// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of a start in a paragraph: how long it takes before main(), and what takes most of that. */
#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/start/start_report.h"

enum answer_part { PART_OF_KERNEL, PART_OF_LDSO, PART_OF_LIBC, PART_OF_INIT, ANSWER_PART_COUNT };

/* Times before main(), and of the whole start; NAN: not known. */
struct answer {
	double parts[ANSWER_PART_COUNT];
	double before, all;
	bool traced;
};

static double phase_ns(const struct start *start, enum start_phase phase)
{
	return start->phases[phase].ns == ABSENT ? 0 : (double)start->phases[phase].ns;
}

static struct answer traced_answer(const struct start *start)
{
	struct answer answer = {
		.parts = {
			[PART_OF_KERNEL] = phase_ns(start, START_EXEC),
			[PART_OF_LDSO] = phase_ns(start, START_SETUP) + phase_ns(start, START_SEARCH) +
					 phase_ns(start, START_MAP) + phase_ns(start, START_RELOCATE) +
					 phase_ns(start, START_LDSO),
			[PART_OF_LIBC] = phase_ns(start, START_LIBC),
			[PART_OF_INIT] = phase_ns(start, START_INIT),
		},
		.before = start->marks.main == ABSENT ? NAN : (double)start->marks.main,
		.all = (double)start->marks.end,
		.traced = true,
	};

	return answer;
}

/* From the runs that were not traced, if they show all parts before main(). */
static struct answer answer_of(const struct start *start)
{
	const double *untraced = start->untraced;
	struct answer answer = {
		.parts = {
			[PART_OF_KERNEL] = untraced[START_PART_KERNEL],
			[PART_OF_LDSO] = untraced[START_PART_LDSO],
			[PART_OF_LIBC] = untraced[START_PART_LIBC],
		},
	};

	for (int part = 0; part < ANSWER_PART_COUNT; part++)
		answer.before += answer.parts[part];
	answer.all = answer.before + untraced[START_PART_MAIN] +
		     (isnan(untraced[START_PART_END]) ? 0 : untraced[START_PART_END]);
	return isnan(answer.all) ? traced_answer(start) : answer;
}

static char *words_of_biggest(const struct answer *answer)
{
	static const char *const words[ANSWER_PART_COUNT] = {
		[PART_OF_KERNEL] = "the kernel's exec",
		[PART_OF_LDSO] = "ld.so",
		[PART_OF_LIBC] = "libc's start",
		[PART_OF_INIT] = "initialisers",
	};
	int biggest = 0;

	for (int part = 1; part < ANSWER_PART_COUNT; part++)
		if (answer->parts[part] > answer->parts[biggest])
			biggest = part;
	return text__of("The biggest part of that is %s: %s.", words[biggest],
			quantity__time(answer->parts[biggest]).text);
}

const char *start_words__end(const struct start *start)
{
	const struct start_call *last = start->call_count ? &start->calls[start->call_count - 1] : NULL;

	return last && last->returned && last->reason == REASON_EXEC_OTHER
		       ? "executes another program"
		       : "ends";
}

/* Where main() begins is not known. */
static char *words_of_whole(const struct run *run, const struct answer *answer)
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

static char *words_of_answer(const struct run *run, const struct answer *answer)
{
	const struct start *start = run->start;
	char *biggest, *whose, *text;

	if (isnan(answer->before))
		return words_of_whole(run, answer);
	biggest = words_of_biggest(answer);
	whose = whose_start(run);
	text = text__of("%s takes %s before main() (%s): %s of the %s until it %s. %s", whose,
			quantity__time(answer->before).text,
			answer->traced ? "traced" : "not traced, median",
			quantity__percent(answer->before / answer->all).text,
			quantity__time(answer->all).text, start_words__end(start), biggest);
	free(biggest);
	free(whose);
	return text;
}

bool report__print_start_answer(const struct run *run, const struct report_options *options, bool below,
				const struct table_output *output)
{
	const struct start *start = run->start;
	struct answer answer;
	autofree char *text = NULL;

	if (options->quiet || !start || start->marks.end == ABSENT)
		return false;
	answer = answer_of(start);
	text = words_of_answer(run, &answer);
	if (start->unmarked)
		text__replace(&text, isnan(answer.before) ? "%s How much of that is before main() is not known: %s."
							  : "%s The phases are not divided further: %s.",
			      text, start->unmarked);
	if (below)
		putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	report__print_best_start_advice(run, options, output);
	return true;
}

void report__print_start_below(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	report__print_start_answer(run, options, true, output);
}
