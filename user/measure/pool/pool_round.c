// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_round.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/gate.h"
#include "launch/tracee.h"
#include "measure/pool/pool_course.h"
#include "measure/pool/pool_guard.h"
#include "measure/pool/pool_log.h"
#include "measure/pool/pool_tree.h"
#include "pool/pool.h"
#include "pool/pool_members.h"

enum {
	STEP_MS = 100,
	QUIET_MS = 300, /* no member comes or goes, and hardly any CPU time is used */
	BUSY_MS = 10000, /* a pool that has forked and is never quiet counts as ready after this time */
	IDLE_WAIT_MS = 2000, /* after the load */
	END_MS = 10000, /* after SIGTERM */
};
static const double QUIET_SHARE = 0.1; /* of a CPU */

/* A run and what it has started. */
struct round {
	const struct pool_plan *plan;
	const struct pool_remedy *remedy;
	struct interrupt *interrupt;
	struct pool_excluded excluded;
	struct pool_ksm ksm;
	bool merges; /* it is on */
	struct pool_guard guard;
	struct gate gate; /* of the command */
	int log, load_log;
	struct pool_baseline baseline; /* of the look before the load */
	pid_t master; /* of the pool: the command, or a process that it has started; 0: not known yet */
	struct pool_course course; /* while the load runs */
	double restart_ns; /* when --restart runs next */
	char **reason;
};

static int wrong(struct round *round, const char *what)
{
	return error__set(round->reason, "%s: %s", what, strerror(errno));
}

/* How a process ended, to be freed; NULL: it runs. It is not reaped. */
static char *end_of(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
		return NULL;
	return text__of(info.si_code == CLD_EXITED ? "with status %d" : "by signal %d", info.si_status);
}

/* ": LAST LINE" of its output, to be freed; "" if there is none. */
static char *last_words(int log)
{
	char *line = pool_log__last_line(log);

	if (*line)
		text__replace(&line, ": %s", line);
	return line;
}

/* Has the command ended? If so, stores the reason. */
static bool has_ended(struct round *round, const char *when)
{
	char *how = end_of(round->gate.pid), *words;

	if (!how)
		return false;
	words = last_words(round->log);
	error__set(round->reason, "%s ended %s %s%s", round->plan->argv[0], how, when, words);
	free(words);
	free(how);
	return true;
}

/* Returns true if the time has passed, false if an event came. */
static bool pause_for(struct round *round, int pidfd, int ms)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
				{ .fd = round->interrupt->fd, .events = POLLIN } };

	pool_log__trim(round->log);
	tracees__let_go();
	return poll(fds, 2, ms) == 0 && !interrupt__came(round->interrupt);
}

/* Start. */

static int begin_merging(struct round *round)
{
	if (round->remedy->way != POOL_MERGE)
		return 0;
	round->merges = true;
	return pool_ksm__begin(&round->ksm, round->reason);
}

static enum pool_outcome start(struct round *round)
{
	const struct pool_plan *plan = round->plan;
	const struct launch launch = {
		.path = plan->path,
		.argv = plan->argv,
		.environment = round->remedy->environment,
		.stdio = { LAUNCH_NULL, round->log, round->log },
		.mask = &round->interrupt->mask,
		.own_group = true,
		.dies_with_us = true,
		.merges = round->remedy->way == POOL_MERGE,
	};
	int error;

	if (begin_merging(round))
		return POOL_FAILED;
	if (gate__close(&round->gate, &launch)) {
		wrong(round, "cannot start a process");
		return POOL_FAILED;
	}
	pool_guard__watch(&round->guard, round->gate.pid);
	error = gate__open(&round->gate);
	if (!error)
		return POOL_DONE;
	error__set(round->reason, "cannot run %s: %s", plan->argv[0], strerror(abs(error)));
	return error > 0 ? POOL_REFUSED : POOL_FAILED;
}

/* Commands for the shell: --ready and --load. */

/* Returns 0, or the errno. If we are killed, the guard ends its group, until pool_guard__forget(). */
static int start_shell(struct round *round, const char *command, int log, pid_t *pid)
{
	char *const argv[] = { "sh", "-c", (char *)command, NULL };
	char *master = text__of("MASTER=%d", round->master);
	const char *changes[] = { master, NULL };
	char **environment = environment__changed(changes);
	const struct launch launch = {
		.path = "/bin/sh",
		.argv = argv,
		.environment = environment,
		.stdio = { LAUNCH_NULL, log, log },
		.mask = &round->interrupt->mask,
		.own_group = true,
		.dies_with_us = true,
	};
	int error = launch__start(&launch, pid);

	text__free_list(environment);
	free(master);
	if (!error)
		pool_guard__watch(&round->guard, *pid);
	return abs(error);
}

