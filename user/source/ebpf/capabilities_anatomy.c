// SPDX-License-Identifier: GPL-2.0-or-later
/* What only the anatomy level uses. All of it may be missing: the anatomy then says less. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/procfs.h"
#include "launch/launch.h"
#include "source/ebpf/capability_tries.h"

typedef enum capability_state state;

/* On CPU 0, which there always is; of all processes, as the anatomy needs it. */
static state try_event(struct perf_event_attr *attr, char *why, size_t size)
{
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return capability__because(why, size, strerror(errno));
	close(fd);
	return CAPABILITY_THERE;
}

state capability__try_durations(char *why, size_t size)
{
	struct perf_event_attr attr = { .config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
					.sample_period = 1 };

	return try_event(&attr, why, size);
}

state capability__try_mmap_records(char *why, size_t size)
{
	struct perf_event_attr attr = { .config = PERF_COUNT_SW_DUMMY, .mmap = 1, .mmap_data = 1,
					.mmap2 = 1 };

	return try_event(&attr, why, size);
}

state capability__try_extents(char *why, size_t size)
{
	static const char *const names[] = { "btf_trace_mm_filemap_map_pages", NULL };

	return capability__find_types(names, why, size);
}

state capability__try_user_memory(char *why, size_t size)
{
	return capability__try_helper(BPF_FUNC_probe_read_user, why, size);
}

static int open_both(pid_t pid)
{
	static const char *const names[] = { "mem", "pagemap" };

	for (int i = 0; i < 2; i++) {
		int fd = procfs__open_fd(pid, names[i], O_RDONLY);

		if (fd < 0)
			return errno;
		close(fd);
	}
	return 0;
}

state capability__try_child_memory(char *why, size_t size)
{
	pid_t child = launch__fork();
	int error;

	if (child < 0)
		return capability__because(why, size, strerror(errno));
	if (!child) {
		for (;;)
			pause();
	}
	error = open_both(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return error ? capability__because(why, size, strerror(error)) : CAPABILITY_THERE;
}
