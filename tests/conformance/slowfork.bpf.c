// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes each fork of one process slow where it has been announced (task_newtask) and does not exist yet
 * (sched_process_fork): attached first, this runs before what others have on that tracepoint.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define SLOW_NS	   300000
#define STEPS_MOST (1 << 20)

__u32 slowed; /* the process */

static long step(__u32 number, __u64 *end)
{
	return bpf_ktime_get_ns() >= *end;
}

SEC("tp_btf/sched_process_fork")
int slow_fork(void *context)
{
	__u64 end = bpf_ktime_get_ns() + SLOW_NS;

	if (bpf_get_current_pid_tgid() >> 32 == slowed)
		bpf_loop(STEPS_MOST, step, &end, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
