// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/user_rights.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

bool user__may_become(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	const uint32_t needed = CAP_TO_MASK(CAP_SETUID) | CAP_TO_MASK(CAP_SETGID);

	return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & needed) == needed;
}
