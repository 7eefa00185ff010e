// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "launch/gate.h"
#include "source/source.h"
#include "source/trace.h"

/* What is wrong with a run of `true`; NULL: nothing. */
static const char *find_fault(const struct run *run)
{
	if (!syscall_table__find(&run->table, "execve", ABI_NATIVE))
		return "the execve of the traced command was not seen";
	if (run__has(run, HAS_FAULT_CLASSES) && (!run->faults.total || !faults__classified(&run->faults)))
		return "no page fault of the traced command was seen";
	return run->integrity.exact ? NULL : "the run was not exact";
}

/* The path by which this program was executed. */
static char *ourselves(void)
{
	return (char *)getauxval(AT_EXECFN);
}

static bool has_true(void)
{
	char *path = gate__find("true");

	free(path);
	return path != NULL;
}

/* Tries everything together: traces a command and checks that its events were counted. */
static enum capability_state try_command(const struct source *source, char *why, size_t size)
{
	char *argv[] = { "true", NULL, NULL }, *message;
	const struct trace_request request = { .argv = argv,
					       .quiet_command = !access("/dev/null", R_OK | W_OK),
					       .fault_level = source->cannot(ABILITY_FAULT_TOTALS) ? FAULTS_SEEN
												   : FAULTS_CLASSES };
	const char *fault;
	struct run *run;

	if (!has_true()) { /* in an empty root (a container from scratch) there is no program but us */
		argv[0] = ourselves();
		argv[1] = "--do-nothing";
	}
	if (trace__by(source, &request, &run, &message) != TRACE_OK) {
		snprintf(why, size, "%s", message);
		free(message);
		return CAPABILITY_MISSING;
	}
	fault = find_fault(run);
	if (fault)
		snprintf(why, size, "%s", fault);
	run__free(run);
	return fault ? CAPABILITY_MISSING : CAPABILITY_THERE;
}

enum capability_state source__try(const struct source *source, const struct capability *capability,
				  char *why, size_t size)
{
	return capability->try ? capability->try(capability->subject, why, size) : try_command(source, why, size);
}
