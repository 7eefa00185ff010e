// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * R16: at each of its starts, a shell of a user waits for programs whose output it takes, and which could be kept;
 * or for what a line of its start files starts.
 */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

static const double SHARE_LEAST = 0.1, EACH_LEAST_NS = 20e6;

/* "-i", "-l", "-lic", "--login" before the first operand: the shell reads its user's start files. */
static bool asks_for_start_files(char *const *words)
{
	for (; *words && **words == '-'; words++) {
		if (!strcmp(*words, "--login") || !strcmp(*words, "--interactive"))
			return true;
		if ((*words)[1] != '-' && strpbrk(*words, "il"))
			return true;
	}
	return false;
}

/* Does the command ask for output itself, beside what the start files do? */
static bool takes_output(const struct run *run)
{
	static const char *const substitutions[] = { "$(", "`", "<(", NULL };

	for (size_t i = 1; i < run->command_count; i++)
		if (text__holds_any(run->command[i], substitutions))
			return true;
	return false;
}

static bool is_start_of_shell(const struct run *run)
{
	const char *name = run->command_count ? text__file_name(run->command[0]) : "";

	return (run_subject__names_shell(name) || !strcmp(name, "fish")) && asks_for_start_files(run->command + 1) &&
	       !takes_output(run);
}

/* Is it long enough to be noticed, and started for what it prints alone? */
static bool is_asked(const struct run_subject *subject, const struct execution *row)
{
	const uint32_t shell = subject->run->processes[0].images[0].exe;

	return row->parent_exe == shell && row->argument_count && row->captured == row->count && !row->fed &&
	       run_subject__untraced(subject, (double)row->wall_ns) >= EACH_LEAST_NS * (double)row->count;
}

static void speak(const struct run_subject *subject, const struct execution *largest, uint64_t programs, double ns,
		  struct advice *advice)
{
	const char *shell = run_subject__name(subject, largest->parent_exe);
	autofree char *words = execution__words(largest), *place = execution__place(subject, largest);
	autofree char *share = run_subject__share(subject, ns), *among = NULL;

	among = programs > 1 ? text__of("%" PRIu64 " programs, above all ", programs) : text__of("%s", "");
	advice->evidence = text__of("At its start %s waits for the output of %s%s%s%s: %s.", shell, among, words,
				    place ? " at " : "", place ? place : "", share);
	advice->action = text__of("keep what it prints in a file that the start of %s reads, where that is always the "
				  "same, or start it when it is first needed", shell);
}

/* The line that takes most with all below it, of whose file all such lines take `ns`; NULL: none. */
static const struct path_line *find_line(const struct run_subject *subject, double *ns)
{
	const struct critical_path *path = subject->path;
	const struct path_line *most = NULL;
	uint64_t sum = 0;

	for (size_t i = 0; path && i < path->line_count; i++) {
		const struct path_line *line = &path->lines[i];

		if (line->file && line->line && (!most || line->outer_ns > most->outer_ns))
			most = line;
	}
	for (size_t i = 0; most && i < path->line_count; i++)
		sum += text__compare(path->lines[i].file, most->file) ? 0 : path->lines[i].outer_ns;
	*ns = most ? run_subject__path(subject, (double)sum) : 0;
	return most;
}

/* ": eval "$(tool init)""; empty where the text is not known. To be freed. */
static char *text_of(const struct run *run, const struct path_line *line)
{
	for (size_t i = 0; run->lines && i < run->lines->count; i++)
		if (run->lines->rows[i].text && path_line__is(line, &run->lines->rows[i]))
			return text__of(": %s", run->lines->rows[i].text);
	return text__of("%s", "");
}

static bool speak_of_line(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	double ns;
	const struct path_line *line = find_line(subject, &ns);
	const char *shell = run_subject__name(subject, run->processes[0].images[0].exe);
	autofree char *share = NULL, *text = NULL, *place = NULL;

	/* Of other shells no line is known. The script that it is for, or executes at last, is no start file. */
	if (!line || strcmp(shell, "bash") != 0 || run->processes[0].image_count > 1 ||
	    run_subject__is_argument(subject, line->file))
		return false;
	if (ns < EACH_LEAST_NS || ns < SHARE_LEAST * subject->wall_ns)
		return false;
	share = run_subject__share(subject, ns);
	text = text_of(run, line);
	place = script_place__text(line->file, line->line);
	advice->evidence = text__of("At its start %s waits for what %s starts, above all %s%s: %s.", shell, line->file,
				    place, text, share);
	advice->action = text__of("start it when it is first needed, or keep what it prints in a file that the start "
				  "of %s reads, where that is always the same", shell);
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}

bool rule__r16_asked(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	struct wanted_rows asked;

	if (!run->executions || !run->process_count || !run->processes[0].image_count || !is_start_of_shell(run))
		return false;
	asked = executions__wanted(subject, is_asked);
	if (!asked.first || !spared__reaches(&asked.spared, subject, SHARE_LEAST))
		return speak_of_line(subject, advice);
	speak(subject, asked.first, asked.rows, spared__predict(&asked.spared, subject, advice), advice);
	return true;
}
