// SPDX-License-Identifier: GPL-2.0-only
/* Programs that only counting by unit needs: see units.h. */
#include "attach.h"

static __always_inline void count_running(struct task_value *value, struct task_struct *task)
{
	struct unit_value *unit = task->pid == task->tgid ? find_unit(value->share.unit) : NULL;

	if (!unit)
		return;
	if (unit->look != look)
		unit->processes = 0;
	unit->look = look;
	unit->processes++;
}

/* Reports what threads that run on have counted since the last look. One look at a time. */
SEC("iter/task")
int report_running(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct task_value *value = task ? look_up_task(task) : NULL;

	if (!value)
		return 0;
	report_thread(value, minor_faults(value, task), major_faults(value, task));
	if (value->share.ended) {
		report_thread(value, minor_faults(value, task), major_faults(value, task));
		return 0;
	}
	if (!value->parted)
		change_unit(value, task, minor_faults(value, task), major_faults(value, task));
	count_running(value, task);
	return 0;
}

/* Only to give a name to what ends before user space looks: if it is skipped, that is in "other". */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_new_unit, struct cgroup *cgroup, const char *path)
{
	__u32 zero = 0;
	struct unit_path *scratch = bpf_map_lookup_elem(&new_path, &zero);
	__u64 id = cgroup->kn->id;

	if (!may_probe || !scratch)
		return 0;
	if (bpf_probe_read_kernel_str(scratch->path, sizeof(scratch->path), path) < (long)sizeof(scratch->path))
		bpf_map_update_elem(&unit_paths, &id, scratch, BPF_ANY);
	return 0;
}

/* In the place of on_sys_exit. A program that comes second finds nothing to do. */
static __always_inline void exit_fork(struct pt_regs *regs)
{
	struct task_value *value;

	if (!may_be_fork((int)call_of(regs)))
		return;
	value = find_task(bpf_get_current_task_btf());
	if (value)
		end_fork_call(value);
}

TRACE_BY(fork_return, sys_exit, exit_fork(regs), struct pt_regs *regs, long result)
