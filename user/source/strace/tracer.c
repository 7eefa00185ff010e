// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/gate.h"
#include "launch/launch.h"

enum {
	LOG_ROOM = 1 << 20, /* of the pipe: some ten thousand lines */
	LOOK_AGAIN_NS = 5000000, /* less than strace needs to fill it */
	DETACH_MS = 5000, /* then it is killed */
};

static char *find(char **reason)
{
	char *path = gate__find("strace");

	if (!path)
		error__set(reason, errno == ENOENT ? "strace is not installed" : "strace is not executable");
	return path;
}

static pid_t start(char *path, char *const *argv, int out, int errors, int *error)
{
	sigset_t none;
	pid_t pid = 0;
	const struct launch launch = { .path = path, .argv = argv,
				       .stdio = { LAUNCH_NULL, out, errors }, .mask = &none,
				       .own_group = true, .dies_with_us = true };

	sigemptyset(&none);
	*error = launch__start(&launch, &pid);
	return *error ? 0 : pid;
}

unsigned int tracer__version(char **reason)
{
	autofree char *path = find(reason);
	char *argv[] = { "strace", "-V", NULL }, text[128] = "";
	unsigned int major, minor = 0, version = 0;
	int fds[2], error;
	pid_t pid;

	if (!path || pipe2(fds, O_CLOEXEC))
		return 0;
	pid = start(path, argv, fds[1], LAUNCH_NULL, &error);
	close(fds[1]);
	if (pid && read(fds[0], text, sizeof(text) - 1) > 0 &&
	    sscanf(text, "strace -- version %u.%u", &major, &minor) >= 1)
		version = 100 * major + minor;
	close(fds[0]);
	if (pid)
		launch__reap(pid);
	if (!version)
		error__set(reason, "%s -V prints no version", path);
	return version;
}

static char **arguments_of(const char *const *arguments, const int32_t *pids, size_t count)
{
	size_t others = text__list_length((char *const *)arguments);
	char **argv = checked_calloc(others + 2 * count + 2, sizeof(*argv)), **next = argv;

	*next++ = checked_strdup("strace");
	for (size_t i = 0; i < others; i++)
		*next++ = checked_strdup(arguments[i]);
	for (size_t i = 0; i < count; i++) {
		*next++ = checked_strdup("-p");
		*next++ = text__of("%d", pids[i]);
	}
	return argv;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* "strace: Process 7 attached" and the like are no complaints. */
static void take_message(struct tracer *tracer, const char *line)
{
	unsigned int pid;
	char word[16] = "";

	if (!strncmp(line, "strace: ", 8))
		line += 8;
	if (sscanf(line, "Process %u %15s", &pid, word) == 2 &&
	    (!strcmp(word, "attached") || !strcmp(word, "detached"))) {
		tracer->attached += !strcmp(word, "attached");
		return;
	}
	if (strstr(line, strerror(ESRCH))) {
		tracer->attached++; /* it has ended meanwhile: nothing to wait for */
		return;
	}
	if (*line && !tracer->message) /* the first says what went wrong */
		tracer->message = checked_strdup(line);
}

/* False: there will be no more. */
static bool read_messages(struct tracer *tracer)
{
	char bytes[1024];
	ssize_t got = read(tracer->message_fd, bytes, sizeof(bytes) - 1);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0) {
		close_fd(&tracer->message_fd);
		return false;
	}
	bytes[got] = '\0';
	for (char *rest = bytes, *line; (line = strsep(&rest, "\n"));) {
		text__replace(&tracer->line, "%.500s%.500s", tracer->line ? tracer->line : "", line);
		if (!rest)
			break; /* not complete yet */
		take_message(tracer, tracer->line);
		free(tracer->line);
		tracer->line = NULL;
	}
	return true;
}

static bool has_attached(struct tracer *tracer, size_t count)
{
	struct pollfd fd = { .fd = tracer->message_fd, .events = POLLIN };

	while (tracer->attached < count && !tracer->message) {
		if (poll(&fd, 1, -1) >= 0 && !read_messages(tracer))
			return false;
	}
	return !tracer->message;
}

static int open_pipes(int log[2], int messages[2])
{
	if (pipe2(log, O_CLOEXEC))
		return -1;
	if (!pipe2(messages, O_CLOEXEC))
		return 0;
	close(log[0]);
	close(log[1]);
	return -1;
}