/* Waits until it has ended (returns true), the pool has ended, a signal came, or the time is over. */
static bool wait_for(struct round *round, int pidfd, double end)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
				{ .fd = round->gate.pidfd, .events = POLLIN },
				{ .fd = round->interrupt->fd, .events = POLLIN } };
	double left = end - clock__now_ns();

	while (left > 0 && !interrupt__came(round->interrupt) && !fds[0].revents && !fds[1].revents) {
		poll(fds, 3, (int)ceil(fmin(left / 1e6, 1000)));
		pool_log__trim(round->log);
		pool_log__trim(round->load_log);
		tracees__let_go();
		left = end - clock__now_ns();
	}
	return fds[0].revents;
}

/* Ready? */

/* Finds the largest pool among all that has been started. Returns how many members it has. */
static size_t find_pool(struct round *round, const struct pool_tree *tree)
{
	struct pool_members members = { 0 }, best = { 0 };
	size_t count;

	for (size_t i = 0; i < tree->count; i++) {
		char *reason = NULL;

		if (tree->list[i].state == 'Z' || pool_members__has(&best, tree->list[i].pid))
			continue;
		if (pool_members__find(&members, tree->list[i].pid, &reason))
			free(reason);
		if (members.count <= best.count) {
			pool_members__release(&members);
			continue;
		}
		pool_members__release(&best);
		best = members;
	}
	count = best.count;
	round->master = count ? best.list[0].pid : 0;
	pool_members__release(&best);
	return count;
}

/* What must not change while a pool is quiet. */
struct activity {
	size_t members, processes;
	double cpu_ns, at_ns;
};

static struct activity look_at_activity(struct round *round)
{
	struct activity activity = { .at_ns = clock__now_ns() };
	struct pool_tree tree;

	pool_tree__read(&tree, &round->excluded);
	activity.members = find_pool(round, &tree);
	activity.processes = tree.count;
	activity.cpu_ns = pool_tree__cpu_ns(&tree);
	pool_tree__release(&tree);
	return activity;
}

static bool is_quiet(const struct activity *before, const struct activity *now)
{
	return now->members == before->members && now->processes == before->processes &&
	       now->cpu_ns - before->cpu_ns <= QUIET_SHARE * (now->at_ns - before->at_ns);
}

/* Runs the command of --ready once, until the time is over. True: it succeeded. */
static bool says_ready(struct round *round, double end)
{
	siginfo_t info = { .si_pid = 0 };
	int pidfd;
	pid_t pid;

	if (start_shell(round, round->plan->ready, LAUNCH_NULL, &pid))
		return false;
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	wait_for(round, pidfd, end);
	close(pidfd);
	waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT);
	child__end_group(pid);
	pool_guard__forget(&round->guard, pid);
	return info.si_pid && info.si_code == CLD_EXITED && !info.si_status;
}

/* Has it forked, and then been quiet for a while, or busy for so long that it counts as ready? */
static bool is_idle(struct round *round, struct activity *before, double *forked_ns)
{
	struct activity now = look_at_activity(round);

	if (now.members < 2 || before->members < 2) {
		*before = now;
		*forked_ns = now.at_ns;
		return false;
	}
	if (now.at_ns - *forked_ns > BUSY_MS * 1e6)
		return true;
	if (now.at_ns - before->at_ns < QUIET_MS * 1e6)
		return false;
	if (is_quiet(before, &now))
		return true;
	*before = now;
	return false;
}

static enum pool_outcome wait_ready(struct round *round)
{
	const double end = clock__now_ns() + round->plan->wait_ns;
	struct activity before = { 0 };
	double forked_ns = 0;

	for (;;) {
		if (interrupt__came(round->interrupt))
			return POOL_INTERRUPTED;
		if (has_ended(round, "before it was ready for the load (a server must stay in the "
				     "foreground)"))
			return POOL_FAILED;
		if (round->plan->ready ? says_ready(round, end) :
					   is_idle(round, &before, &forked_ns))
			return POOL_DONE;
		if (clock__now_ns() > end)
			break;
		pause_for(round, round->gate.pidfd, STEP_MS);
	}
	if (round->plan->ready)
		error__set(round->reason, "%s is not ready after %.0f s: '%s' does not succeed (--wait "
					   "gives it more time)",
			    round->plan->argv[0], round->plan->wait_ns / 1e9, round->plan->ready);
	else
		error__set(round->reason, "%s has not forked within %.0f s: no pool to load (--wait gives "
					   "it more time; --ready, a command that succeeds when the pool "
					   "is ready)",
			    round->plan->argv[0], round->plan->wait_ns / 1e9);
	return POOL_FAILED;
}

