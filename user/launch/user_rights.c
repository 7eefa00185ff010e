// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/user_rights.h"

#include "base/capability.h"

bool user__may_become(void)
{
	const uint64_t needed = 1ull << CAP_SETUID | 1ull << CAP_SETGID;
	uint64_t set;

	return capability__effective(&set) && (set & needed) == needed;
}
