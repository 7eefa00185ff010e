// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands beside the tables of a start: a sentence, untraced times, and what the calls are for. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/start/start_answer.h"
#include "analysis/start/start_groups.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "model/words/errno_names.h"
#include "report/cells.h"
#include "report/saved_table.h"
#include "report/start/start_report.h"
#include "report/words.h"

enum { INDENT = 2, HANG = 24, SUBJECTS_MOST = 6 };

char *start_words__result(const struct start_call *call)
{
	enum { SMALL = 1 << 16 };
	const int32_t error = start_call__errno(call);
	const char *name = error ? errno_name(error) : NULL;

	if (!call->returned)
		return text__of("?");
	if (name)
		return text__of("-1 %s", name);
	return call->result >= SMALL && !error ? text__of("0x%" PRIx64, call->result) :
						 text__of("%" PRId64, (int64_t)call->result);
}

static void print_owned(char *text, const struct table_output *output)
{
	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	free(text);
}

static const char *const part_words[START_PART_COUNT] = {
	[START_PART_KERNEL] = "the kernel's exec", [START_PART_LDSO] = "ld.so",
	[START_PART_LIBC] = "libc's start",	   [START_PART_MAIN] = "main()",
	[START_PART_END] = "from its return until its parent has waited for it",
};

static const char *end_words(const struct start *start)
{
	return start__executes_another(start) ? " and the program that it executes" : " and the end";
}

void report__print_start_untraced(const struct run *run, const struct report_options *options,
				  const struct table_output *output)
{
	char *text = NULL;

	for (int part = 0; part < START_PART_COUNT && !options->quiet; part++) {
		const double ns = run->start->untraced[part];

		if (isnan(ns))
			continue;
		text__replace(&text, "%s%s%s%s %s", text ? text : "Not traced (medians): ",
			      text ? ", " : "", part_words[part],
			      part == START_PART_MAIN && isnan(run->start->untraced[START_PART_END])
				      ? end_words(run->start)
				      : "",
			      quantity__time(ns).text);
	}
	if (text)
		print_owned(text, output);
}

/* Marks, untraced times of its parts, and what is not listed. */
struct table *report__start_row(const struct run *run, const struct report_options *options)
{
	return saved_table__of_one("Start", run, &start_shape, run->start);
}

/* "libpcre2-8.so.0 (4), libz.so.1 (4) and 3 more"; to be freed. */
static char *list_subjects(const struct start_use *use)
{
	struct name_list list = { .most = SUBJECTS_MOST };

	for (size_t i = 0; i < use->subject_count; i++) {
		const struct use_subject *subject = &use->subjects[i];
		autofree char *name = subject->calls > 1 && use->subject_count > 1
				     ? text__of("%s (%" PRIu64 ")", subject->name, subject->calls)
					      : text__of("%s", subject->name);

		name_list__add(&list, name);
	}
	return name_list__finish(&list);
}

/* What calls are for, and about what; to be freed. */
static char *words_of(const struct start_use *use)
{
	const char *place = strstr(use->words, "%s"), *doubt = use->by_shape ? START_DOUBT : "";
	autofree char *subjects = list_subjects(use);
	char *text = place ? text__of("%s%.*s%s%s", doubt, (int)(place - use->words), use->words,
				      subjects ? subjects : "?", place + strlen("%s")) :
			     text__of("%s%s", doubt, use->words);

	if (use->calls > 1)
		text__replace(&text, "%" PRIu64 " x %s", use->calls, text);
	return text;
}

static void print_group(const struct start_group *group, const struct table_output *output)
{
	autofree char *label = text__of("%s %" PRIu64, group->name, group->calls), *text = NULL;

	for (size_t i = 0; i < group->use_count; i++) {
		autofree char *use = words_of(&group->uses[i]);

		text__replace(&text, "%s%s%s", text ? text : "", text ? "; " : "", use);
	}
	if (group->errors)
		text__replace(&text, "%s [%" PRIu64 " failed]", text, group->errors);
	wrap__print(label, text, INDENT, HANG, output);
}

static void print_phase(const struct start *start, const struct start_groups *groups, int phase,
			const struct table_output *output)
{
	const struct start_sum *sum = &start->phases[phase];

	if (!sum->calls && !sum->denied)
		return;
	fprintf(output->stream, "%s, %s\n", start_phase_counters[phase].header,
		quantity__count(sum->calls, "call", "calls").text);
	for (size_t i = 0; i < groups->count; i++)
		if (groups->groups[i].phase == (enum start_phase)phase)
			print_group(&groups->groups[i], output);
}

static void print_rest(const struct start *start, const struct table_output *output)
{
	const uint64_t unexplained = start__unexplained(start);

	if (unexplained)
		fprintf(output->stream, "(%s no known reason: %s the arguments)\n",
			quantity__count(unexplained, "call has", "calls have").text,
			output->page ? "the table below has" : "--show=start-calls shows");
	if (start->left_out)
		fprintf(output->stream, "(%s counted, not listed)\n",
			quantity__count(start->left_out, "more call is", "more calls are").text);
	if (start->missed)
		fprintf(output->stream, "(%s lost: they came faster than they were read)\n",
			quantity__count(start->missed, "call was", "calls were").text);
}

void report__print_start_rest(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	print_rest(run->start, output);
}

void report__print_start_calls(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	struct start_groups groups = start_groups__of(run->start);

	putc('\n', output->stream);
	wrap__title("What its system calls are for", output);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		print_phase(run->start, &groups, phase, output);
	print_rest(run->start, output);
	start_groups__free(&groups);
}
