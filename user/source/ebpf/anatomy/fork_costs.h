/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fork records summed up by group. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_FORK_COSTS_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_FORK_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "forktax.h"
#include "model/anatomy.h"

/* A recorded fork with the group (index of its group_value) of the child. */
struct grouped_fork {
	uint32_t group;
	struct fork_record record;
};

/* What the forks of one group cost; all `count` (> 0) records are of that group. */
struct fork_cost fork_cost__of(const struct grouped_fork *forks, size_t count);

#endif
