/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The variants of a command that `forktax explain` runs in turns: as it is, with settings of the
 * environment, and another executable.
 */
#ifndef FORKTAX_CMD_EXPLAIN_EXPLAIN_TRIALS_H
#define FORKTAX_CMD_EXPLAIN_EXPLAIN_TRIALS_H

#include "cmd/explain/explain_job.h"

/* The environment with one setting more; GLIBC_TUNABLES keeps what it has. */
struct setting {
	char **environment; /* owned, with what is in it */
	char *entry; /* the new one; owned */
};
void setting__make(struct setting *setting, const char *entry);
void setting__release(struct setting *setting);

enum { TRIES_MOST = 4, VARIANTS_MOST = TRIES_MOST + 2 };

struct trials {
	struct explain_job *job;
	struct run *run;			/* the one that was explained ... */
	const struct fork_bills *bills;		/* ... and its bills */
	struct variant variants[VARIANTS_MOST]; /* the first is the command as it is */
	struct setting settings[VARIANTS_MOST]; /* empty: its environment is ours */
	const char *entries[VARIANTS_MOST]; /* what advice has asked for; NULL: none */
	struct fork_bills
		*traced[VARIANTS_MOST]; /* bills of traced runs; NULL: not made yet; owned */
	size_t count;
	size_t against; /* which one is the other executable; 0: none */
	char **argv; /* of that one; the array is owned */
};

/* The bills of all traced runs of a variant, one element for each run. Borrowed. */
const struct fork_bills *trials__bills(struct trials *trials, size_t variant);

/*
 * Is the CPU time of the children in that of the command? Only if they were waited for; of all
 * measures of time it is the one that other processes disturb least.
 */
bool trials__have_cpu_time(const struct trials *trials, uint32_t group);
/* How much less time the variant took than the command as it is, divided by that many forks. */
struct estimate trials__time_saved(const struct trials *trials, size_t variant, bool by_cpu,
				   double forks);

/* In words, how that was measured; `what` is what was tried. To be freed. */
char *trials__how(const struct trials *trials, size_t variant, const char *what, bool by_cpu);

/* Adds the other executable as a variant, and afterwards stores what its runs showed. */
void trials__add_against(struct trials *trials);
void trials__note_against(struct trials *trials);

#endif
