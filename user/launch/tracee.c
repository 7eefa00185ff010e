// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/tracee.h"

#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* At a time: whoever stops again and again may not keep us from what else we wait for. */
enum { MOST = 64 };

/*
 * With which signal it goes on, as if nobody had traced it. The SIGTRAP of an execve is for the tracer alone; it says
 * that it comes from the process itself. Of the stop of a whole process there is nothing to read: it stays stopped.
 */
static int signal_of(pid_t pid, int stopped_by)
{
	siginfo_t why;

	if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &why))
		return 0;
	return stopped_by == SIGTRAP && why.si_code == SI_USER && why.si_pid == pid ? 0 : stopped_by;
}

static void let_go(pid_t pid, int stopped_by)
{
	ptrace(PTRACE_DETACH, pid, NULL, signal_of(pid, stopped_by)); /* fails if it was killed meanwhile */
}

void tracee__let_go(pid_t pid, int status)
{
	let_go(pid, WSTOPSIG(status));
}

void tracees__let_go(void)
{
	for (int i = 0; i < MOST; i++) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | __WALL) || !info.si_pid)
			return;
		if (info.si_code == CLD_TRAPPED)
			let_go(info.si_pid, info.si_status);
	}
	raise(SIGCHLD); /* there may be more: come again */
}

void tracees__begin(struct tracees *tracees)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &tracees->mask);
	tracees->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void tracees__look(struct tracees *tracees)
{
	struct signalfd_siginfo info;

	if (read(tracees->fd, &info, sizeof(info)) == sizeof(info))
		tracees__let_go();
}

void tracees__end(struct tracees *tracees)
{
	if (tracees->fd >= 0)
		close(tracees->fd);
	sigprocmask(SIG_SETMASK, &tracees->mask, NULL);
}
