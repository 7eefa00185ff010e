// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the time of the run goes: makes rows of the bill from the parts of the tree's times, and from its calls, which
 * are in these parts.
 */
#include <bpf/bpf.h>
#include <stdlib.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct draft {
	struct bill *bill;
	struct hash numbers; /* of its rows */
	struct tree_key key;
	struct tree_value value;
	struct tree_call_key call_key;
	struct tree_call_value call;
};

/* `units`: as bill__round() takes them. They, and the CPU time, wrap around while calls are taken from parts. */
static void add_row(struct draft *draft, struct bill_key key, uint64_t count, uint64_t units, uint64_t cpu_ns)
{
	const size_t number = bill__row(draft->bill, &draft->numbers, &key);
	struct bill_row *row = &draft->bill->rows[number];

	row->count += count;
	row->wall_ns += units;
	row->cpu_ns += cpu_ns;
}

/* A program that is executed belongs to itself; a copy that a fork made, and its birth, to the program that forked. */
static struct bill_key key_of(enum tree_part part, uint32_t exe, bool executed)
{
	const bool forks = part == TREE_CREATE || (part == TREE_END && !executed);
	const bool starts = part == TREE_EXEC || part == TREE_LDSO || part == TREE_INIT || part == TREE_END;

	return (struct bill_key){ .exe = exe_position(exe), .executed = executed || forks, .nr = -1,
				  .kind = forks ? BILL_FORK : executed && starts ? BILL_START : BILL_CODE };
}

static void visit_row(void *context)
{
	struct draft *draft = context;
	const struct tree_key *key = &draft->key;
	const bool executed = key->executed && !key->maker;
	const uint32_t exe = key->maker ? key->maker : key->exe;
	const uint64_t images = draft->value.images;

	for (int part = 0; part < TREE_REAP; part++)
		if (draft->value.share[part] || draft->value.cpu[part])
			add_row(draft, key_of(part, exe, executed), 0, draft->value.share[part],
				draft->value.cpu[part]);
	add_row(draft, key_of(executed ? TREE_EXEC : TREE_CREATE, exe, executed), images, 0, 0);
	add_row(draft, key_of(TREE_WORK, exe, executed), images, 0, 0);
}

static void visit_call(void *context)
{
	struct draft *draft = context;
	const struct tree_call_key *key = &draft->call_key;
	struct bill_key call = { .exe = exe_position(key->exe), .executed = key->executed, .kind = BILL_CALL,
				 .nr = key->nr, .abi = key->abi, .error = key->error };

	if (key->part == TREE_COUNT)
		call.kind = BILL_ASLEEP;
	else
		add_row(draft, key_of(key->part, key->exe, key->executed), 0, -draft->call.share, -draft->call.cpu);
	add_row(draft, call, draft->call.calls, draft->call.share, draft->call.cpu);
}

/* Of the window in which threads were attached to: when all slept, and when some had no CPU. */
static void add_window(struct draft *draft, const struct forktax_bpf *skeleton)
{
	draft->bill->wall_ns = skeleton->bss->tree_stopped_ns - skeleton->bss->tree_begun_ns;
	add_row(draft, (struct bill_key){ .kind = BILL_READY, .exe = NO_EXE, .nr = -1 }, 0,
		skeleton->bss->tree_ready_ns << SHARE_BITS, 0);
}

/* Calls are by the clock alone, and what they are taken from is as the kernel counts it: it may be less. */
static void clear_negative(struct bill *bill)
{
	for (size_t i = 0; i < bill->count; i++)
		if ((int64_t)bill->rows[i].cpu_ns < 0)
			bill->rows[i].cpu_ns = 0;
}

void collect__bill(const struct forktax_bpf *skeleton, struct run *run)
{
	struct bill *bill = checked_calloc(1, sizeof(*bill));
	struct draft draft = { .bill = bill };

	bill->wall_ns = run->wall_ns;
	bill->cpu_ns = run->tree_times->cpu_ns;
	bill->unfinished = run->tree_times->unfinished;
	map_walk(skeleton->maps.tree_rows, &draft.key, &draft.value, visit_row, &draft);
	map_walk(skeleton->maps.tree_calls, &draft.call_key, &draft.call, visit_call, &draft);
	if (skeleton->rodata->attaches)
		add_window(&draft, skeleton);
	clear_negative(bill);
	if (bill__round(bill)) {
		run->bill = bill;
	} else {
		run__note(run, "where the time goes is not known: its parts are more than the clock");
		free(bill->rows);
		free(bill);
	}
	hash__release(&draft.numbers);
}
