/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a reading of a pool has found, as the model has it.
 */
#ifndef FORKTAX_POOL_POOL_RESULT_H
#define FORKTAX_POOL_POOL_RESULT_H

#include "model/workers/workers.h"
#include "pool/page_survey.h"
#include "pool/pool_members.h"

struct pool_reading {
	const struct pool_members *found;
	struct page_survey survey;
	struct texts names;
	uint64_t started, look_ns;
	uint64_t born, ended, unreadable; /* members */
	bool too_much; /* memory of all members together for the kernel's sums to be read */
};

struct workers *pool_result__of(const struct pool_reading *reading);

#endif
