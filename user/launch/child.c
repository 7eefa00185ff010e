// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "launch/cpu_use.h"

enum { OUTPUT_MAX = 64 * 1024, CALL_OFF = 127 };

struct collected {
	char *text;
	size_t length;
};

/* Our ends of what connects us with the child. */
struct pipes {
	int output[2], errors[2], failure[2]; /* failure: the errno of an execve that failed */
};

static void close_pair(int pair[2])
{
	for (int end = 0; end < 2; end++) {
		if (pair[end] >= 0)
			close(pair[end]);
		pair[end] = -1;
	}
}

static void close_pipes(struct pipes *pipes)
{
	close_pair(pipes->output);
	close_pair(pipes->errors);
	close_pair(pipes->failure);
}

static int open_pipes(struct pipes *pipes)
{
	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (pipe2(pipes->output, O_CLOEXEC) == 0 && pipe2(pipes->errors, O_CLOEXEC) == 0 &&
	    pipe2(pipes->failure, O_CLOEXEC) == 0)
		return 0;
	close_pipes(pipes);
	return -1;
}

/* In the child: between fork and exec, so no more than system calls. */
static void become(const struct child_request *request, const struct interrupt *interrupt,
		   const struct pipes *pipes, pid_t parent)
{
	char *const *environment = request->environment ? request->environment : environ;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), error;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent) /* it died before it could be said */
		_exit(CALL_OFF);
	if (null >= 0 && dup2(null, 0) == 0 && dup2(pipes->output[1], 1) == 1 &&
	    dup2(pipes->errors[1], 2) == 2) {
		sigprocmask(SIG_SETMASK, &interrupt->mask, NULL);
		execve(request->path, request->argv, environment);
	}
	error = errno;
	if (write(pipes->failure[1], &error, sizeof(error)) < 0)
		_exit(CALL_OFF);
	_exit(CALL_OFF);
}

/* Takes what can be read now. False: there will be no more. */
static bool take(int fd, struct collected *collected)
{
	char buffer[4096];
	ssize_t got = read(fd, buffer, sizeof(buffer));
	size_t room = OUTPUT_MAX - collected->length;

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got <= 0)
		return false;
	if ((size_t)got < room)
		room = got;
	memcpy(collected->text + collected->length, buffer, room);
	collected->length += room;
	return true;
}

/* Until the child has ended or a signal has come. */
static void watch(pid_t pid, int pidfd, struct pipes *pipes, struct interrupt *interrupt,
		  struct collected collected[2])
{
	struct pollfd fds[] = {
		{ .fd = pipes->output[0], .events = POLLIN },
		{ .fd = pipes->errors[0], .events = POLLIN },
		{ .fd = pidfd, .events = POLLIN },
		{ .fd = interrupt->fd, .events = POLLIN },
	};

	while (!interrupt__came(interrupt) && !fds[2].revents) {
		if (poll(fds, 4, -1) < 0)
			continue;
		for (int i = 0; i < 2; i++) {
			if (fds[i].revents && !take(fds[i].fd, &collected[i]))
				fds[i].fd = -1;
		}
	}
}

static void reap(pid_t pid, double begin, struct child_result *result)
{
	struct rusage usage;
	siginfo_t info;
	int status;

	if (result->interrupted) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL); /* it may have joined another group */
	}
	while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	result->wall_ns = clock__now_ns() - begin;
	kill(-pid, SIGKILL); /* while the leader, though dead, still holds the group's number */
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	while (waitpid(-pid, NULL, 0) > 0 || errno == EINTR)
		;
	result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	result->cpu_ns = cpu_use__of(&usage);
}

/* What is still in a pipe whose writers have ended. One that got away may hold it open. */
static void drain(int fd, struct collected *collected)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
	errno = 0;
	while (take(fd, collected) && errno != EAGAIN)
		errno = 0;
}

static int follow(pid_t pid, double begin, struct pipes *pipes, struct interrupt *interrupt,
		  struct child_result *result)
{
	struct collected collected[2] = { { checked_calloc(OUTPUT_MAX + 1, 1), 0 },
					  { checked_calloc(OUTPUT_MAX + 1, 1), 0 } };
	int pidfd = syscall(SYS_pidfd_open, pid, 0);
	int error = 0;

	close(pipes->output[1]);
	close(pipes->errors[1]);
	close(pipes->failure[1]);
	pipes->output[1] = pipes->errors[1] = pipes->failure[1] = -1;
	if (pidfd < 0) {
		error = errno;
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL); /* it may not lead its group yet */
	} else {
		watch(pid, pidfd, pipes, interrupt, collected);
		close(pidfd);
	}
	result->interrupted = interrupt__came(interrupt);
	reap(pid, begin, result);
	drain(pipes->output[0], &collected[0]);
	drain(pipes->errors[0], &collected[1]);
	result->output = collected[0].text;
	result->errors = collected[1].text;
	if (!error && read(pipes->failure[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	return error;
}

static void explain(char **reason, const char *path, int error)
{
	if (asprintf(reason, "cannot run %s: %s", path, strerror(error)) < 0)
		err(125, "cannot report an error");
}

int child__run(const struct child_request *request, struct interrupt *interrupt,
	       struct child_result *result, char **reason)
{
	pid_t parent = getpid(), pid;
	double begin = clock__now_ns();
	struct pipes pipes;
	int error;

	*result = (struct child_result){ 0 };
	if (open_pipes(&pipes) < 0) {
		explain(reason, request->path, errno);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		become(request, interrupt, &pipes, parent);
	if (pid > 0)
		setpgid(pid, pid); /* both sides: whoever comes first */
	error = pid < 0 ? errno : follow(pid, begin, &pipes, interrupt, result);
	close_pipes(&pipes);
	if (!error)
		return 0;
	explain(reason, request->path, error);
	child_result__free(result);
	return -1;
}

void child_result__free(struct child_result *result)
{
	free(result->output);
	free(result->errors);
	result->output = result->errors = NULL;
}
