// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "advice/run/run_advice.h"
#include "base/autofree.h"
#include "cmd/commands.h"
#include "cmd/explain/explain_job.h"
#include "cmd/variants.h"
#include "elf/shell.h"
#include "resolve/resolve.h"
#include "source/trace.h"

static int attach(struct explain_job *job, struct run **run)
{
	struct trace_request request = { .source = job->rounds.source,
					 .fault_level = FAULTS_CLASSES, .anatomy = true, .tree = true,
					 .stacks = job->rounds.stacks,
					 .find_shell = elf_shell__find };
	autofree char *message = NULL;

	attach_options__apply(&job->attach, &request);
	if (trace__run(&request, run, &message) != TRACE_OK)
		return print_error("explain", EXIT_FORKTAX, "%s", message ? message : "out of memory");
	resolve__run(*run);
	drop_unknown_lines(*run);
	return 0;
}

/* In a round of its own: so it is run and judged as in later trials. Stores the signal of Ctrl-C, or 0. */
static int trace_once(struct explain_job *job, struct rounds once, struct run **run, int *signal)
{
	struct variant variant = { .label = job->argv[0], .path = job->path, .argv = job->argv };
	int status;

	once.timed = 0;
	once.traced = 1;
	status = variants__measure(&variant, 1, &once, signal);
	if (!status && variant.run_count) {
		*run = variant.runs[0];
		variant.run_count = 0;
	}
	variant__release(&variant);
	return status;
}

static int run_traced(struct explain_job *job, bool start, struct run **run)
{
	struct rounds once = job->rounds;
	int status, signal;

	once.start = start;
	once.start_untraced = start && !job->no_try && job->rounds.timed;
	status = trace_once(job, once, run, &signal);
	return signal ? die_like(signal) : status;
}

void explain__look_at_files(struct explain_job *job, const struct run *seen, struct run **run, int *signal)
{
	struct rounds once = job->rounds;

	*run = NULL;
	once.files = true;
	once.waits = run_advice__needs_waits(seen);
	if (job->argv && !job->no_try && (once.waits || run_advice__needs_files(seen)))
		trace_once(job, once, run, signal);
}

/* A command that forks: does it open many files itself, or read much? */
static bool reads_much(const struct run *run)
{
	enum { OPENED_LEAST = 40, READ_LEAST = 1000 };
	uint64_t opened = 0, read = 0;

	for (size_t i = 0; i < run->root_table.count; i++) {
		const struct syscall_row *row = &run->root_table.rows[i];
		const uint64_t good = row->calls[ACTOR_PROGRAM] - row->errors[ACTOR_PROGRAM];

		opened += !strncmp(row->name, "open", strlen("open")) ? good : 0;
		read += !strcmp(row->name, "read") ? good : 0;
	}
	return opened >= OPENED_LEAST || read >= READ_LEAST;
}

int explain__look(struct explain_job *job, struct run **run)
{
	int status = job->argv ? run_traced(job, job->startup, run) : attach(job, run);

	if (!status && job->argv && !(*run)->start && (!(*run)->totals[LIFE_FORKS] || reads_much(*run))) {
		run__free(*run);
		*run = NULL;
		status = run_traced(job, true, run);
	}
	if (status || (*run)->anatomy)
		return status;
	run__free(*run);
	*run = NULL;
	return print_error("explain", EXIT_FORKTAX, "this kernel does not allow recording single faults: "
						 "see forktax doctor");
}
