/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The software events that each CPU raises at a page fault, with a program attached: before the kernel handles it,
 * which opens its window where no tracepoint does, or after, which notes the time.
 */
#ifndef FORKTAX_SOURCE_EBPF_FAULT_EVENTS_H
#define FORKTAX_SOURCE_EBPF_FAULT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_link;
struct bpf_program;

struct fault_events {
	struct bpf_link **links;
	int *fds; /* owned by the links */
	size_t count;
	bool paused;
};

enum fault_moment { FAULT_BEGINS, FAULT_ENDS };

/* Returns 0, or a negative errno: then nothing is attached. CPUs that come up later are not covered. */
int fault_events__start(struct fault_events *events, const struct bpf_program *program, enum fault_moment moment);
/* While it is paused the kernel raises no events. */
void fault_events__pause(struct fault_events *events, bool paused);
void fault_events__stop(struct fault_events *events);

#endif
