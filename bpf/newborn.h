/* SPDX-License-Identifier: GPL-2.0-only
 *
 * When a new thread is in user mode for the first time. On x86-64 it leaves the call that has created it, by a sys_exit
 * of its own. On arm64 it has no such event (ret_from_fork() in arch/arm64/kernel/entry.S): there it is first seen at
 * its first page fault of user mode, or at its first call.
 */
#ifndef FORKTAX_NEWBORN_H
#define FORKTAX_NEWBORN_H

#include "births.h"
#include "tree.h"

/* Of the current thread. Global to be verified once. */
__weak int begin_life(struct task_value *value)
{
	if (!value)
		return 0;
	value->newborn = 0;
	if (anatomy && value->recorded)
		record_start(value);
	if (tree_wanted)
		leave_tree_call(value, 0);
	return 0;
}

#endif
