/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The software events that each CPU raises after a page fault, with the program attached that notes
 * the time.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_FAULT_TIMER_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_FAULT_TIMER_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_link;
struct bpf_program;

struct fault_timer {
	struct bpf_link **links;
	int *events; /* owned by the links */
	size_t count;
	bool paused;
};

/*
 * Returns 0, or a negative errno: then nothing is attached, and faults have no duration. CPUs that
 * come up later are not covered.
 */
int fault_timer__start(struct fault_timer *timer, const struct bpf_program *program);
/* While it is paused the kernel raises no events, and faults have no duration. */
void fault_timer__pause(struct fault_timer *timer, bool paused);
void fault_timer__stop(struct fault_timer *timer);

#endif
