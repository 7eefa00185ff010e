/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax workers --cgroup` and -a: all pools that are there, as a list.
 */
#ifndef FORKTAX_CMD_WORKERS_LIST_H
#define FORKTAX_CMD_WORKERS_LIST_H

#include "cmd/options/sets.h"

/* `sample`: one in so many pieces of each pool; 0: as large as the pool allows. Returns the exit status. */
int workers_list__run(const struct attach_options *of, uint64_t sample, const struct report_options *display);

#endif
