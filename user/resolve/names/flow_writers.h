/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for the code that wrote to the pages of a pool.
 */
#ifndef FORKTAX_RESOLVE_NAMES_FLOW_WRITERS_H
#define FORKTAX_RESOLVE_NAMES_FLOW_WRITERS_H

#include "model/workers/flow_log.h"
#include "model/workers/workers_flow.h"

/*
 * Names each writer by what the log says of its code, and makes one of those that are the same symbol. The
 * log's call stacks get names, too. On this machine only, once: another one has other files.
 */
void flow_writers__name(struct workers_flow *flow, struct flow_log *log);

#endif
