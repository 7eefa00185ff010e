// SPDX-License-Identifier: GPL-2.0-only
/*
 * What opens the window of a fault on arm64, where no tracepoint does: the software event page-faults, which the kernel
 * counts before it handles a fault (do_page_fault()). It is attached with period 1 on every CPU.
 *
 * The kernel does not say what the access was; the instruction does, which is read where the program counter is.
 */
#include "decode_a64.h"
#include "faults.h"

/* As the kernel hands it to programs on perf events: struct bpf_perf_event_data. */
struct fault_event {
	__u64 regs[31];
	__u64 sp, pc, pstate;
	__u64 sample_period;
	__u64 address;
};

static __always_inline enum memory_access read_access(__u64 pc, bool in_kernel)
{
	__u32 instruction = 0;

	if (in_kernel) {
		if (!may_probe || bpf_probe_read_kernel(&instruction, sizeof(instruction), (void *)pc))
			return ACCESS_UNKNOWN;
	} else if (bpf_probe_read_user(&instruction, sizeof(instruction), (void *)pc)) {
		return ACCESS_UNKNOWN;
	}
	return decode_a64(instruction);
}

/*
 * An instruction that reads and writes may take two faults: the CPU calls the first one a read where nothing is
 * mapped yet. It was that, if the same instruction faults at the same address next.
 */
static __always_inline void take_for_read(struct task_value *value, __u64 address)
{
	if (value->window.open && value->window.evidence & FAULT_ATOMIC && value->window.address == address)
		value->window.evidence &= ~FAULT_WRITE;
}

static __always_inline __u32 evidence_of(struct task_value *value, const struct fault_event *event, bool in_kernel)
{
	if (!in_kernel && event->address == event->pc)
		return FAULT_FETCH | FAULT_WRITE_KNOWN;
	if (!in_kernel && event->pstate & PSTATE_AARCH32)
		return 0;
	switch (read_access(event->pc, in_kernel)) {
	case ACCESS_READ:
		return FAULT_WRITE_KNOWN;
	case ACCESS_WRITE:
		return FAULT_WRITE_KNOWN | FAULT_WRITE;
	case ACCESS_ATOMIC:
		take_for_read(value, event->address);
		return FAULT_WRITE_KNOWN | FAULT_WRITE | FAULT_ATOMIC;
	default:
		return 0;
	}
}

SEC("perf_event")
int on_fault_begin(struct fault_event *event)
{
	const bool in_kernel = event->pstate & PSTATE_MODE && !(event->pstate & PSTATE_AARCH32);
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value = find_classified(task, 0);

	if (!value)
		return 0;
	if (in_kernel)
		kernel_fault(value, task, event->address, evidence_of(value, event, true));
	else
		user_fault(value, event->address, event->pc, evidence_of(value, event, false));
	return 0;
}
