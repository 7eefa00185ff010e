/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts call stacks together: frames that are alike become one. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_STACKS_STACK_BUILDER_H
#define FORKTAX_SOURCE_EBPF_STACKS_STACK_BUILDER_H

#include "base/hash.h"
#include "model/stacks/stacks.h"

struct stack_builder {
	struct stacks *stacks; /* being built */
	struct hash frames; /* the numbers of those that it has */
};

struct stack_builder stack_builder__begin(void);
/* The number of a frame; takes its names over. */
uint32_t stack_builder__frame(struct stack_builder *builder, struct frame frame);
/* The number of a new stack. `top` as in struct call_stack. */
uint32_t stack_builder__add(struct stack_builder *builder, const uint32_t *frames, size_t count,
			    enum stack_stop stop, uint32_t top);
/* Hands the stacks over, as shape__free() frees them. */
struct stacks *stack_builder__finish(struct stack_builder *builder);

#endif
