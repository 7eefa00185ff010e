// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/calibrate.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/quantile.h"
#include "base/text.h"
#include "calibrate/one_cpu.h"
#include "calibrate/trials.h"

enum { WARM_UPS = 5, ROUNDS_LEAST = 9, ROUNDS_MOST = 301 };
enum { SECONDS_MOST = 30 /* on a busy machine */ };
enum { WARM, COLD, STATES, COLD_EVERY = 8 /* rounds: writing through the caches takes long */ };
static const double BUDGET_NS = 0.45e9; /* for each kind of trials */

/* In memory shared with the measuring process. */
struct results {
	size_t page; /* bytes */
	size_t counts[COST_COUNT][STATES];
	double values[COST_COUNT][STATES][ROUNDS_MOST];
};

static void prepare(struct trial_setup *setup, const struct trial *trials, size_t count, bool *able)
{
	for (size_t i = 0; i < count; i++)
		able[i] = !trials[i].prepare || trials[i].prepare(setup);
}

/* What chilling writes; children do not need it. */
static char *map_filler(void)
{
	char *filler = raw__map(NULL, FILLER);

	if (filler)
		raw__advise(filler, FILLER, MADV_DONTFORK);
	return filler;
}

/* Exit status of the process that measures: one of these, or SLIM_KILLED and the signal that killed the slim one. */
enum { NO_FORK = 1, NO_MAPPINGS = 2, SLIM_KILLED = 128 };

/* Are there enough warm and cold rounds, and is the time spent? */
static bool is_done(int round, double begin)
{
	return round >= WARM_UPS + (ROUNDS_LEAST + 1) * COLD_EVERY && raw__now() - begin > BUDGET_NS;
}

/* Also runs in the slim process: no function of the C library. */
static void measure(const struct trial *trials, size_t count, struct results *results)
{
	struct trial_setup setup = { .page = results->page, .filler = map_filler() };
	bool able[COST_COUNT];
	double begin = raw__now();

	prepare(&setup, trials, count, able);
	for (int round = 0; round < WARM_UPS + ROUNDS_MOST; round++) {
		if (is_done(round, begin))
			return;
		setup.flip = round % 2;
		setup.cold = setup.filler && (round / 2) % COLD_EVERY == 0; /* both ways round */
		for (size_t i = 0; i < count; i++) {
			enum cost cost = trials[i].cost;
			double ns;

			if (able[i] && trials[i].measure(&setup, &ns) && round >= WARM_UPS)
				results->values[cost][setup.cold][results->counts[cost][setup.cold]++] = ns;
		}
	}
}

static void die_with_parent(long parent)
{
	raw__call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
	if (raw__call(SYS_getppid, 0, 0, 0) != parent) /* it died before we asked */
		raw__call(SYS_exit_group, 1, 0, 0);
}

/* This process ends whatever happens to forktax meanwhile. */
static int measure_as_child(struct results *results, pid_t parent)
{
	sigset_t set;
	long pid;
	int status = 0;

	die_with_parent(parent);
	signal(SIGALRM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL); /* if ignored, the kernel would reap the children that we time */
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm(SECONDS_MOST);
	stay_on_this_cpu();
	measure(fault_trials, fault_trial_count, results);
	if (!slim__down(fork_trials, fork_trial_count * sizeof(*fork_trials)))
		return NO_MAPPINGS;
	parent = getpid();
	pid = arch__fork();
	if (pid == 0) {
		die_with_parent(parent);
		measure(fork_trials, fork_trial_count, results);
		raw__call(SYS_exit_group, 0, 0, 0);
	}
	if (pid < 0 || waitpid((pid_t)pid, &status, 0) != pid)
		return NO_FORK;
	return WIFSIGNALED(status) ? SLIM_KILLED + WTERMSIG(status) : 0;
}

/*
 * The interval needs no assumption about noise: the number of values below the true median is
 * binomial, so order statistics around the middle bound it.
 */
static struct estimate median_of(double *values, size_t n)
{
	struct estimate figure = { .known = n > 0 };
	double reach = 1.96 * sqrt((double)n) / 2;
	size_t below, above;

	if (!n)
		return figure;
	quantile__sort(values, n);
	figure.value = figure.low = figure.high = quantile__of_sorted(values, n, 0.5);
	if (n < ROUNDS_LEAST)
		return figure;
	below = (size_t)((double)n / 2 - reach);
	above = (size_t)ceil((double)n / 2 + reach);
	figure.bounded = true;
	figure.low = values[below];
	figure.high = values[above < n ? above : n - 1];
	return figure;
}

static struct estimate cost_of(struct results *results, int cost)
{
	struct estimate warm = median_of(results->values[cost][WARM], results->counts[cost][WARM]);
	struct estimate cold = median_of(results->values[cost][COLD], results->counts[cost][COLD]);

	if (!results->counts[cost][WARM]) /* it has no warm rounds */
		warm = cold;
	/* A difference made negative by noise says nothing. */
	if (!warm.known || warm.value <= 0)
		return (struct estimate){ .known = false };
	if (warm.bounded && cold.known) {
		warm.low = fmax(0, fmin(warm.low, cold.value));
		warm.high = fmax(warm.high, cold.value);
	}
	return warm;
}

/* Why it ended early, by how waitpid(2) says that it ended. */
static const char *reason_of(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return "it took too long";
	if (WIFSIGNALED(status))
		return strsignal(WTERMSIG(status));
	if (WEXITSTATUS(status) > SLIM_KILLED)
		return strsignal(WEXITSTATUS(status) - SLIM_KILLED);
	return WEXITSTATUS(status) == NO_MAPPINGS ? "it could not read /proc/self/maps" : "it could not fork";
}

static bool run_trials(struct results *results, char **reason)
{
	pid_t parent = getpid(), pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(measure_as_child(results, parent));
	if (pid < 0)
		return !error__set(reason, "cannot fork: %s", strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			break;
	if (status)
		error__set(reason, "the process that measures costs on this machine ended early (%s)",
			   reason_of(status));
	return !status;
}

bool calibrate__costs(struct estimate costs[COST_COUNT], char **reason)
{
	struct results *results = mmap(NULL, sizeof(*results), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool good;

	*reason = NULL;
	memset(costs, 0, COST_COUNT * sizeof(*costs));
	if (results == MAP_FAILED)
		return !error__set(reason, "out of memory");
	results->page = (size_t)sysconf(_SC_PAGESIZE);
	good = run_trials(results, reason);
	for (int cost = 0; cost < COST_COUNT; cost++)
		costs[cost] = cost_of(results, cost);
	munmap(results, sizeof(*results));
	return good;
}