/* Look. */

static uint64_t bytes(uint64_t pages)
{
	return pages == ABSENT ? ABSENT : pages * page_bytes;
}

static void lower(uint64_t *least, uint64_t bytes)
{
	*least = bytes < *least ? bytes : *least;
}

static void take_memory(struct pool_memory *memory, const struct workers *state)
{
	const struct worker_pages sum = workers__sum(state);

	*memory = (struct pool_memory){
		.pss_anon_bytes = state->cross_check.pss_anon_bytes,
		.swap_pss_bytes = state->cross_check.swap_pss_bytes,
		.pss_file_bytes = state->cross_check.pss_file_bytes,
		.pss_shmem_bytes = state->cross_check.pss_shmem_bytes,
		.extra_bytes = state->extra_bytes,
		.mergeable_bytes = state->mergeable_bytes,
		.perhaps_extra_bytes = state->perhaps_extra_bytes,
		.workers = state->worker_count,
		.shared_bytes = bytes(sum.shared),
		.unshared_bytes = bytes(worker_pages__unshared(&sum)),
		.new_bytes = bytes(sum.new + sum.file_private),
		.unknown_origin_bytes = bytes(sum.unknown_origin),
		.copied_bytes = state->worker_count ? bytes(sum.copied) : ABSENT,
		.copied_by_master_bytes =
			state->has_master ? bytes(state->master.pages.copied) : ABSENT,
		.least_unshared_bytes = state->worker_count ? UINT64_MAX : 0,
		.least_new_bytes = state->worker_count ? UINT64_MAX : 0,
		.least_unknown_origin_bytes = state->worker_count ? UINT64_MAX : 0,
	};
	for (size_t i = 0; i < state->worker_count; i++) {
		const struct worker_pages *pages = &state->workers[i].pages;

		lower(&memory->least_unshared_bytes, bytes(worker_pages__unshared(pages)));
		lower(&memory->least_new_bytes, bytes(pages->new + pages->file_private));
		lower(&memory->least_unknown_origin_bytes, bytes(pages->unknown_origin));
	}
}

/* `reported` NULL: only the sums. */
static enum pool_outcome look(struct round *round, struct pool_memory *memory,
			      struct workers **reported, const char *when)
{
	struct pool_request request = { .may_be_alone = round->plan->ready && !reported,
					.baseline = &round->baseline,
					.sums_up = true };
	struct workers *state = NULL;
	char *why = NULL;

	look_at_activity(round); /* a new master may have taken over */
	request.pid = round->master;
	if (round->master)
		state = pool__look_at(&request, &why);
	if (!state) {
		error__set(round->reason, "%s there is no pool: %s", when,
			   why ? why : "all processes have ended");
		free(why);
		return POOL_FAILED;
	}
	take_memory(memory, state);
	if (reported)
		*reported = state;
	else
		workers__free(state);
	return POOL_DONE;
}

/* Load. */

static enum pool_outcome judge_load(struct round *round, int status)
{
	const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	char *words;

	if (!code)
		return POOL_DONE;
	words = last_words(round->load_log);
	if (code < 0)
		error__set(round->reason, "the load was killed by signal %d%s", WTERMSIG(status), words);
	else
		error__set(round->reason, "the load %s (status %d)%s",
			   code == 127 ? "was not found" : "failed", code, words);
	free(words);
	return code == 127 ? POOL_LOAD_MISSING : POOL_LOAD_FAILED;
}

/* A shell command that runs beside the pool, and is not part of it. */
struct shell {
	pid_t pid;
	int pidfd;
};

/* False: it cannot be started, with a reason. */
static bool begin_shell(struct round *round, const char *command, const char *what,
			struct shell *shell)
{
	int error = start_shell(round, command, round->load_log, &shell->pid);

	if (error) {
		error__set(round->reason, "cannot run /bin/sh for %s: %s", what, strerror(error));
		return false;
	}
	pool_excluded__add(&round->excluded, shell->pid);
	shell->pidfd = syscall(SYS_pidfd_open, shell->pid, 0);
	return true;
}

/* With its group; returns its status. */
static int end_shell(struct round *round, const struct shell *shell)
{
	close(shell->pidfd);
	kill(-shell->pid, SIGKILL); /* until it is reaped, the dead leader keeps the group's id */
	pool_guard__forget(&round->guard, shell->pid);
	return launch__reap(shell->pid);
}

