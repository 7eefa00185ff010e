// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One tracing session from beginning to end: starts the command behind its gate or attaches to
 * processes, waits, and handles signals meanwhile.
 */
#include "source/trace.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/procfs.h"
#include "base/text.h"
#include "launch/gate.h"
#include "launch/own_rights.h"
#include "launch/refusal.h"
#include "launch/tracee.h"
#include "launch/user.h"
#include "source/cgroups.h"
#include "source/source.h"

enum { SIGNALS_MOST = 8 }; /* of different numbers */
static const uint64_t ECHO_NS = 100000000;

struct session {
	const struct trace_request *request;
	const struct source *source;
	struct source_request asked;
	struct cgroups cgroups; /* that are watched */
	struct tracing *tracing;
	struct run *run;
	struct gate gate;
	sigset_t old_mask;
	int signal_fd;
	int signals; /* how many have asked us to stop */
	int last_signal;
	uint64_t first_signal; /* when: CLOCK_MONOTONIC ns */
	bool command_ended;
	bool is_unusable; /* the source cannot be opened here */
	uint64_t deadline; /* CLOCK_MONOTONIC ns; 0: none */
};

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void take_signals(struct session *session)
{
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	/*
	 * Ignored signals stay ignored (nohup, background jobs), by us and by the command, which
	 * inherits this.
	 */
	for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		if (!sigaction(stopping[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, stopping[i]);
	sigprocmask(SIG_BLOCK, &set, &session->old_mask);
	session->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void swallow(int signal)
{
	(void)signal;
}

/* Who has asked for the end once gets the report: one more signal does not take it away, a third does. */
static void swallow_next(const struct session *session)
{
	const struct sigaction once = { .sa_handler = swallow, .sa_flags = SA_RESETHAND | SA_RESTART };
	struct sigaction action;

	for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]) && session->signals == 1; i++)
		if (!sigaction(stopping[i], NULL, &action) && action.sa_handler == SIG_DFL)
			sigaction(stopping[i], &once, NULL);
}

static void give_signals_back(struct session *session)
{
	if (session->signal_fd >= 0)
		close(session->signal_fd);
	swallow_next(session);
	sigprocmask(SIG_SETMASK, &session->old_mask, NULL);
}

static bool is_stopped(pid_t pid)
{
	char text[1024], *rest = procfs__stat(pid, text, sizeof(text));

	return rest && rest[strspn(rest, " ")] == 'T';
}

/*
 * The terminal sends its signals to the command, too; one sent to forktax alone is passed on. If it has been stopped,
 * it goes on, or the signal would never arrive.
 */
static void pass_on(const struct session *session, const struct signalfd_siginfo *info)
{
	const pid_t pid = session->gate.pid;

	/* A shell may put off a signal that its child did not get. */
	if (session->request->own_command)
		kill(pid, SIGKILL);
	else if (info->ssi_code != SI_KERNEL)
		kill(pid, info->ssi_signo);
	if (is_stopped(pid))
		kill(pid, SIGCONT);
}

/* timeout(1) signals its child, and then its process group. */
static bool is_echo(const struct session *session, const struct signalfd_siginfo *info)
{
	return session->signals == 1 && (int)info->ssi_signo == session->last_signal &&
	       now(CLOCK_MONOTONIC) - session->first_signal < ECHO_NS;
}

/* The second one ends the tracing. */
static void take_signal(struct session *session, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGCHLD) {
		tracees__let_go();
		return;
	}
	if (is_echo(session, info))
		return;
	if (!session->signals++)
		session->first_signal = now(CLOCK_MONOTONIC);
	session->last_signal = info->ssi_signo;
	if (session->signals > 1 || session->gate.pid <= 0 || session->command_ended)
		return;
	pass_on(session, info);
	if (session->request->patience_ns)
		session->deadline = now(CLOCK_MONOTONIC) + session->request->patience_ns;
}

/* All that have come by now: a command that stops all the time sends more meanwhile. */
static void on_signal(struct session *session)
{
	struct signalfd_siginfo info[SIGNALS_MOST];
	ssize_t got = read(session->signal_fd, info, sizeof(info));

	for (ssize_t i = 0; i < got / (ssize_t)sizeof(*info); i++)
		take_signal(session, &info[i]);
}

