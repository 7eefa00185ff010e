// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a directory that was put first in PATH, in a paragraph. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/tree/tree_times_report.h"
#include "report/words.h"

enum { MISSED_NAMED = 3 };

static void add_missed(const struct path_trial *trial, char **text)
{
	const size_t named = trial->missed_count > MISSED_NAMED ? MISSED_NAMED : trial->missed_count;

	for (size_t i = 0; i < named; i++) {
		const struct missed_program *missed = &trial->missed[i];

		text__replace(text, "%s%s %s (%s, %s)", *text, i ? "," : " Other programs:", missed->path,
			      quantity__count(missed->starts, "start", "starts").text,
			      missed->is_there ? "not by PATH" : "not in the directory");
	}
	if (named < trial->missed_count)
		text__replace(text, "%s and %zu more", *text, trial->missed_count - named);
	if (named)
		text__replace(text, "%s.", *text);
}

/* What the timed runs show; an interval is missing where others had the CPU in most of them. To be freed. */
static char *difference_words(const struct estimate *saved)
{
	const struct estimate more = estimate__negate(*saved);
	const enum shown shown = estimate__shows(saved, 0);
	autofree char *words = words__estimate(shown == SHOWN_LESS ? &more : saved, unit__ms);

	switch (shown) {
	case SHOWN_MORE:
		return text__of("saves %s ms", words);
	case SHOWN_LESS:
		return text__of("costs %s ms", words);
	case SHOWN_NOTHING:
		return text__of("no difference shown");
	case SHOWN_UNKNOWN:
		break;
	}
	return text__of("difference not known, as other programs used the CPU or there were few runs");
}

/* " CPU time 60.1 ms -> 40.2 ms (saves 19.8 (19.1..20.3) ms);"; nothing if it was not timed. */
static void add_time(char **text, const char *name, const struct estimate *without, const struct estimate *with,
		     const struct estimate *saved)
{
	autofree char *words = saved->known ? difference_words(saved) : NULL;

	if (without->known && with->known && words)
		text__replace(text, "%s%s %s -> %s (%s), ", *text, name, quantity__time(without->value).text,
			      quantity__time(with->value).text, words);
}

static void add_same(const struct path_trial *trial, char **text)
{
	text__replace(text,
		      "%s With it and without, the command wrote the same %s and ended in the same way. "
		      "It took: ",
		      *text, quantity__count(trial->bytes, "byte", "bytes").text);
	add_time(text, "CPU time", &trial->without.cpu_ns, &trial->with.cpu_ns, &trial->saved_cpu_ns);
	add_time(text, "wall time", &trial->without.wall_ns, &trial->with.wall_ns, &trial->saved_wall_ns);
	text__replace(text, "%s%" PRIu64 " -> %" PRIu64 " page faults, %" PRIu64 " -> %" PRIu64 " processes.", *text,
		      trial->without.faults, trial->with.faults, trial->without.processes, trial->with.processes);
}

static void add_output(const struct path_trial *trial, char **text)
{
	switch (trial->output) {
	case PATH_OUTPUT_SAME:
		add_same(trial, text);
		break;
	case PATH_OUTPUT_DIFFERS:
		text__replace(text, "%s Do not use it for this command: its %s differs with it. Nothing was timed.",
			      *text, trial->difference);
		break;
	case PATH_OUTPUT_VARIES:
		text__replace(text,
			      "%s Its %s differs from run to run without it, too, so it is not known whether these "
			      "programs do the same. Nothing was timed.",
			      *text, trial->difference);
		break;
	case PATH_OUTPUT_NOT_COMPARED:
	case PATH_OUTPUTS:
		text__replace(text, "%s Nothing was compared.", *text);
	}
}

/* Which starts took a program of it, as far as that is seen. */
static char *starts_words(const struct path_trial *trial)
{
	if (!trial->starts)
		return text__of("With %s first in PATH nothing changes: the command starts no other program.",
				trial->directory);
	if (!trial->taken)
		return text__of("With %s first in PATH, none of %s of other programs took one of it.", trial->directory,
				quantity__count(trial->starts, "start", "starts").text);
	return text__of("With %s first in PATH, %" PRIu64 " of %s of other programs took one of it.", trial->directory,
			trial->taken, quantity__count(trial->starts, "start", "starts").text);
}

void report__print_path_trial(const struct run *run, const struct table_output *output)
{
	const struct path_trial *trial = run->tree_times ? run->tree_times->path_trial : NULL;
	autofree char *text = NULL;

	if (!trial)
		return;
	text = starts_words(trial);
	if (trial->starts) {
		add_missed(trial, &text);
		if (trial->scripts)
			text__replace(&text, "%s It has %s, whose starts count as those of the interpreter.", text,
				      quantity__count(trial->scripts, "script", "scripts").text);
		add_output(trial, &text);
	}
	wrap__print(NULL, text, 0, 0, output);
}
