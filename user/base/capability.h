/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What this process may do (capabilities(7)).
 */
#ifndef FORKTAX_BASE_CAPABILITY_H
#define FORKTAX_BASE_CAPABILITY_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Stores which capabilities are effective, a bit for each. False: they cannot be read. */
static inline bool capability__effective(uint64_t *set)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	if (syscall(SYS_capget, &header, data))
		return false;
	*set = (uint64_t)data[1].effective << 32 | data[0].effective;
	return true;
}

#endif
