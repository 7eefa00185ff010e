// SPDX-License-Identifier: GPL-2.0-or-later
/* Files and streams that continuous integration reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/check/check_job.h"
#include "cmd/commands.h"
#include "format/output.h"
#include "report/check/check_report.h"

typedef void write_fn(const struct check_results *results, FILE *stream);

struct output_file {
	const char *path;
	write_fn *write;
};

enum { OUTPUT_FILES = 3 };

static void list_files(const struct check_job *job, struct output_file files[OUTPUT_FILES])
{
	files[0] = (struct output_file){ job->junit, check_junit__write };
	files[1] = (struct output_file){ job->benchmark, check_benchmark__write };
	files[2] = (struct output_file){ job->bencher, check_bencher__write };
}

int check_outputs__check(const struct check_job *job)
{
	struct output_file files[OUTPUT_FILES];

	list_files(job, files);
	for (int i = 0; i < OUTPUT_FILES; i++) {
		char *reason;

		if (!files[i].path || !output__check(files[i].path, &reason))
			continue;
		print_error("check", 0, "%s", reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	return 0;
}

static int write_file(const struct output_file *file, const struct check_results *results)
{
	char *reason;
	struct output *output = output__open(file->path, NULL, &reason);

	if (output) {
		file->write(results, output__stream(output));
		if (!output__commit(output, &reason))
			return 0;
	}
	print_error("check", 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

/* Of all steps of a job: what others wrote there stays. */
static int append_summary(const struct check_results *results)
{
	const struct check_view view = { .all = false };
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *stream = path && *path ? fopen(path, "ae") : NULL;
	struct table_output output;
	bool failed;

	if (!path || !*path)
		return 0;
	if (!stream)
		return print_error("check", EXIT_FORKTAX, "cannot write GITHUB_STEP_SUMMARY, %s: %s", path,
				   strerror(errno));
	output = table_output__for(stream, TABLE_MARKDOWN, COLOUR_NEVER);
	fputs("### forktax check\n\n", stream);
	check_report__print(results, &view, &output);
	failed = ferror(stream);
	if (fclose(stream) || failed)
		return print_error("check", EXIT_FORKTAX, "cannot write GITHUB_STEP_SUMMARY, %s", path);
	return 0;
}

static bool is_for_github(const struct check_job *job)
{
	const char *there = getenv("GITHUB_ACTIONS");

	return job->github == GITHUB_ALWAYS ||
	       (job->github == GITHUB_AUTO && there && !strcmp(there, "true"));
}

int check_outputs__write(const struct check_job *job, const struct check_results *results,
			 bool stdout_is_data)
{
	struct output_file files[OUTPUT_FILES];
	int status = 0;

	list_files(job, files);
	for (int i = 0; i < OUTPUT_FILES; i++)
		if (files[i].path && write_file(&files[i], results))
			status = EXIT_FORKTAX;
	if (!is_for_github(job))
		return status;
	/* The runner reads commands from both. */
	check_github__write(results, job->file, stdout_is_data ? stderr : stdout);
	if (!stdout_is_data && finish_stdout("check"))
		status = EXIT_FORKTAX;
	return append_summary(results) ? EXIT_FORKTAX : status;
}
