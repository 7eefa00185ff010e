// SPDX-License-Identifier: GPL-2.0-only
/*
 * The floor: what any eBPF tool pays that watches system calls, before it counts anything. An
 * attached program makes the kernel take the slow path into and out of every system call.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("tp_btf/sys_enter")
int floor_enter(void *context)
{
	return 0;
}

/* Attached on demand: who counts errors, or measures time, needs both. */
SEC("tp_btf/sys_exit")
int floor_exit(void *context)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
