// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/attach_options.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIDS_SHOWN = 8 };

bool parse_seconds(const char *text, uint64_t *ns)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(text, &end);
	if (errno || end == text || *end || !isfinite(seconds) || seconds <= 0 || seconds > 1e9)
		return false;
	*ns = seconds * 1e9;
	return true;
}

bool parse_pids(const char *list, int32_t **pids, size_t *count)
{
	if (!*list)
		return false;
	while (*list) {
		int32_t *longer;
		char *end;
		long pid;

		errno = 0;
		pid = strtol(list, &end, 10);
		if (errno || end == list || pid <= 0 || pid > INT32_MAX ||
		    (*end && (*end != ',' || !end[1])))
			return false;
		longer = realloc(*pids, (*count + 1) * sizeof(**pids));
		if (!longer)
			return false;
		*pids = longer;
		(*pids)[(*count)++] = pid;
		list = *end ? end + 1 : end;
	}
	return true;
}

bool parse_ready_fd(const char *text, int *fd)
{
	char *end;
	long number;
	int flags;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno || end == text || *end || number <= 0 || number > INT32_MAX)
		return false;
	flags = fcntl((int)number, F_GETFL);
	*fd = (int)number;
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A shell without job control ignores SIGINT for what it starts in the background. */
static void say(const char *name, const struct trace_request *request)
{
	size_t count = request->pid_count;

	if (count > PIDS_SHOWN)
		fprintf(stderr, "forktax %s: counting %zu processes", name, count);
	else
		fprintf(stderr, "forktax %s: counting process%s", name, count == 1 ? "" : "es");
	for (size_t i = 0; count <= PIDS_SHOWN && i < count; i++)
		fprintf(stderr, " %" PRId32, request->pids[i]);
	if (!request->duration_ns)
		fprintf(stderr, " until %s",
			is_ignored(SIGINT) ? "SIGTERM (SIGINT is ignored here)" : "Ctrl-C");
	fputc('\n', stderr);
}

/* Whoever waited may have gone: that is no reason to die of SIGPIPE. */
static void write_ready(int fd)
{
	struct sigaction before, ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, &before);
	if (write(fd, "ready\n", 6) < 0 && errno != EPIPE)
		perror("forktax: cannot write to the descriptor of --ready-fd");
	sigaction(SIGPIPE, &before, NULL);
	if (fd > STDERR_FILENO)
		close(fd);
}

void attach_notice__give(const struct trace_request *request, void *context)
{
	const struct attach_notice *notice = context;

	if (notice->name)
		say(notice->name, request);
	if (notice->fd)
		write_ready(notice->fd);
}
