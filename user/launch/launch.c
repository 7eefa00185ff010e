// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stddef.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/interrupt.h"
#include "launch/own_rights.h"
#include "launch/tracee.h"
#include "launch/user.h"

enum { SET_MEMORY_MERGE = 67 }; /* PR_SET_MEMORY_MERGE, Linux 6.4; older headers do not have it */

static int redirect(const int stdio[3])
{
	int null = -1;

	for (int fd = 0; fd < 3; fd++) {
		int from = stdio[fd];

		if (from == LAUNCH_NULL && null < 0)
			null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (from == LAUNCH_NULL)
			from = null;
		if (from < 0 || (from != fd && dup2(from, fd) < 0))
			return errno;
	}
	return 0;
}

static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent) /* it died before we asked */
		_exit(125);
}

/* execve would reset them too late: signals may arrive before, and our handlers must not run. */
static void forget_handlers(void)
{
	struct sigaction action;

	for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
		if (sigaction(interrupt_signals[i], NULL, &action) || action.sa_handler == SIG_IGN)
			continue;
		action.sa_handler = SIG_DFL;
		sigaction(interrupt_signals[i], &action, NULL);
	}
}

/* Whatever we were started with: by nohup(1), in the background of a script, by make(1) with a pipe. */
static void clean(void)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL); /* fails for those that always are */
	close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC);
}

static char *const *environment_of(const struct launch *launch)
{
	return launch->environment ? launch->environment : environ;
}

/*
 * execve reads these strings in our memory, which a fork has made old. On CPUs that leave the access flag to the
 * kernel each of their pages would be a fault of the command, and how many pages they are depends on where the
 * kernel has put our stack.
 */
static void read_strings(char *const *strings)
{
	for (; *strings; strings++)
		for (const volatile char *at = *strings; *at; at++)
			;
}

int launch__prepare(const struct launch *launch, pid_t parent)
{
	int error = redirect(launch->stdio);

	read_strings((char *const[]){ (char *)launch->path, NULL });
	read_strings(launch->argv);
	read_strings(environment_of(launch));
	forget_handlers();
	if (launch->clean)
		clean();
	if (!error && launch->own_group && setpgid(0, 0))
		error = errno;
	if (!error && launch->no_aslr && personality(ADDR_NO_RANDOMIZE) < 0)
		error = errno;
	if (!error && launch->user)
		error = user__become(launch->user);
	if (!error && launch->merges && prctl(SET_MEMORY_MERGE, 1, 0, 0, 0))
		error = errno;
	if (launch->traceable) {
		own_rights__drop();
		prctl(PR_SET_PTRACER, parent, 0, 0, 0); /* fails without Yama: nothing to allow */
	}
	if (!error && launch->dies_with_us) /* last: another user would undo it */
		die_with(parent);
	return error;
}

int launch__execute(const struct launch *launch)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, launch->clean ? &none : launch->mask, NULL);
	execve(launch->path, launch->argv, environment_of(launch));
	return errno;
}

/* The child shares our memory and stores its error there. */
static pid_t spawn(const struct launch *launch, pid_t parent, volatile int *error)
{
	pid_t pid = vfork();

	if (pid)
		return pid;
	*error = -launch__prepare(launch, parent);
	if (!*error)
		*error = launch__execute(launch);
	_exit(127);
}

int launch__start(const struct launch *launch, pid_t *pid)
{
	struct launch complete = *launch;
	volatile int error = 0;
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	if (!complete.mask)
		complete.mask = &mask;
	*pid = spawn(&complete, getpid(), &error);
	if (*pid < 0)
		error = -errno;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (*pid > 0 && error)
		launch__reap(*pid);
	return error;
}

int launch__reap(pid_t pid)
{
	int status = 0;

	for (;;) {
		if (waitpid(pid, &status, 0) < 0) {
			if (errno != EINTR)
				return status;
		} else if (!WIFSTOPPED(status)) {
			return status;
		} else {
			tracee__let_go(pid, status);
		}
	}
}

pid_t launch__fork(void)
{
	pid_t parent = getpid(), pid = fork();

	if (!pid)
		die_with(parent);
	return pid;
}
