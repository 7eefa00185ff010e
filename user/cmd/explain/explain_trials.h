/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The variants of a command that `forktax explain` runs alternately: unchanged, and with environment settings.
 */
#ifndef FORKTAX_CMD_EXPLAIN_EXPLAIN_TRIALS_H
#define FORKTAX_CMD_EXPLAIN_EXPLAIN_TRIALS_H

#include "cmd/explain/explain_job.h"

/*
 * How advice is tried: our environment with one more setting or one less, or the command with one more option or below
 * a limit.
 */
struct setting {
	char **environment; /* owned, with what is in it; NULL: ours */
	char **argv; /* the array is owned; NULL: the command's */
	char *script; /* of a shell that sets the limit and executes the command; owned; NULL: there is none */
	char *entry; /* what is new: NAME=VALUE, NAME (left out), "-I", or "ulimit -n 256"; owned */
};
void setting__release(struct setting *setting);

enum { TRIES_MOST = 8, VARIANTS_MOST = TRIES_MOST + 1 };

struct trials {
	struct explain_job *job;
	struct run *run;			       /* the one that was explained ... */
	const struct fork_breakdowns *breakdowns;      /* ... and its breakdowns */
	struct variant variants[VARIANTS_MOST];	       /* the first is the command as it is */
	struct setting settings[VARIANTS_MOST];	       /* empty: its environment is ours */
	const char *entries[VARIANTS_MOST];	       /* the setting that some advice names; NULL: none */
	struct fork_breakdowns *traced[VARIANTS_MOST]; /* breakdowns of traced runs; NULL: not made yet; owned */
	size_t count;
};

/* Adds a variant that tries this (as setting.entry says), unless there is one; it must outlive them. */
void trials__add(struct trials *trials, const char *entry);
/* The variant that tries it; 0: none. */
size_t trials__find(const struct trials *trials, const char *entry);
/*
 * Did all traced runs of the variant end as the explained one? Failures may be ignored (-i), but a run
 * that ends differently has not done the same work.
 */
bool trials__end_alike(const struct trials *trials, const struct variant *variant);

/* The breakdowns of all traced runs of a variant, one element for each run. Borrowed. */
const struct fork_breakdowns *trials__breakdowns(struct trials *trials, size_t variant);

/*
 * Does the CPU time of the command include that of its children? Only if they were waited for. Other
 * processes disturb it less than wall time.
 */
bool trials__have_cpu_time(const struct trials *trials, uint32_t group);

/* Stores in the advice that the command ends differently with this setting, so that nothing was measured. */
void trials__note_other_end(struct advice *advice, const char *setting);
/* Stores in the advice what its variant showed, if it ran: these faults less, and the time per so many forks. */
void trials__note(const struct trials *trials, struct advice *advice, size_t variant,
		  struct estimate faults, bool by_cpu, double forks);

/*
 * Adds what advice for the run and its start can be tried with, if the command ends as it does without: each is run
 * once, traced. Returns 0 or, after a complaint, the exit status; stores the signal of Ctrl-C.
 * Afterwards stores what the runs showed of the start.
 */
int trials__add_probed(struct trials *trials, int *signal);
void trials__note_start(struct trials *trials);

#endif