/* Runs the command of --restart. False: it failed, with a reason. */
static bool restart_workers(struct round *round)
{
	struct shell shell;
	char *words;
	int status;

	if (!begin_shell(round, round->plan->restart, "--restart", &shell))
		return false;
	wait_for(round, shell.pidfd, clock__now_ns() + round->plan->restart_ns);
	status = end_shell(round, &shell);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	words = last_words(round->load_log);
	if (WIFEXITED(status))
		error__set(round->reason, "'%s' failed (status %d)%s", round->plan->restart,
			    WEXITSTATUS(status), words);
	else
		error__set(round->reason, "'%s' took longer than %.1f s, or was killed%s",
			   round->plan->restart, round->plan->restart_ns / 1e9, words);
	free(words);
	return false;
}

/* Until the load has ended, the pool has, or a signal came. */
static enum pool_outcome watch_load(struct round *round, int pidfd)
{
	const bool restarts = round->remedy->way == POOL_RESTART;
	bool ended = false;

	pool_course__begin(&round->course);
	round->restart_ns = round->course.begin_ns + round->plan->restart_ns;
	while (!ended && !interrupt__came(round->interrupt)) {
		struct pollfd pool = { .fd = round->gate.pidfd, .events = POLLIN };

		if (poll(&pool, 1, 0) > 0)
			break; /* it has ended */
		pool_course__look(&round->course, round->master);
		if (restarts && clock__now_ns() >= round->restart_ns) {
			if (!restart_workers(round))
				return POOL_FAILED;
			round->restart_ns += round->plan->restart_ns;
		}
		ended = wait_for(round, pidfd, round->course.next_ns);
	}
	if (interrupt__came(round->interrupt))
		return POOL_INTERRUPTED;
	if (!ended && has_ended(round, "before its load did"))
		return POOL_FAILED;
	return POOL_DONE;
}

static enum pool_outcome run_load(struct round *round, struct pool_sample *sample)
{
	const double begin = clock__now_ns();
	enum pool_outcome outcome;
	struct shell shell;
	int status;

	if (!begin_shell(round, round->plan->load, "the load", &shell))
		return POOL_FAILED;
	outcome = watch_load(round, shell.pidfd);
	sample->load_ns = clock__now_ns() - begin;
	status = end_shell(round, &shell);
	if (outcome == POOL_DONE && has_ended(round, "while its load ran"))
		return POOL_FAILED;
	return outcome == POOL_DONE ? judge_load(round, status) : outcome;
}

/* NAN: unknown, because a process ignores its children, so their CPU time is in no sum. */
static double cpu_now(struct round *round)
{
	struct pool_tree tree;
	double ns;

	pool_tree__read(&tree, &round->excluded);
	ns = pool_tree__forgets_children(&tree) ? NAN : pool_tree__cpu_ns(&tree);
	pool_tree__release(&tree);
	return ns;
}

/* After the load: waits until the pool is idle, but not for ever. */
static void wait_idle(struct round *round)
{
	struct activity before = look_at_activity(round);

	for (int ms = 0; ms < IDLE_WAIT_MS; ms += QUIET_MS) {
		struct activity now;

		if (!pause_for(round, round->gate.pidfd, QUIET_MS))
			return;
		now = look_at_activity(round);
		if (is_quiet(&before, &now))
			return;
		before = now;
	}
}

static int finish_merging(struct round *round, struct pool_sample *sample)
{
	enum pool_ksm_end end;

	if (!round->merges)
		return 0;
	end = pool_ksm__wait(round->interrupt, round->plan->wait_ns);
	if (end == KSM_SWITCHED_OFF)
		return error__set(round->reason, "another program has switched same-page merging off "
						  "meanwhile");
	sample->unfinished = end == KSM_TOO_LONG;
	pool_ksm__pause();
	return 0;
}

static enum pool_outcome load(struct round *round, struct pool_sample *sample,
			      struct workers **reported)
{
	const double before = cpu_now(round);
	const uint64_t ksmd = round->merges ? pool_ksm__cpu_ns() : ABSENT;
	uint64_t ksmd_end;
	double after;
	enum pool_outcome outcome = run_load(round, sample);

