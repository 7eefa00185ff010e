// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/fault_events.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

static struct bpf_link *attach(const struct bpf_program *program, int cpu, unsigned long long event, int *opened)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = event,
		.sample_period = 1,
	};
	struct bpf_link *link;
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return NULL;
	link = bpf_program__attach_perf_event(program, fd); /* which then owns the event */
	if (!link)
		close(fd);
	*opened = fd;
	return link;
}

static const unsigned long long moments[][2] = {
	[FAULT_BEGINS] = { PERF_COUNT_SW_PAGE_FAULTS },
	[FAULT_ENDS] = { PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
};

int fault_events__start(struct fault_events *events, const struct bpf_program *program, enum fault_moment moment)
{
	const int cpus = libbpf_num_possible_cpus(), kinds = moment == FAULT_ENDS ? 2 : 1;

	memset(events, 0, sizeof(*events));
	if (cpus < 0)
		return cpus;
	events->links = checked_calloc(kinds * cpus, sizeof(*events->links));
	events->fds = checked_calloc(kinds * cpus, sizeof(*events->fds));
	for (int i = 0; i < kinds * cpus; i++) {
		struct bpf_link *link = attach(program, i / kinds, moments[moment][i % kinds],
					       &events->fds[events->count]);

		if (link) {
			events->links[events->count++] = link;
		} else if (errno != ENODEV) { /* a CPU that is not online */
			int err = -errno;

			fault_events__stop(events);
			return err;
		}
	}
	return 0;
}

void fault_events__pause(struct fault_events *events, bool paused)
{
	if (events->paused == paused)
		return;
	for (size_t i = 0; i < events->count; i++)
		ioctl(events->fds[i], paused ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
	events->paused = paused;
}

void fault_events__stop(struct fault_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		bpf_link__destroy(events->links[i]);
	free(events->links);
	free(events->fds);
	memset(events, 0, sizeof(*events));
}
