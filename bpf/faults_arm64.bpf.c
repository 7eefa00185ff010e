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

/*
 * Where the CPU leaves the access flag to the kernel, a page that is there may fault for that alone. The entry, before
 * the kernel has changed it, tells.
 */
static __always_inline __u32 entry_evidence(struct task_struct *task, __u64 address, __u32 evidence)
{
	struct mm_struct *mm = plain(task)->mm;
	struct entry entry = {};
	bool may_write, is_write = evidence & FAULT_WRITE;

	if (!lacks_access_flag)
		return evidence;
	if (!mm || !may_probe || !direct_map)
		return evidence | FAULT_MAYBE_OLD;
	if (!find_entry(direct_map, kernel_word(&mm->pgd), address, &entry))
		return evidence | FAULT_PRESENT_KNOWN;
	may_write = entry.value & ENTRY_WRITE;
	if (entry.value & ENTRY_USED)
		return evidence | FAULT_PRESENT_KNOWN | FAULT_PRESENT;
	if (!(evidence & FAULT_WRITE_KNOWN) && !may_write) /* reading it takes the flag alone, writing does not */
		return evidence | FAULT_MAYBE_OLD;
	return evidence | FAULT_PRESENT_KNOWN | FAULT_PRESENT | (may_write || !is_write ? FAULT_OLD : 0);
}

static __always_inline __u32 access_evidence(struct task_value *value, const struct fault_event *event, bool in_kernel)
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

static __always_inline __u32 evidence_of(struct task_value *value, struct task_struct *task,
					 const struct fault_event *event, bool in_kernel)
{
	return entry_evidence(task, event->address, access_evidence(value, event, in_kernel));
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
		kernel_fault(value, task, event->address, evidence_of(value, task, event, true));
	else
		user_fault(value, event->address, event->pc, evidence_of(value, task, event, false));
	return 0;
}

/*
 * Run once by user space, before anything is counted, where it knows where the direct map should begin: by that its
 * own page at `*context` must be one that holds its own address.
 */
SEC("syscall") int find_direct_map(struct own_page *own)
{
	struct mm_struct *mm = own_memory();
	struct entry entry = {};
	__u64 content = 0;

	if (!mm || !map_offset || !find_entry(map_offset, kernel_word(&mm->pgd), own->address, &entry) ||
	    entry.shift != PAGE_SHIFT)
		return 0;
	bpf_probe_read_kernel(&content, sizeof(content), (void *)(map_offset + frame_of(entry.value)));
	if (content == own->address)
		direct_map = map_offset;
	return 0;
}
