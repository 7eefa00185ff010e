// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/serve/serve_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "launch/child.h"

enum { READY_S = 20, WORDS_MAX = 400 };

/* In the child: between fork and exec, so no more than system calls. */
static void become(char *const *argv, char *const *environment, const struct interrupt *interrupt,
		   int errors, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent) /* it died before it could be said */
		_exit(127);
	if (null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(errors, 2) == 2) {
		sigprocmask(SIG_SETMASK, &interrupt->mask, NULL);
		execve(argv[0], argv, environment ? environment : environ);
	}
	dprintf(2, "cannot run %s: %m\n", argv[0]);
	_exit(127);
}

/* It has begun to serve. False: it has ended, a signal came, or it takes too long. */
static bool wait_ready(const struct serve_server *server, struct interrupt *interrupt)
{
	struct pollfd fds[] = { { .fd = server->pidfd, .events = POLLIN },
				{ .fd = interrupt->fd, .events = POLLIN } };
	const double end = clock__now_s() + READY_S;

	while (!__atomic_load_n(&server->ground->page->ready, __ATOMIC_ACQUIRE)) {
		if (interrupt__came(interrupt) || clock__now_s() > end || poll(fds, 2, 1) > 0)
			return false;
	}
	return true;
}

static int cannot_start(struct serve_server *server, const char *path, char **reason)
{
	if (asprintf(reason, "cannot start %s: %s", path, strerror(errno)) < 0)
		err(125, "out of memory");
	if (server->errors >= 0)
		close(server->errors);
	return -1;
}

int serve_server__start(struct serve_server *server, struct serve_ground *ground, char *const *argv,
			char *const *environment, struct interrupt *interrupt, char **reason)
{
	pid_t parent = getpid();
	int errors[2];

	*server = (struct serve_server){ .ground = ground, .pid = -1, .pidfd = -1, .errors = -1 };
	memset(ground->page, 0, sizeof(*ground->page));
	if (pipe2(errors, O_CLOEXEC | O_NONBLOCK) < 0)
		return cannot_start(server, argv[0], reason);
	server->errors = errors[0];
	serve_ground__share(ground, true);
	server->pid = fork();
	if (server->pid == 0)
		become(argv, environment, interrupt, errors[1], parent);
	serve_ground__share(ground, false);
	close(errors[1]);
	if (server->pid < 0)
		return cannot_start(server, argv[0], reason);
	setpgid(server->pid, server->pid); /* both sides: whoever comes first */
	server->pidfd = syscall(SYS_pidfd_open, server->pid, 0);
	if (server->pidfd >= 0 && wait_ready(server, interrupt))
		return 0;
	*reason = serve_server__misfortune(server);
	if (!*reason)
		*reason = checked_strdup("the server did not begin to serve");
	serve_server__stop(server);
	return -1;
}

/* Its first line on stderr: what comes after that follows from it. To be freed; NULL: none. */
static char *first_words(const struct serve_server *server)
{
	char words[WORDS_MAX + 1];
	ssize_t got = read(server->errors, words, WORDS_MAX);

	if (got <= 0)
		return NULL;
	words[got] = '\0';
	words[strcspn(words, "\n")] = '\0';
	return checked_strdup(words);
}

char *serve_server__misfortune(const struct serve_server *server)
{
	siginfo_t info = { .si_pid = 0 };
	char *text;

	if (waitid(P_PID, server->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
		return NULL;
	text = first_words(server);
	if (text)
		return text;
	if (asprintf(&text,
		     info.si_code == CLD_EXITED ? "the server has ended with status %d" :
						  "the server was killed by signal %d",
		     info.si_status) < 0)
		err(125, "out of memory");
	return text;
}

void serve_server__stop(struct serve_server *server)
{
	kill(server->pid, SIGKILL); /* it may not lead its group yet */
	child__end_group(server->pid);
	if (server->pidfd >= 0)
		close(server->pidfd);
	close(server->errors);
	server->pid = server->pidfd = server->errors = -1;
}
