// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/serve/serve_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/launch.h"

enum { READY_S = 20, FIRST_LINE_MAX = 400 };

/* Waits until it serves. False: it has ended, a signal came, or it takes too long. */
static bool wait_ready(const struct serve_server *server, struct interrupt *interrupt)
{
	struct pollfd fds[] = { { .fd = server->pidfd, .events = POLLIN }, { .fd = interrupt->fd, .events = POLLIN } };
	const double end = clock__now_s() + READY_S;

	while (!__atomic_load_n(&server->endpoint->page->ready, __ATOMIC_ACQUIRE)) {
		if (interrupt__came(interrupt) || clock__now_s() > end || poll(fds, 2, 1) > 0)
			return false;
	}
	return true;
}

int serve_server__start(struct serve_server *server, struct serve_endpoint *endpoint, char *const *argv,
			char *const *environment, struct interrupt *interrupt, char **reason)
{
	struct launch launch = {
		.path = argv[0],
		.argv = argv,
		.environment = environment,
		.stdio = LAUNCH_STDIO_NULL,
		.mask = &interrupt->mask,
		.own_group = true,
		.dies_with_us = true,
	};
	int errors[2], error;

	*server = (struct serve_server){ endpoint, .pid = -1, .pidfd = -1, .errors = -1 };
	memset(endpoint->page, 0, sizeof(*endpoint->page));
	if (pipe2(errors, O_CLOEXEC | O_NONBLOCK) < 0)
		return error__set(reason, "cannot start %s: %s", argv[0], strerror(errno));
	launch.stdio[2] = errors[1];
	serve_endpoint__share(endpoint, true);
	error = launch__start(&launch, &server->pid);
	serve_endpoint__share(endpoint, false);
	close(errors[1]);
	if (error) {
		close(errors[0]);
		return error__set(reason, "cannot start %s: %s", argv[0], strerror(abs(error)));
	}
	server->errors = errors[0];
	server->pidfd = syscall(SYS_pidfd_open, server->pid, 0);
	if (server->pidfd >= 0 && wait_ready(server, interrupt))
		return 0;
	*reason = serve_server__exit_reason(server);
	if (!*reason)
		*reason = checked_strdup("the server did not begin to serve");
	serve_server__stop(server);
	return -1;
}

/* The first line of its stderr: later ones follow from it. To be freed; NULL: none. */
static char *first_line(const struct serve_server *server)
{
	char words[FIRST_LINE_MAX + 1];
	ssize_t got = read(server->errors, words, FIRST_LINE_MAX);

	if (got <= 0)
		return NULL;
	words[got] = '\0';
	words[strcspn(words, "\n")] = '\0';
	return checked_strdup(words);
}

char *serve_server__exit_reason(const struct serve_server *server)
{
	siginfo_t info = { .si_pid = 0 };
	char *text;

	if (waitid(P_PID, server->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
		return NULL;
	text = first_line(server);
	if (text)
		return text;
	return text__of(info.si_code == CLD_EXITED ? "the server has ended with status %d" :
						     "the server was killed by signal %d",
			info.si_status);
}

void serve_server__stop(struct serve_server *server)
{
	child__end_group(server->pid);
	if (server->pidfd >= 0)
		close(server->pidfd);
	close(server->errors);
	server->pid = server->pidfd = server->errors = -1;
}