static int follow(struct tracer *tracer, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (fd == tracer->log_fd)
		event.events |= EPOLLONESHOT;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return epoll_ctl(tracer->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/*
 * strace writes every line by itself: who wakes up for each takes the CPU from it. So, as long as
 * there are lines, the log is looked at by the clock, and only then waited for.
 */
static void follow_again(struct tracer *tracer, bool was_empty)
{
	const struct itimerspec soon = { .it_value.tv_nsec = LOOK_AGAIN_NS };
	struct epoll_event event = { .events = EPOLLIN | EPOLLONESHOT, .data.fd = tracer->log_fd };
	uint64_t rung;

	if (read(tracer->timer_fd, &rung, sizeof(rung)) < 0 && errno != EAGAIN)
		was_empty = true; /* no timer: wait for each line */
	if (was_empty)
		epoll_ctl(tracer->epoll_fd, EPOLL_CTL_MOD, tracer->log_fd, &event);
	else
		timerfd_settime(tracer->timer_fd, 0, &soon, NULL);
}

/* Starts it; nothing is known yet of how it fares. 0 or an error number. */
static int launch_tracer(struct tracer *tracer, char *path, char *const *argv)
{
	int log[2], messages[2], error;

	if (open_pipes(log, messages))
		return errno;
	tracer->pid = start(path, argv, log[1], messages[1], &error);
	close(log[1]);
	close(messages[1]);
	tracer->log_fd = log[0];
	tracer->message_fd = messages[0];
	fcntl(tracer->log_fd, F_SETPIPE_SZ, LOG_ROOM);
	tracer->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	tracer->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (!error && (tracer->epoll_fd < 0 || tracer->timer_fd < 0 || follow(tracer, tracer->log_fd) ||
		       follow(tracer, tracer->message_fd) || follow(tracer, tracer->timer_fd)))
		error = errno;
	return error < 0 ? -error : error;
}

int tracer__start(struct tracer *tracer, const char *const *arguments, const int32_t *pids,
		  size_t count, char **message)
{
	char **argv = arguments_of(arguments, pids, count), *path;
	int error;

	*tracer = TRACER_CLOSED;
	path = find(message);
	error = path ? launch_tracer(tracer, path, argv) : 0;
	text__free_list(argv);
	if (error)
		error__set(message, "cannot start %s: %s", path, strerror(error));
	free(path);
	if (!path || error)
		return -1;
	if (has_attached(tracer, count))
		return 0;
	return error__set(message, "strace could not attach: %s",
			  tracer->message ? tracer->message : "it ended without a message");
}

/* False: there will be no more. */
static bool read_log(struct tracer *tracer, tracer_take_fn *take, void *context)
{
	char bytes[1 << 16];
	ssize_t got = read(tracer->log_fd, bytes, sizeof(bytes));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got > 0) {
		take(context, bytes, got);
		return true;
	}
	close_fd(&tracer->log_fd);
	return false;
}

bool tracer__read(struct tracer *tracer, tracer_take_fn *take, void *context)
{
	bool was_empty = true;

	if (tracer->message_fd >= 0)
		read_messages(tracer);
	while (tracer->log_fd >= 0 && read_log(tracer, take, context))
		was_empty = false;
	if (tracer->log_fd < 0)
		return false;
	follow_again(tracer, was_empty);
	return true;
}

static void reap(struct tracer *tracer)
{
	if (tracer->pid > 0)
		tracer->status = launch__reap(tracer->pid);
	tracer->pid = 0;
}

void tracer__stop(struct tracer *tracer, tracer_take_fn *take, void *context)
{
	struct pollfd fd = { .fd = tracer->epoll_fd, .events = POLLIN };

	if (tracer__read(tracer, take, context)) {
		kill(tracer->pid, SIGTERM);
		while (tracer__read(tracer, take, context))
			if (poll(&fd, 1, DETACH_MS) == 0)
				kill(tracer->pid, SIGKILL);
	}
	reap(tracer);
}

void tracer__close(struct tracer *tracer)
{
	if (tracer->pid > 0)
		kill(tracer->pid, SIGKILL);
	reap(tracer);
	close_fd(&tracer->log_fd);
	close_fd(&tracer->message_fd);
	close_fd(&tracer->timer_fd);
	close_fd(&tracer->epoll_fd);
	free(tracer->message);
	free(tracer->line);
	*tracer = TRACER_CLOSED;
}
