// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 0 if it can be executed, else the errno; to access(2) directories are executable. */
static int refusal(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

static const char *path_of(char *const *environment)
{
	for (; environment && *environment; environment++)
		if (!strncmp(*environment, "PATH=", 5))
			return *environment + 5;
	return getenv("PATH");
}

static char *find_in_path(const char *name, const char *path)
{
	int reason = ENOENT;

	for (const char *rest = path ? path : "/usr/local/bin:/usr/bin:/bin"; rest;) {
		size_t length = strcspn(rest, ":");
		char *candidate;
		int why;

		if (asprintf(&candidate, "%.*s/%s", length ? (int)length : 1, length ? rest : ".", name) < 0)
			return NULL;
		why = refusal(candidate);
		if (!why)
			return candidate;
		free(candidate);
		if (why == EACCES)
			reason = EACCES;
		rest = rest[length] ? rest + length + 1 : NULL;
	}
	errno = reason;
	return NULL;
}

char *gate__find(const char *name)
{
	return gate__find_in(name, NULL);
}

char *gate__find_in(const char *name, char *const *environment)
{
	int why;

	if (!strchr(name, '/'))
		return *name ? find_in_path(name, path_of(environment)) : (errno = ENOENT, NULL);
	why = refusal(name);
	if (why) {
		errno = why == ENOTDIR ? ENOENT : why;
		return NULL;
	}
	return strdup(name);
}

static _Noreturn void wait_and_execute(int open_fd, int error_fd, pid_t parent, const struct launch *launch)
{
	int err = -launch__prepare(launch, parent);
	char byte;

	if (!err) {
		if (read(open_fd, &byte, 1) != 1)
			_exit(125); /* called off */
		err = launch__execute(launch);
	}
	if (write(error_fd, &err, sizeof(err)) < 0)
		_exit(125);
	_exit(127);
}

int gate__close(struct gate *gate, const struct launch *launch)
{
	pid_t parent = getpid();
	int go[2], error[2];
	sigset_t all, mask;

	if (pipe2(go, O_CLOEXEC))
		return -1;
	if (pipe2(error, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -1;
	}
	/* No signal may reach the child between fork and exec: it still runs our code. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	gate->pid = fork();
	if (!gate->pid) {
		close(go[1]);
		wait_and_execute(go[0], error[1], parent, launch);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(go[0]);
	close(error[1]);
	gate->open_fd = go[1];
	gate->error_fd = error[0];
	gate->pidfd = gate->pid > 0 ? syscall(SYS_pidfd_open, gate->pid, 0) : -1;
	if (gate->pidfd < 0) {
		int err = errno;

		gate__abandon(gate);
		errno = err;
		return -1;
	}
	return 0;
}

/* If the child has ended because it could not prepare itself, the broken pipe must not kill us. */
static int let_go(int fd)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	int err;

	sigaction(SIGPIPE, &ignore, &old);
	err = write(fd, "", 1) < 0 && errno != EPIPE ? errno : 0;
	sigaction(SIGPIPE, &old, NULL);
	return err;
}

int gate__begin_to_open(struct gate *gate)
{
	int err = let_go(gate->open_fd);

	close(gate->open_fd);
	gate->open_fd = -1;
	return -err;
}

int gate__open(struct gate *gate)
{
	ssize_t got;
	int err = gate->open_fd >= 0 ? gate__begin_to_open(gate) : 0;

	if (err)
		return err;
	do
		got = read(gate->error_fd, &err, sizeof(err));
	while (got < 0 && errno == EINTR);
	close(gate->error_fd);
	gate->error_fd = -1;
	if (got != sizeof(err))
		return 0;
	gate__abandon(gate);
	return err;
}

void gate__abandon(struct gate *gate)
{
	if (gate->open_fd >= 0)
		close(gate->open_fd);
	if (gate->error_fd >= 0)
		close(gate->error_fd);
	if (gate->pid > 0) {
		kill(gate->pid, SIGKILL); /* someone else may have stopped it */
		launch__reap(gate->pid);
	}
	if (gate->pidfd >= 0)
		close(gate->pidfd);
	gate->open_fd = gate->error_fd = gate->pidfd = gate->pid = -1;
}
