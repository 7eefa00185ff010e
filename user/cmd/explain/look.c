// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "analysis/names/enrich.h"
#include "cmd/commands.h"
#include "cmd/explain/explain_job.h"
#include "cmd/variants.h"
#include "source/trace.h"

static int attach(struct explain_job *job, struct run **run)
{
	struct trace_request request = { .source = job->rounds.source,
					 .fault_level = FAULTS_CLASSES, .anatomy = true };
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

/* In a round of its own, so that the command is run and judged as in later trials. */
static int trace_command(struct explain_job *job, struct run **run)
{
	struct variant variant = { .label = job->argv[0], .path = job->path, .argv = job->argv };
	struct rounds once = job->rounds;
	int signal, status;

	once.timed = 0;
	once.traced = 1;
	status = variants__measure(&variant, 1, &once, &signal);
	if (!status && variant.run_count) {
		*run = variant.runs[0];
		variant.run_count = 0;
	}
	variant__release(&variant);
	return signal ? die_like(signal) : status;
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
