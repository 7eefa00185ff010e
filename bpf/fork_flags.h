/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The flags of a fork whose event task_newtask, which has them, came before forktax had attached to the parent:
 * the call that is under way shows them, by its number and its first argument.
 */
#ifndef FORKTAX_FORK_FLAGS_H
#define FORKTAX_FORK_FLAGS_H

#include "maps.h"

static __always_inline bool read_fork_flags(__u64 *flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = (void *)bpf_task_pt_regs(task);
	bool compat = is_compat(task);
	__u64 argument = argument_of(regs, compat, 0);

	*flags = 0;
	switch (flags_place(call_of(regs), compat)) {
	case FLAGS_OF_FORK:
		return true;
	case FLAGS_OF_VFORK:
		*flags = CLONE_VFORK;
		return true;
	case FLAGS_IN_ARGUMENT:
		*flags = argument;
		return true;
	case FLAGS_IN_MEMORY:
		return may_probe && !bpf_probe_read_user(flags, sizeof(*flags), (void *)argument);
	default:
		return false;
	}
}

static __always_inline void keep_fork_flags(struct task_value *maker, __u64 flags)
{
	maker->vforks = flags & CLONE_VFORK ? 1 : 0;
	maker->shares_files = flags & CLONE_FILES ? 1 : 0;
}

__weak int find_fork_flags(struct task_value *maker)
{
	__u64 flags;

	if (!maker)
		return 0;
	if (!read_fork_flags(&flags))
		lose(LOSS_UNSURE_CALLS);
	keep_fork_flags(maker, flags);
	return 0;
}

#endif
