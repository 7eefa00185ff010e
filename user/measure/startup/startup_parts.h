/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time of a program from its execve to its end, in parts: the kernel's exec, the dynamic linker,
 * the start of libc, main(), the end. Breakpoints in the debug registers of the CPU
 * (perf_event_open(2)) note when the first instruction of each part runs: the program is neither
 * changed nor stopped. A first run under ptrace finds the addresses of these instructions; address
 * randomisation is off in all runs, so they stay the same.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_PARTS_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/start/start.h"
#include "launch/interrupt.h"
#include "launch/launch.h"

struct startup_command {
	const char *path;
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* the same; NULL: ours */
	bool may_fail;
};

/* Starts it quietly, with the same layout each time. */
static inline struct launch startup_command__launch(const struct startup_command *command,
						    const struct interrupt *interrupt)
{
	return (struct launch){
		.path = command->path,
		.argv = command->argv,
		.environment = command->environment,
		.stdio = LAUNCH_STDIO_NULL,
		.mask = &interrupt->mask,
		.no_aslr = true,
		.dies_with_us = true,
	};
}

/* Addresses of instructions; 0: unknown, or none. */
struct startup_marks {
	uint64_t first; /* of the image: in ld.so, or in the program */
	uint64_t entry; /* the program's; 0 if that is `first` */
	uint64_t main;
	uint64_t returned; /* where main() returns to */
};

/* These return 0, or -1 and store a reason (to be freed). A signal ends the current run. */

int startup_marks__learn(const struct startup_command *command, struct interrupt *interrupt,
			 struct startup_marks *marks, char **reason);
/* Medians of several runs, ns; NAN where a mark is unknown or was not passed. */
int startup_parts__time(const struct startup_command *command, const struct startup_marks *marks,
			struct interrupt *interrupt, double ns[START_PART_COUNT], char **reason);

#endif
