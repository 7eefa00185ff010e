// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/print.h"

/* What is known to go wrong is said before a second is spent on measuring. */
static int check_and_act(const struct command *command, void *settings,
			 const struct report_options *display, char **operands, int *signal)
{
	int status = command->check ? command->check(settings, operands) : 0;

	if (!status && !command->prints_at_once)
		status = check_output(command->name, display, command->prints_to_stderr ? stderr : stdout);
	return status ? status : command->act(settings, operands, signal);
}

int command__run(const struct command *command, int argc, char **argv)
{
	autofree char *settings = checked_calloc(1, command->size);
	struct report_options *display = (struct report_options *)(settings + command->display);
	int status, signal = 0;

	if (command->defaults)
		memcpy(settings, command->defaults, command->size);
	if (command->begin)
		command->begin(settings, command, argc, argv);
	if (options__parse(command, argc, argv, settings, &status))
		status = check_and_act(command, settings, display, argv + optind, &signal);
	if (command->release)
		command->release(settings);
	report_options__free(display);
	return signal ? die_like(signal) : status;
}