static void reap(struct session *session)
{
	struct run *run = session->run;
	struct rusage usage;
	int status;

	if (wait4(session->gate.pid, &status, WNOHANG, &usage) != session->gate.pid)
		return;
	if (WIFSTOPPED(status)) {
		tracee__let_go(session->gate.pid, status);
		return;
	}
	if (session->source->command_ended)
		session->source->command_ended(session->tracing, &usage);
	session->command_ended = true;
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (session->request->linger_ns && session->request->linger_ns != UINT64_MAX)
		session->deadline = now(CLOCK_MONOTONIC) + session->request->linger_ns;
}

static void tick(const struct session *session, bool last)
{
	if (!session->request->on_tick)
		return;
	session->source->consume(session->tracing);
	session->request->on_tick(last, session->request->tick_context);
}

static bool finished(const struct session *session)
{
	uint64_t live = session->source->live(session->tracing);

	if (session->gate.pid <= 0)
		return session->signals || !(live || source_request__awaits(&session->asked));
	if (session->signals > 1)
		return true;
	return session->command_ended && (!live || !session->request->linger_ns || session->signals);
}

/*
 * Milliseconds until the deadline. Not every end of a process is announced: a run that waits for
 * more than the command, or collects every process, checks ten times a second.
 */
static int timeout(const struct session *session)
{
	bool looking = session->gate.pid <= 0 || session->command_ended || session->request->all_processes ||
		       session->request->anatomy || session->request->files || session->request->start ||
		       session->request->on_tick;
	uint64_t left, time = now(CLOCK_MONOTONIC);

	if (!session->deadline)
		return looking ? 100 : -1;
	if (time >= session->deadline)
		return 0;
	left = (session->deadline - time) / 1000000 + 1;
	return looking && left > 100 ? 100 : left > 60000 ? 60000 : (int)left;
}

static void wait_for_end(struct session *session)
{
	struct pollfd fds[] = {
		{ .fd = session->source->event_fd(session->tracing), .events = POLLIN },
		{ .fd = session->signal_fd, .events = POLLIN },
		{ .fd = session->gate.pidfd, .events = POLLIN },
	};

	while (!finished(session)) {
		tick(session, false);
		if (session->deadline && now(CLOCK_MONOTONIC) >= session->deadline)
			return;
		if (session->command_ended)
			fds[2].fd = -1;
		poll(fds, 3, timeout(session));
		session->source->consume(session->tracing);
		if (fds[1].revents)
			on_signal(session);
		if (fds[2].revents)
			reap(session);
	}
}

static char **copy_strings(char **strings, size_t *count)
{
	char **copy;

	for (*count = 0; strings && strings[*count];)
		++*count;
	copy = checked_calloc(*count + 1, sizeof(*copy));
	for (size_t i = 0; i < *count; i++)
		copy[i] = checked_strdup(strings[i]);
	return copy;
}

static void name_cgroups(struct run *run, const struct cgroups *cgroups)
{
	const struct texts *paths = &cgroups->paths;

	run->cgroup_count = paths->numbers.count;
	run->cgroups = checked_calloc(run->cgroup_count, sizeof(*run->cgroups));
	for (size_t i = 0; i < run->cgroup_count; i++)
		run->cgroups[i] = checked_strdup(paths->list[i]);
	run->unnamed_cgroups = cgroups->unnamed;
}

static struct run *describe(const struct session *session)
{
	const struct trace_request *request = session->request;
	struct run *run = run__new();
	struct utsname name;

	uname(&name);
	run->source = checked_strdup(session->source->name);
	run->kernel = checked_strdup(name.release);
	run->machine = machine__here();
	run->version = checked_strdup(FORKTAX_VERSION);
	run->started = now(CLOCK_REALTIME);
	run->status = -1;
	run->timed = request->timed;
	if (!source_request__has(&session->asked, ABILITY_FAULT_CLASSES))
		run->origins[HAS_FAULT_CLASSES] = ORIGIN_NOT_COUNTED;
	run->all_processes = request->all_processes;
	run->command = copy_strings(request->argv, &run->command_count);
	if (request->pid_count) {
		run->attached = checked_calloc(request->pid_count, sizeof(*run->attached));
		memcpy(run->attached, request->pids, request->pid_count * sizeof(*run->attached));
		run->attached_count = request->pid_count;
	}
	run->whole_machine = request->whole_machine;
	return run;
}

static enum trace_result refuse_command(const char *name, int why, char **message)
{
	*message = refusal__text(name, why);
	return why == ENOENT ? TRACE_COMMAND_MISSING : TRACE_COMMAND_REFUSED;
}

