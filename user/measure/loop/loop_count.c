// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/loop/loop_task.h"

static uint64_t written_by_ld_so(const struct faults *inherited)
{
	const uint64_t *classes = inherited->by[ACTOR_LDSO];

	return classes[FAULT_COW_COPY] + classes[FAULT_COW_REUSE] + classes[FAULT_FILE_COW];
}

void loop_count__children(const struct run *run, uint64_t operations, double per_op[PER_OP_COUNT])
{
	const struct faults *root = &run->root_faults;
	struct faults all = { 0 };
	uint64_t calls = 0, by_ld_so = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		faults__add(&all, &group->inherited);
		faults__add(&all, &group->execd);
		calls += syscall_table__calls(&group->table);
		by_ld_so += written_by_ld_so(&group->inherited);
	}
	per_op[PER_OP_SYSCALLS] = (double)calls / operations;
	if (run__has(run, HAS_PROCESS_FAULTS))
		per_op[PER_OP_MINOR_FAULTS] = (double)(all.total - all.major) / operations;
	if (!run__has(run, HAS_FAULT_CLASSES))
		return;
	per_op[PER_OP_COW_COPIES] = (double)faults__class(&all, FAULT_COW_COPY) / operations;
	per_op[PER_OP_LD_SO_PAGES] = (double)by_ld_so / operations;
	per_op[PER_OP_PARENT_PAGES] = (double)(faults__class(root, FAULT_COW_COPY) +
					       faults__class(root, FAULT_COW_REUSE)) /
				      operations;
}
