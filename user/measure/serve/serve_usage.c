// SPDX-License-Identifier: GPL-2.0-or-later
/* What the processes of a server use: from their CPU clocks, /proc, and their own reports. */
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/procfs.h"
#include "measure/serve/serve_server.h"

enum { IDLE_WAIT_MS = 1000, ANSWER_MS = 1000 };

struct member {
	pid_t pid;
	char state; /* of its first thread: R, S, Z, ... */
	uint64_t minor_faults;
};

typedef void member_fn(const struct member *member, void *context);

/* Reads /proc/PID/stat. False: gone, or of another group. */
static bool read_member(pid_t pid, pid_t group, struct member *member)
{
	char text[1024], *rest;
	int its_group;

	member->pid = pid;
	rest = procfs__stat(member->pid, text, sizeof(text));
	return rest &&
	       sscanf(rest, " %c %*d %d %*d %*d %*d %*u %" SCNu64, &member->state, &its_group,
		      &member->minor_faults) == 3 &&
	       its_group == group;
}

static void each_member(pid_t group, member_fn *visit, void *context)
{
	struct member member;
	size_t count;
	int32_t *pids = procfs__pids(&count);

	for (size_t i = 0; i < count; i++)
		if (read_member(pids[i], group, &member))
			visit(&member, context);
	free(pids);
}

struct activity {
	double cpu_ns;
	size_t members;
	bool is_busy;
};

static void look(const struct member *member, void *context)
{
	struct activity *activity = context;

	activity->cpu_ns += procfs__cpu_ns(member->pid);
	activity->members++;
	activity->is_busy |= member->state != 'S' && member->state != 'Z';
}

bool serve_server__wait_idle(const struct serve_server *server, struct interrupt *interrupt)
{
	struct activity before = { .cpu_ns = -1 };
	struct pollfd fds[] = { { .fd = server->pidfd, .events = POLLIN }, { .fd = interrupt->fd, .events = POLLIN } };

	for (int ms = 0; ms < IDLE_WAIT_MS; ms++) {
		struct activity now = { 0 };

		each_member(server->pid, look, &now);
		if (!now.is_busy && now.cpu_ns == before.cpu_ns && now.members == before.members)
			return true;
		before = now;
		if (interrupt__came(interrupt) || poll(fds, 2, 1) > 0)
			return false;
	}
	return true;
}

/* Makes a process that reaps others update its counts. */
static bool ask(const struct serve_reaped *reaper)
{
	uint32_t reported = __atomic_load_n(&reaper->reported, __ATOMIC_ACQUIRE);

	if (kill(reaper->pid, SIGUSR1) < 0)
		return false;
	for (int tenths = 0; tenths < ANSWER_MS * 10; tenths++) {
		if (__atomic_load_n(&reaper->reported, __ATOMIC_ACQUIRE) != reported)
			return true;
		usleep(100);
	}
	return false;
}

static void add_usage(const struct member *member, void *context)
{
	struct serve_usage *usage = context;

	usage->cpu_ns += procfs__cpu_ns(member->pid);
	usage->minor_faults += member->minor_faults;
}

bool serve_server__usage(const struct serve_server *server, struct serve_usage *usage)
{
	*usage = (struct serve_usage){ 0 };
	for (int i = 0; i < REAPER_COUNT; i++) {
		const struct serve_reaped *reaper = &server->endpoint->page->reapers[i];

		if (!reaper->pid)
			continue;
		if (!ask(reaper)) /* it reaps ended processes, so nothing is counted twice */
			return false;
		usage->cpu_ns += reaper->cpu_ns;
		usage->minor_faults += reaper->minor_faults;
	}
	each_member(server->pid, add_usage, usage);
	return true;
}

struct memory {
	double pss, unshared;
	bool failed;
};

static void add_memory(const struct member *member, void *context)
{
	struct memory *memory = context;
	char line[256];
	uint64_t bytes;
	FILE *stream;

	if (member->state == 'Z')
		return;
	stream = procfs__open(member->pid, "smaps_rollup");
	memory->failed |= !stream;
	while (stream && fgets(line, sizeof(line), stream)) {
		if (procfs__bytes(line, "Pss:", &bytes))
			memory->pss += (double)bytes;
		else if (procfs__bytes(line, "Private_Clean:", &bytes) || procfs__bytes(line, "Private_Dirty:", &bytes))
			memory->unshared += (double)bytes;
	}
	if (stream)
		fclose(stream);
}

void serve_server__memory(const struct serve_server *server, double *pss, double *unshared)
{
	struct memory memory = { 0 };

	each_member(server->pid, add_memory, &memory);
	*pss = memory.failed ? NAN : memory.pss;
	*unshared = memory.failed ? NAN : memory.unshared;
}