/* The file existed a moment ago: ENOENT says that its interpreter is missing. */
static enum trace_result refuse_execve(const char *name, int why, char **message)
{
	if (why < 0 && access("/dev/null", R_OK | W_OK)) {
		*message = text__of("cannot start %s: /dev/null, where its output would go, %s", name,
				    errno == ENOENT ? "is missing" : "cannot be opened");
		return TRACE_FAILED;
	}
	if (why < 0) {
		*message = text__of("cannot set the user or memory layout of %s: %s", name, strerror(-why));
		return TRACE_FAILED;
	}
	if (why != ENOENT)
		return refuse_command(name, why, message);
	*message = text__of("%s: its interpreter is missing: see its #! line, or its ELF "
			    "header (readelf -l)", name);
	return TRACE_COMMAND_MISSING;
}

/* Forks the command early: it prepares itself while the tracing programs are loaded. */
static enum trace_result close_gate(struct session *session, char **message)
{
	const struct trace_request *request = session->request;
	char *path = gate__find_in(request->argv[0], request->environment);
	struct launch launch = {
		.path = path,
		.argv = request->argv,
		.environment = request->environment,
		.stdio = LAUNCH_STDIO_OURS,
		.no_aslr = request->no_aslr,
		.user = request->user,
		.clean = request->clean,
		.mask = request->mask ? request->mask : &session->old_mask,
		.traceable = session->source->by_ptrace,
	};
	int err;

	if (request->user && !user__exists(request->user)) {
		*message = text__of("-u %s: no such user", request->user);
		free(path);
		return TRACE_FAILED;
	}
	if (!path)
		return refuse_command(request->argv[0], errno, message);
	if (request->user && !user__may_become()) {
		*message = text__of("-u %s: only root (CAP_SETUID and CAP_SETGID) runs a command as another user",
				    request->user);
		free(path);
		return TRACE_FAILED;
	}
	for (int fd = 0; fd < 3 && request->quiet_command; fd++)
		launch.stdio[fd] = LAUNCH_NULL;
	err = gate__close(&session->gate, &launch);
	free(path);
	if (!err)
		return TRACE_OK;
	*message = text__of("cannot start %s: %s", request->argv[0], strerror(errno));
	return TRACE_FAILED;
}

/*
 * What it looks at, nobody has put load on yet. The last look will take about as long, and is part of the duration;
 * half of that is left at least. By CPU time: who waits for a CPU now need not wait then.
 */
static void tick_first(struct session *session)
{
	uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID), took;

	tick(session, false);
	took = now(CLOCK_THREAD_CPUTIME_ID) - begin;
	if (session->deadline)
		session->deadline -=
			took < session->request->duration_ns / 2 ? took : session->request->duration_ns / 2;
}

static bool is_over(const struct session *session)
{
	return session->signals > 1 || (session->deadline && now(CLOCK_MONOTONIC) >= session->deadline);
}

/* Who runs as the same user may stop the command before its execve: signals and the deadline count even then. */
static int open_gate(struct session *session)
{
	struct pollfd fds[] = {
		{ .fd = session->gate.error_fd, .events = POLLIN },
		{ .fd = session->signal_fd, .events = POLLIN },
	};
	int err = gate__begin_to_open(&session->gate);

	while (!err && !fds[0].revents && !is_over(session)) {
		if (poll(fds, 2, timeout(session)) > 0 && fds[1].revents)
			on_signal(session);
	}
	if (!fds[0].revents)
		kill(session->gate.pid, SIGKILL);
	return err ? err : gate__open(&session->gate);
}

static enum trace_result start(struct session *session, char **message)
{
	const struct trace_request *request = session->request;
	const struct source *source = session->source;
	bool attaching = session->gate.pid <= 0;
	int err = attaching ? source->trace_pids(session->tracing, message)
			    : source->trace_command(session->tracing, &session->gate, message);

	if (err && *message)
		return TRACE_FAILED;
	if (err) {
		*message = text__of("cannot mark the processes to trace: %s", strerror(-err));
		return TRACE_FAILED;
	}
	if (attaching) {
		tick_first(session);
		if (request->on_ready && (source_request__awaits(&session->asked) || source->live(session->tracing)))
			request->on_ready(request, request->ready_context);
		return TRACE_OK;
	}
	if (request->on_gate)
		request->on_gate(session->gate.pid, request->gate_context);
	on_signal(session); /* one that came meanwhile ends the child before its execve */
	err = open_gate(session);
	return err ? refuse_execve(request->argv[0], err, message) : TRACE_OK;
}

/* A user who lacks these would rather raise a limit than get less from another source. */
static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

static enum trace_result trace(struct session *session, char **message)
{
	const struct source *source = session->source;
	enum trace_result result;
	uint64_t begin;

