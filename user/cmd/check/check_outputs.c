// SPDX-License-Identifier: GPL-2.0-or-later
/* Files and streams that continuous integration reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "cmd/check/check_job.h"
#include "cmd/commands.h"
#include "format/output.h"
#include "report/check/check_report.h"

int check_outputs__check(const struct check_job *job)
{
	autofree char *reason = NULL;

	if (!job->junit || !output__check(job->junit, &reason))
		return 0;
	return print_error("check", EXIT_FORKTAX, "%s", reason);
}

static int write_junit(const struct check_job *job, const struct check_results *results)
{
	autofree char *reason = NULL;
	struct output *output = output__open(job->junit, NULL, &reason);

	if (output) {
		check_junit__write(results, output__stream(output));
		if (!output__commit(output, &reason))
			return 0;
	}
	return print_error("check", EXIT_FORKTAX, "%s", reason);
}

/* As a block of code in Markdown, which no line of it can end. */
static void print_indented(const struct check_results *results, FILE *stream)
{
	const struct check_view view = { .all = false };
	char *text = NULL, *rest, *line;
	size_t size;
	FILE *kept = checked(open_memstream(&text, &size));
	const struct table_output output = table_output__for(kept, TABLE_TEXT, COLOUR_NEVER);

	check_report__print(results, &view, &output);
	fclose(kept);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		fprintf(stream, "%s%s\n", *line ? "    " : "", line);
	free(text);
}

/* Of all steps of a job: what others wrote there stays. */
static int append_summary(const struct check_results *results)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *stream = path && *path ? fopen(path, "ae") : NULL;
	bool failed;

	if (!path || !*path)
		return 0;
	if (!stream)
		return print_error("check", EXIT_FORKTAX, "cannot write GITHUB_STEP_SUMMARY, %s: %s", path,
				   strerror(errno));
	fputs("### forktax check\n\n", stream);
	print_indented(results, stream);
	failed = ferror(stream);
	if (fclose(stream) || failed)
		return print_error("check", EXIT_FORKTAX, "cannot write GITHUB_STEP_SUMMARY, %s", path);
	return 0;
}

static bool is_for_github(const struct check_job *job)
{
	const char *there = getenv("GITHUB_ACTIONS");

	return job->github == GITHUB_ALWAYS || (job->github == GITHUB_AUTO && there && !strcmp(there, "true"));
}

int check_outputs__write(const struct check_job *job, const struct check_results *results, bool stdout_is_data)
{
	int status = job->junit ? write_junit(job, results) : 0;

	if (!is_for_github(job))
		return status;
	/* The runner reads commands from both. */
	check_github__write(results, job->file, stdout_is_data ? stderr : stdout);
	if (!stdout_is_data && finish_stdout("check"))
		status = EXIT_FORKTAX;
	return append_summary(results) ? EXIT_FORKTAX : status;
}
