/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The call stacks of the code that wrote to the pages of a pool.
 */
#ifndef FORKTAX_RESOLVE_NAMES_FLOW_STACKS_H
#define FORKTAX_RESOLVE_NAMES_FLOW_STACKS_H

#include "model/workers/flow_log.h"
#include "model/workers/workers_flow.h"

/* Names the frames of the log's stacks, and keeps those that can be believed (stack_names.h). */
void flow_stacks__resolve(struct flow_log *log);

/* The stack that a code of the log has, as that of its writer: of `copies` copies. */
void flow_stacks__take(struct flow_writer *writer, const struct flow_log *log, uint32_t stack);

/* Moves the stacks of one writer to another. */
void flow_stacks__join(struct flow_writer *writer, struct flow_writer *other);

/* Makes equal ones one, and keeps those with most copies. */
void flow_stacks__settle(struct flow_writer *writer);

#endif
