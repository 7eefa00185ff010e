/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes a pool start with a remedy (enum pool_way), without a change of the program: variables of
 * the environment, and files that a runtime loads because of them.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_REMEDY_H
#define FORKTAX_MEASURE_POOL_POOL_REMEDY_H

#include <stdbool.h>

#include "model/workers/pool_trials.h"

struct pool_remedy {
	enum pool_way way;
	char **environment; /* NULL: ours; owned */
	char *directory; /* of files; NULL: none */
};

/* 0, or -1 and a reason (to be freed): it cannot be tried here. */
int pool_remedy__prepare(struct pool_remedy *remedy, enum pool_way way, char **reason);
/* Has the runtime done it in the last run? If not, the reason, to be freed. */
char *pool_remedy__refusal(const struct pool_remedy *remedy);
/* Before another run. */
void pool_remedy__rewind(const struct pool_remedy *remedy);
void pool_remedy__release(struct pool_remedy *remedy); /* and its files */

#endif
