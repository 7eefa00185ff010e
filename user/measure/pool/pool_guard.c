// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch/launch.h"

/* The process groups that the guard ends: that of the pool, and that of its load. */
enum { GROUPS = 2 };

static void change_groups(pid_t groups[GROUPS], pid_t from, pid_t to)
{
	for (int i = 0; i < GROUPS; i++)
		if (groups[i] == from) {
			groups[i] = to;
			return;
		}
}

/* Until the other end is closed: by pool_guard__end(), which says so before, or by our parent's death. */
static _Noreturn void guard_until_end(int fd, const struct pool_ksm *ksm)
{
	pid_t groups[GROUPS] = { 0 }, reported;

	while (read(fd, &reported, sizeof(reported)) == sizeof(reported)) {
		if (!reported)
			_exit(0);
		change_groups(groups, reported > 0 ? 0 : -reported, reported > 0 ? reported : 0);
	}
	for (int i = 0; i < GROUPS; i++)
		if (groups[i])
			kill(-groups[i], SIGKILL);
	if (ksm)
		pool_ksm__restore(ksm);
	_exit(0);
}

static void tell(const struct pool_guard *guard, pid_t what)
{
	if (send(guard->fd, &what, sizeof(what), MSG_NOSIGNAL) < 0)
		return; /* it was killed: nothing to be done, and we go on */
}

int pool_guard__begin(struct pool_guard *guard, const struct pool_ksm *ksm)
{
	sigset_t all, mask;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	guard->pid = fork();
	if (!guard->pid) {
		setpgid(0, 0);
		close(ends[1]);
		guard_until_end(ends[0], ksm);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(ends[0]);
	guard->fd = ends[1];
	if (guard->pid > 0)
		return 0;
	close(ends[1]);
	return -1;
}

void pool_guard__watch(struct pool_guard *guard, pid_t group)
{
	tell(guard, group);
}

void pool_guard__forget(struct pool_guard *guard, pid_t group)
{
	tell(guard, -group);
}

void pool_guard__end(struct pool_guard *guard)
{
	tell(guard, 0);
	close(guard->fd);
	launch__reap(guard->pid);
}
