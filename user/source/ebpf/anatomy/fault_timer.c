// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/fault_timer.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

static struct bpf_link *attach(const struct bpf_program *program, int cpu, unsigned long long event,
			       int *opened)
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

int fault_timer__start(struct fault_timer *timer, const struct bpf_program *program)
{
	static const unsigned long long events[] = { PERF_COUNT_SW_PAGE_FAULTS_MIN,
						     PERF_COUNT_SW_PAGE_FAULTS_MAJ };
	int cpus = libbpf_num_possible_cpus();

	memset(timer, 0, sizeof(*timer));
	if (cpus < 0)
		return cpus;
	timer->links = checked_calloc(2 * cpus, sizeof(*timer->links));
	timer->events = checked_calloc(2 * cpus, sizeof(*timer->events));
	for (int i = 0; i < 2 * cpus; i++) {
		struct bpf_link *link = attach(program, i / 2, events[i % 2],
						 &timer->events[timer->count]);

		if (link) {
			timer->links[timer->count++] = link;
		} else if (errno != ENODEV) { /* a CPU that is not online */
			int err = -errno;

			fault_timer__stop(timer);
			return err;
		}
	}
	return 0;
}

void fault_timer__pause(struct fault_timer *timer, bool paused)
{
	if (timer->paused == paused)
		return;
	for (size_t i = 0; i < timer->count; i++)
		ioctl(timer->events[i], paused ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
	timer->paused = paused;
}

void fault_timer__stop(struct fault_timer *timer)
{
	for (size_t i = 0; i < timer->count; i++)
		bpf_link__destroy(timer->links[i]);
	free(timer->links);
	free(timer->events);
	memset(timer, 0, sizeof(*timer));
}
