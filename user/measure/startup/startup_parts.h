/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a program does between its execve and its end, on the clock: the kernel's exec, the dynamic
 * linker, the start of libc, main(), the end. Breakpoints in the debug registers of the CPU
 * (perf_event_open(2)) note when the first instruction of each part runs: nothing is written to the
 * program, and it is not stopped. Where these instructions are, a first run under ptrace tells.
 * Address randomisation is off in both, so that they are in the same place.
 *
 * x86-64 only.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_PARTS_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/interrupt.h"
#include "launch/launch.h"

struct startup_command {
	const char *path;
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* the same; NULL: ours */
	bool may_fail;
};

/* How it is started here: quietly, with the same layout each time. */
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

/* Addresses of instructions; 0: not known, or there is none. */
struct startup_marks {
	uint64_t first; /* of the image: ld.so's, or the program's own */
	uint64_t entry; /* the program's; 0 if that is `first` */
	uint64_t main;
	uint64_t returned; /* where main() returns to */
};

enum startup_part {
	PART_KERNEL, /* execve to the first instruction */
	PART_LD_SO, /* to the program's entry */
	PART_LIBC, /* to main() */
	PART_MAIN, /* to its return */
	PART_END, /* to the parent's notice of the end */
	STARTUP_PART_COUNT,
};

/* These return 0, or -1 and store a reason (to be freed). A signal ends the run under way. */

int startup_marks__learn(const struct startup_command *command, struct interrupt *interrupt,
			 struct startup_marks *marks, char **reason);
/* Medians of several runs, ns; NAN where a mark is not known or was not passed. */
int startup_parts__time(const struct startup_command *command, const struct startup_marks *marks,
			struct interrupt *interrupt, double ns[STARTUP_PART_COUNT], char **reason);

#endif
