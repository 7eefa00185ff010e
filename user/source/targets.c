// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capability.h"
#include "base/procfs.h"
#include "base/text.h"

struct status {
	char state;
	int tgid;
	unsigned int uid;
	int has_memory; /* kernel threads and zombies have none */
};

static int read_status(int32_t pid, struct status *status)
{
	FILE *file = procfs__open(pid, "status");
	char line[256];

	if (!file)
		return -1;
	memset(status, 0, sizeof(*status));
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "State: %c", &status->state);
		sscanf(line, "Tgid: %d", &status->tgid);
		sscanf(line, "Uid: %u", &status->uid);
		status->has_memory |= !strncmp(line, "VmSize:", 7);
	}
	fclose(file);
	return 0;
}

/*
 * May the caller look into processes of others? A forktax with file capabilities must not leak
 * them.
 */
static int may_see_others(void)
{
	uint64_t effective;

	return capability__effective(&effective) && effective >> CAP_SYS_PTRACE & 1;
}

static const char *objection(int32_t pid)
{
	struct status status;

	if (pid == getpid())
		return "forktax does not trace itself";
	if (read_status(pid, &status))
		return access("/proc/self/status", R_OK) ? "cannot be checked: /proc is not mounted or hides processes"
							 : "no such process";
	if (status.state == 'Z' || status.state == 'X')
		return "is a zombie: it has ended and waits for its parent";
	if (!status.has_memory)
		return "is a kernel thread: it makes no system calls";
	if (status.tgid != pid)
		return "is a thread; give the pid of its process (ps -o tgid)";
	if (status.uid != geteuid() && !may_see_others())
		return "belongs to another user: CAP_SYS_PTRACE is needed";
	return NULL;
}

int targets__check(const int32_t *pids, size_t count, char **message)
{
	for (size_t i = 0; i < count; i++) {
		const char *why = objection(pids[i]);

		if (why)
			return error__set(message, "-p %d: %s", pids[i], why);
	}
	return 0;
}