	if (outcome != POOL_DONE)
		return outcome;
	wait_idle(round);
	after = cpu_now(round);
	sample->cpu_ns = after >= before ? after - before : ABSENT; /* some ended, and nobody waited */
	if (finish_merging(round, sample))
		return POOL_FAILED;
	ksmd_end = round->merges ? pool_ksm__cpu_ns() : ABSENT;
	if (ksmd != ABSENT && ksmd_end != ABSENT)
		sample->ksmd_ns = ksmd_end - ksmd;
	if (interrupt__came(round->interrupt))
		return POOL_INTERRUPTED;
	return look(round, &sample->loaded, reported, "after the load");
}

/* End. */

/* Sends the signal to the command and to the master, as far as they live. Returns how many did. */
static int signal_heads(struct round *round, int signal)
{
	struct pool_tree tree;
	int count = 0;

	pool_tree__read(&tree, &round->excluded);
	for (size_t i = 0; i < tree.count; i++) {
		const struct tree_process *one = &tree.list[i];

		if (one->state != 'Z' && (one->pid == round->gate.pid || one->pid == round->master))
			count += kill(one->pid, signal) == 0;
	}
	pool_tree__release(&tree);
	return count;
}

/* Ends the pool by SIGTERM, as an operator does; kills what is left. */
static void end(struct round *round, struct pool_sample *sample)
{
	struct pool_tree tree;
	uint64_t before, after = 0;

	pool_tree__read(&tree, &round->excluded);
	before = pool_tree__forgets_children(&tree) ? ABSENT : pool_tree__minor_faults(&tree);
	pool_tree__release(&tree);
	signal_heads(round, SIGTERM);
	for (int ms = 0; ms < END_MS && signal_heads(round, 0); ms += STEP_MS)
		poll(NULL, 0, interrupt__came(round->interrupt) ? STEP_MS / 10 : STEP_MS);
	sample->end_faults = ABSENT;
	if (pool_tree__kill(&round->excluded, &after) && before != ABSENT && after >= before)
		sample->end_faults = after - before;
	if (round->gate.pidfd >= 0)
		close(round->gate.pidfd);
}

static enum pool_outcome run(struct round *round, struct pool_sample *sample,
			     struct workers **reported)
{
	enum pool_outcome outcome = start(round);

	if (outcome == POOL_DONE)
		outcome = wait_ready(round);
	if (outcome == POOL_DONE)
		outcome = look(round, &sample->ready, NULL, "before the load");
	if (outcome == POOL_DONE)
		outcome = load(round, sample, reported);
	end(round, sample);
	if (outcome == POOL_DONE) {
		*round->reason = pool_remedy__refusal(round->remedy);
		outcome = *round->reason ? POOL_FAILED : POOL_DONE;
	}
	return outcome;
}

/* What has to be undone in any case. */
static int begin(struct round *round)
{
	const bool merges = round->remedy->way == POOL_MERGE;

	if (round->log < 0 || round->load_log < 0)
		return wrong(round, "cannot prepare a run");
	if (merges && pool_ksm__remember(&round->ksm, round->interrupt, round->reason))
		return -1;
	if (!pool_guard__begin(&round->guard, merges ? &round->ksm : NULL)) {
		pool_excluded__add(&round->excluded, round->guard.pid);
		return 0;
	}
	if (merges)
		pool_ksm__release(&round->ksm);
	return wrong(round, "cannot prepare a run");
}

enum pool_outcome pool_round__run(const struct pool_plan *plan, const struct pool_remedy *remedy,
				  struct interrupt *interrupt, struct pool_sample *sample,
				  struct workers **reported, char **reason)
{
	struct round round = {
		.plan = plan,
		.remedy = remedy,
		.interrupt = interrupt,
		.gate = { .pid = -1, .pidfd = -1, .open_fd = -1, .error_fd = -1 },
		.log = pool_log__open(),
		.load_log = pool_log__open(),
		.reason = reason,
	};
	enum pool_outcome outcome = POOL_FAILED;

	*reason = NULL;
	*sample = (struct pool_sample){ .ksmd_ns = ABSENT, .end_faults = ABSENT };
	pool_remedy__rewind(remedy);
	pool_excluded__find(&round.excluded);
	if (!begin(&round)) {
		outcome = run(&round, sample, reported);
		if (round.merges)
			pool_ksm__restore(&round.ksm);
		pool_guard__end(&round.guard);
		if (remedy->way == POOL_MERGE)
			pool_ksm__release(&round.ksm);
	}
	if (outcome == POOL_DONE) {
		sample->course = round.course.list;
		sample->course_count = round.course.count;
	} else {
		free(round.course.list);
	}
	pool_baseline__release(&round.baseline);
	pool_excluded__release(&round.excluded);
	close(round.log);
	close(round.load_log);
	return outcome;
}
