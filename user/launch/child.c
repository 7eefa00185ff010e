// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/cpu_use.h"
#include "launch/launch.h"
#include "launch/tracee.h"

enum { OUTPUT_MAX = 64 * 1024, CLEARING_UP_MS = 1000 };

struct collected {
	char *text;
	size_t length;
};

/* A running one. */
struct child {
	const struct child_request *request;
	pid_t pid;
	int pidfd;
	int output[2], errors[2]; /* pipes that it writes to; -1: none */
	struct interrupt *interrupt;
	struct tracees tracees;
};

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

static void close_pipes(struct child *child)
{
	for (int end = 0; end < 2; end++) {
		close_end(&child->output[end]);
		close_end(&child->errors[end]);
	}
}

static int start(struct child *child)
{
	const struct child_request *request = child->request;
	const bool is_ours = request->stdio == CHILD_SHOWN;
	struct launch launch = {
		.path = request->path,
		.argv = request->argv,
		.environment = request->environment,
		.stdio = LAUNCH_STDIO_NULL,
		.mask = &child->interrupt->mask,
		.no_aslr = request->no_aslr,
		.own_group = !is_ours,
		.dies_with_us = true,
	};

	for (int fd = 0; fd < 3 && is_ours; fd++)
		launch.stdio[fd] = fd;
	if (request->stdio == CHILD_COLLECTED) {
		if (pipe2(child->output, O_CLOEXEC) < 0 || pipe2(child->errors, O_CLOEXEC) < 0)
			return -errno;
		launch.stdio[1] = child->output[1];
		launch.stdio[2] = child->errors[1];
	}
	for (int i = 0; i < 2 && request->stdio == CHILD_TO_FILES; i++)
		launch.stdio[i + 1] = request->files[i];
	return launch__start(&launch, &child->pid);
}

/* Reads what is there now. False: nothing more will come. */
static bool collect(int fd, struct collected *collected)
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

/* Waits until the child has ended or a signal has come. */
static void watch(struct child *child, struct collected collected[2])
{
	struct pollfd fds[] = {
		{ .fd = child->output[0], .events = POLLIN },
		{ .fd = child->errors[0], .events = POLLIN },
		{ .fd = child->pidfd, .events = POLLIN },
		{ .fd = child->interrupt->fd, .events = POLLIN },
		{ .fd = child->tracees.fd, .events = POLLIN },
	};

	while (!interrupt__came(child->interrupt) && !fds[2].revents) {
		if (poll(fds, 5, -1) < 0)
			continue;
		if (fds[4].revents)
			tracees__look(&child->tracees);
		for (int i = 0; i < 2; i++) {
			if (fds[i].revents && !collect(fds[i].fd, &collected[i]))
				fds[i].fd = -1;
		}
	}
}

/* To the child and, if it leads one, its process group. */
static void send(const struct child *child, int signal)
{
	if (child->request->stdio != CHILD_SHOWN)
		kill(-child->pid, signal);
	kill(child->pid, signal); /* it may have joined another group */
}

static void let_clear_up(struct child *child)
{
	const double end = clock__now_ns() + CLEARING_UP_MS * 1e6;
	struct pollfd fds[] = {
		{ .fd = child->pidfd, .events = POLLIN },
		{ .fd = child->tracees.fd, .events = POLLIN },
	};

	for (double left_ms = CLEARING_UP_MS; left_ms > 0 && !fds[0].revents; left_ms = (end - clock__now_ns()) / 1e6) {
		if (poll(fds, 2, (int)ceil(left_ms)) > 0 && fds[1].revents)
			tracees__look(&child->tracees);
	}
}

static void end_early(struct child *child)
{
	if (child->request->stdio != CHILD_COLLECTED && child->pidfd >= 0) {
		send(child, interrupt__came(child->interrupt));
		let_clear_up(child);
	}
	send(child, SIGKILL);
}

static void reap(struct child *child, double begin, struct child_result *result)
{
	const pid_t pid = child->pid;
	struct rusage usage = { 0 };
	siginfo_t info;
	int status = 0;

	if (result->interrupted || child->pidfd < 0)
		end_early(child);
	while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	result->wall_ns = clock__now_ns() - begin;
	kill(-pid, SIGKILL); /* its group, if it leads one: until it is reaped, the dead leader keeps the id */
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	child__reap_group(pid);
	result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	result->cpu_ns = cpu_use__of(&usage);
}

/*
 * Reads what is left in a pipe whose writers have ended. A process that escaped may still have it
 * open, so this does not wait.
 */
static void drain(int fd, struct collected *collected)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
	errno = 0;
	while (collect(fd, collected) && errno != EAGAIN)
		errno = 0;
}

/* Returns 0, or the errno of the failure that made us end it at once. */
static int follow(struct child *child, double begin, struct child_result *result)
{
	struct collected collected[2] = { { NULL, 0 }, { NULL, 0 } };
	int error = 0;

	for (int i = 0; i < 2 && child->request->stdio == CHILD_COLLECTED; i++)
		collected[i].text = checked_calloc(OUTPUT_MAX + 1, 1);
	close_end(&child->output[1]);
	close_end(&child->errors[1]);
	child->pidfd = syscall(SYS_pidfd_open, child->pid, 0);
	if (child->pidfd < 0)
		error = errno;
	else
		watch(child, collected);
	result->interrupted = interrupt__came(child->interrupt);
	reap(child, begin, result);
	close_end(&child->pidfd);
	if (child->request->stdio == CHILD_COLLECTED) {
		drain(child->output[0], &collected[0]);
		drain(child->errors[0], &collected[1]);
	}
	result->output = collected[0].text;
	result->errors = collected[1].text;
	return error;
}

int child__run(const struct child_request *request, struct interrupt *interrupt,
	       struct child_result *result, char **reason)
{
	struct child child = {
		.request = request,
		.pidfd = -1,
		.output = { -1, -1 },
		.errors = { -1, -1 },
		.interrupt = interrupt,
	};
	double begin;
	int error;

	tracees__begin(&child.tracees);
	begin = clock__now_ns();
	error = start(&child);
	*result = (struct child_result){ 0 };
	if (!error)
		error = follow(&child, begin, result);
	tracees__end(&child.tracees);
	close_pipes(&child);
	if (!error)
		return 0;
	child_result__free(result);
	error = abs(error);
	error__set(reason, "cannot run %s: %s", request->path, strerror(error));
	return error;
}

void child_result__free(struct child_result *result)
{
	free(result->output);
	free(result->errors);
	result->output = result->errors = NULL;
}
