// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/units/copies.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/units/map_batches.h"

void copies__configure(const struct tracing *tracing, struct forktax_bpf *skeleton)
{
	skeleton->rodata->copies_wanted = tracing->request->copies;
	if (!tracing->request->copies)
		return;
	bpf_map__set_max_entries(skeleton->maps.copy_stacks, COPY_STACKS);
	bpf_map__set_max_entries(skeleton->maps.copy_addresses, COPY_ADDRESSES_MOST);
}

static void add_copies(struct unit_reading *reading, const void *key, const void *value)
{
	struct unit_copies *copies;

	if (((const struct copy_key *)key)->unit == UNIT_OWN)
		return;
	reading->copies = checked_grow(reading->copies, reading->copies_count, sizeof(*reading->copies));
	copies = &reading->copies[reading->copies_count++];
	*copies = (struct unit_copies){ .key = *(const struct copy_key *)key, .copies = *(const uint64_t *)value };
}

/* Those whose stack could not be looked up at first: it may have been since. */
static void find_later(const struct bpf_map *addresses, struct unit_copies *copies)
{
	uint64_t stack = 0;

	if (copies->key.place != COPY_BY_ADDRESSES)
		return;
	bpf_map_lookup_elem(bpf_map__fd(addresses), &copies->key.stack, &stack);
	copies->key.stack = stack;
	copies->key.place = stack ? COPY_BY_STACK : COPY_UNKNOWN;
}

static void find_stack(const struct forktax_bpf *skeleton, struct unit_copies *copies)
{
	struct copy_stack *stack;

	find_later(skeleton->maps.copy_addresses, copies);
	if (!copies->key.stack)
		return;
	stack = checked_calloc(1, sizeof(*stack));
	if (bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.copy_stacks), &copies->key.stack, stack))
		free(stack);
	else
		copies->stack = stack;
}

/* Programs fill the other map from now on. After a grace period of RCU none fills the first one any more. */
static const struct bpf_map *change_sides(struct forktax_bpf *skeleton)
{
	const struct bpf_map *filled = skeleton->bss->copy_side ? skeleton->maps.copies1 : skeleton->maps.copies0;

	skeleton->bss->copy_side = !skeleton->bss->copy_side;
	skeleton->bss->copies_later = 0;
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	return filled;
}

int copies__take(struct tracing *tracing, struct unit_reading *reading)
{
	struct forktax_bpf *skeleton = tracing->skeleton;
	struct copy_key keys[MAP_BATCH];
	uint64_t values[MAP_BATCH];
	int err;

	if (!skeleton->rodata->copies_wanted)
		return 0;
	err = map_batches__take(change_sides(skeleton), keys, sizeof(*keys), values, sizeof(*values), add_copies,
				reading);
	for (size_t i = 0; i < reading->copies_count; i++)
		find_stack(skeleton, &reading->copies[i]);
	return err;
}