	errno = 0;
	session->tracing = source->open(&session->asked, session->run, message);
	if (!session->tracing) {
		session->is_unusable = !is_shortage(errno);
		return TRACE_FAILED;
	}
	begin = now(CLOCK_MONOTONIC);
	if (session->request->duration_ns)
		session->deadline = begin + session->request->duration_ns;
	result = start(session, message);
	if (result == TRACE_OK) {
		wait_for_end(session);
		tick(session, true);
		session->run->wall_ns = now(CLOCK_MONOTONIC) - begin;
		source->stop(session->tracing);
		if (session->request->on_stopped)
			session->request->on_stopped(session->request->stopped_context);
		name_cgroups(session->run, &session->cgroups);
		source->finish(session->tracing);
		if (session->gate.pid <= 0 && !session->run->totals[LIFE_PROCESSES]) {
			*message = text__of(source_request__awaits(&session->asked)
						    ? session->run->cgroup_count || session->request->whole_machine
							      ? "nothing was traced: there was no process in the cgroup"
							      : "nothing was traced: no cgroup matched"
						    : "nothing was traced: the processes of -p have ended, or "
						      "the kernel hides them from tracing programs");
			result = TRACE_FAILED;
		}
	}
	source->close(session->tracing);
	return result;
}

static struct source_request needs_of(const struct source *source, const struct trace_request *request)
{
	const bool any = request->fault_level == FAULTS_SEEN;
	struct source_request asked = {
		.pids = request->pids,
		.pid_count = request->pid_count,
		.whole_machine = request->whole_machine,
		.more_pids = request->more_pids,
		.more_context = request->more_context,
		.flow = request->flow,
		.command = request->argv ? request->argv[0] : NULL,
		.find_shell = request->find_shell,
	};
	const bool needed[ABILITY_COUNT] = {
#define ABILITY(name, words, needed) [ABILITY_##name] = needed,
#include "source/abilities.def"
#undef ABILITY
	};

	for (int ability = 0; ability < ABILITY_COUNT; ability++)
		asked.abilities |= (uint32_t)needed[ability] << ability;
	asked.later = request->calls_later ? SINGLE_CALLS : 0;
	return asked;
}

int trace__check(const struct source *source, const struct trace_request *request, char **message)
{
	const struct source_request asked = needs_of(source, request);

	return source__check(source, &asked, message);
}

enum trace_result trace__by(const struct source *source, const struct trace_request *request,
			    struct run **run, char **message)
{
	bool is_unusable;

	return trace__try(source, request, run, message, &is_unusable);
}

enum trace_result trace__try(const struct source *source, const struct trace_request *request,
			     struct run **run, char **message, bool *is_unusable)
{
	struct session session = {
		.request = request,
		.source = source,
		.asked = needs_of(source, request),
		.gate = { .pid = -1, .pidfd = -1, .open_fd = -1, .error_fd = -1 },
		.signal_fd = -1,
	};
	enum trace_result result = TRACE_OK;

	*run = NULL;
	*message = NULL;
	*is_unusable = source__check(source, &session.asked, message);
	if (*is_unusable)
		return TRACE_FAILED;
	if (request->pid_count &&
	    targets__check(request->pids, request->pids_are_one_pool ? 1 : request->pid_count, message))
		return TRACE_FAILED;
	if (cgroups__find(&session.cgroups, request->cgroups, request->cgroup_count, message)) {
		cgroups__free(&session.cgroups);
		return TRACE_FAILED;
	}
	session.asked.cgroups = &session.cgroups;
	if (session.cgroups.unmatched && request->on_unmatched)
		request->on_unmatched(session.cgroups.unmatched, request->ready_context);
	take_signals(&session);
	if (!trace_request__attaches(request))
		result = close_gate(&session, message);
	if (result == TRACE_OK) {
		session.run = describe(&session);
		result = trace(&session, message);
	}
	if (result == TRACE_OK) {
		*run = session.run;
		session.run->asked_by = session.last_signal;
		if (session.gate.pid > 0 && !session.command_ended) {
			run__note(session.run, "tracing ended before the command did");
			session.run->stopped_by = session.signals > 1 ? session.last_signal : 0;
		}
		if (request->own_command && session.signals)
			session.run->stopped_by = session.last_signal;
	} else {
		run__free(session.run);
		gate__abandon(&session.gate);
	}
	if (session.gate.pidfd >= 0)
		close(session.gate.pidfd);
	give_signals_back(&session);
	cgroups__free(&session.cgroups);
	*is_unusable = session.is_unusable;
	return result;
}
