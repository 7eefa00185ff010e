// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/command/command_prepare.h"

#include <string.h>

#include "base/text.h"
#include "launch/child.h"

enum bench_outcome command_prepare__run(const char *command, bool show_output, struct interrupt *interrupt,
					char **reason)
{
	char *argv[] = { "sh", "-c", (char *)command, NULL };
	const struct child_request request = {
		.path = "/bin/sh",
		.argv = argv,
		.stdio = show_output ? CHILD_SHOWN : CHILD_QUIET,
	};
	struct child_result result;
	int error;

	if (!command)
		return TASK_DONE;
	error = child__run(&request, interrupt, &result, reason);
	if (error) {
		text__replace(reason, "--prepare: /bin/sh cannot be executed: %s", strerror(error));
		return TASK_FAILED;
	}
	if (result.interrupted)
		return TASK_INTERRUPTED;
	if (!result.status && !result.signal)
		return TASK_DONE;
	*reason = text__of("--prepare: \"%s\" ", command);
	if (result.signal)
		text__replace(reason, "%swas killed by signal %d (%s)", *reason, result.signal,
			      strsignal(result.signal));
	else
		text__replace(reason, "%sexited with status %d", *reason, result.status);
	if (!show_output)
		text__replace(reason, "%s; --show-output shows why", *reason);
	return TASK_FAILED;
}
