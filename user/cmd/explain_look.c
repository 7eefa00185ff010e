// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "analysis/names/enrich.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/explain_job.h"
#include "source/trace.h"

static int attach(struct explain_job *job, struct run **run)
{
	struct trace_request request = { .fault_level = FAULTS_CLASSES, .anatomy = true };
	char *message = NULL;

	attach_options__apply(&job->attach, &request);
	if (trace__run(&request, run, &message) != TRACE_OK) {
		complain("explain", 0, "%s", message ? message : "out of memory");
		free(message);
		return EXIT_FORKTAX;
	}
	enrich__run(*run);
	return 0;
}

/*
 * A round of its own, so that commands are run and judged here as they are when tried. Traced runs
 * have a fixed memory layout: it decides which faults there are, and what is tried should be all
 * that differs.
 */
static int trace_command(struct explain_job *job, struct run **run)
{
	struct variant variant = { .label = job->argv[0], .path = job->path, .argv = job->argv };
	struct rounds once = job->rounds;
	int status;

	once.timed = 0;
	once.no_aslr = true;
	once.traced = 1;
	once.variants = &variant;
	once.count = 1;
	status = rounds__measure(&once);
	if (!status && variant.run_count) {
		*run = variant.runs[0];
		variant.run_count = 0;
	}
	variant__release(&variant);
	return status;
}

int explain__look(struct explain_job *job, struct run **run)
{
	int status = job->argv ? trace_command(job, run) : attach(job, run);

	if (status || (*run)->anatomy)
		return status;
	run__free(*run);
	*run = NULL;
	return complain("explain", EXIT_FORKTAX, "this kernel does not let single faults be recorded: "
						 "see forktax doctor");
}
