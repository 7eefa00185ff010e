/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What loading a program takes from the kernel's BTF: the ids of what it can be attached to, and of
 * the types and the kernel function that bpf/ refers to by number. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_HOOKS_H
#define FORKTAX_SOURCE_EBPF_HOOKS_H

#include "source/ebpf/kernel_types.h"

struct hook {
	uint32_t id;
	char section[60]; /* of its programs: "tp_btf/sys_enter", "iter/task" */
};

struct hooks {
	struct hook *list; /* all tracepoints and iterators */
	size_t count;
	uint32_t task_type, vma_type; /* struct task_struct, struct vm_area_struct */
	uint32_t run_queues, preempt_count; /* variables runqueues, and __preempt_count or pcpu_hot */
	uint32_t run_queues_at, preempt_count_at; /* of the memory of a CPU */
	bool places_known; /* these two are */
	uint32_t cast; /* bpf_rdonly_cast(), 0 where there is none */
};

struct hooks hooks__find(const struct kernel_types *types);
void hooks__free(struct hooks *hooks);

/* The id of what the programs of a section are attached to, 0 if the kernel has no such thing. */
uint32_t hooks__id(const struct hooks *hooks, const char *section);

#endif
