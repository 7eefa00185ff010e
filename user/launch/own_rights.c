// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/own_rights.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/capability.h"

bool user__may_become(void)
{
	const uint64_t needed = 1ull << CAP_SETUID | 1ull << CAP_SETGID;
	uint64_t set;

	return capability__effective(&set) && (set & needed) == needed;
}

static void change(bool drops_all)
{
	static const unsigned int own[] = { CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_DAC_READ_SEARCH };
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = {};

	if (syscall(SYS_capget, &header, sets))
		return;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(own[i])];

		set->inheritable &= ~CAP_TO_MASK(own[i]);
		if (drops_all)
			set->effective &= set->permitted &= ~CAP_TO_MASK(own[i]);
	}
	syscall(SYS_capset, &header, sets); /* to have less is never refused */
}

void own_rights__keep(void)
{
	change(false);
}

void own_rights__drop(void)
{
	change(true);
}
