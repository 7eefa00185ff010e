// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the time of the run goes: makes rows of the bill from the parts of the tree's times, and from its calls, which
 * are in these parts. Shares of the clock are numbers of 2^-SHARE_BITS ns until all rows are made: only then they are
 * rounded, so that the rows are the clock.
 */
#include <bpf/bpf.h>
#include <stdlib.h>

#include "forktax.skel.h"
#include "base/hash.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct amount {
	uint64_t units; /* of the clock; these two wrap around while calls are taken from parts */
	uint64_t cpu_ns;
};

/* At most 16 bytes, so that the table keeps it. */
struct row_key {
	uint32_t exe; /* as the kernel half numbers it */
	int32_t nr;
	uint16_t error;
	uint8_t kind, executed, abi, zero[3];
};

struct draft {
	struct bill *bill;
	struct amount *amounts; /* of the rows */
	struct hash numbers; /* of rows, by struct row_key */
	struct tree_key key;
	struct tree_value value;
	struct tree_call_key call_key;
	struct tree_call_value call;
};

static void add_row(struct draft *draft, struct row_key key, uint64_t count, struct amount amount)
{
	struct bill *bill = draft->bill;
	const uint64_t number = hash__number(&draft->numbers, &key, sizeof(key));

	if (number == bill->count) {
		bill->rows = checked_grow(bill->rows, number, sizeof(*bill->rows));
		draft->amounts = checked_grow(draft->amounts, number, sizeof(*draft->amounts));
		draft->amounts[number] = (struct amount){ 0 };
		bill->rows[bill->count++] = (struct bill_row){
			.kind = key.kind,
			.exe = exe_position(key.exe),
			.executed = key.executed,
			.call_nr = key.nr,
			.call_abi = key.abi,
			.error = key.error,
		};
	}
	bill->rows[number].count += count;
	draft->amounts[number].units += amount.units;
	draft->amounts[number].cpu_ns += amount.cpu_ns;
}

/* A program that is executed belongs to itself; a copy that a fork made, and its birth, to the program that forked. */
static struct row_key key_of(enum tree_part part, uint32_t exe, bool executed)
{
	struct row_key key = { .exe = exe, .executed = executed, .nr = -1, .kind = BILL_CODE };

	if (part == TREE_CREATE || (part == TREE_END && !executed))
		return (struct row_key){ .exe = exe, .executed = true, .nr = -1, .kind = BILL_FORK };
	if (executed && (part == TREE_EXEC || part == TREE_LDSO || part == TREE_INIT || part == TREE_END))
		key.kind = BILL_START;
	return key;
}

static void visit_row(void *context)
{
	struct draft *draft = context;
	const struct tree_key *key = &draft->key;
	const bool executed = key->executed && !key->maker;
	const uint32_t exe = key->maker ? key->maker : key->exe;
	const uint64_t images = draft->value.images;

	for (int part = 0; part < TREE_REAP; part++) {
		const struct amount amount = { draft->value.share[part], draft->value.cpu[part] };

		if (amount.units || amount.cpu_ns)
			add_row(draft, key_of(part, exe, executed), 0, amount);
	}
	add_row(draft, key_of(executed ? TREE_EXEC : TREE_CREATE, exe, executed), images, (struct amount){ 0 });
	add_row(draft, key_of(TREE_WORK, exe, executed), images, (struct amount){ 0 });
}

static void visit_call(void *context)
{
	struct draft *draft = context;
	const struct tree_call_key *key = &draft->call_key;
	const struct row_key call = { .exe = key->exe, .executed = key->executed, .kind = BILL_CALL, .nr = key->nr,
				      .abi = key->abi, .error = key->error };

	add_row(draft, key_of(key->part, key->exe, key->executed), 0,
		(struct amount){ -draft->call.share, -draft->call.cpu });
	add_row(draft, call, draft->call.calls, (struct amount){ draft->call.share, draft->call.cpu });
}

/* Calls are by the clock alone, and what they are taken from is as the kernel counts it: it may be less. */
static void clear_negative(struct draft *draft)
{
	for (size_t i = 0; i < draft->bill->count; i++)
		if ((int64_t)draft->amounts[i].cpu_ns < 0)
			draft->amounts[i].cpu_ns = 0;
}

/* False: the rows have more than the clock. What they have less is a row of its own. */
static bool round_rows(struct draft *draft)
{
	const uint64_t whole = draft->bill->wall_ns << SHARE_BITS, half = 1 << (SHARE_BITS - 1);
	uint64_t units = 0, ns = 0;

	for (size_t i = 0; i < draft->bill->count; i++)
		units += draft->amounts[i].units;
	if (units > whole)
		return false;
	add_row(draft, (struct row_key){ .kind = BILL_UNKNOWN, .nr = -1 }, 0,
		(struct amount){ .units = whole - units });
	units = half;
	for (size_t i = 0; i < draft->bill->count; i++) {
		units += draft->amounts[i].units;
		draft->bill->rows[i].wall_ns = (units >> SHARE_BITS) - ns;
		draft->bill->rows[i].cpu_ns = draft->amounts[i].cpu_ns;
		ns = units >> SHARE_BITS;
	}
	return true;
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
	clear_negative(&draft);
	if (round_rows(&draft)) {
		bill__sort(bill);
		run->bill = bill;
	} else {
		run__note(run, "where the time goes is not known: its parts are more than the clock");
		free(bill->rows);
		free(bill);
	}
	hash__release(&draft.numbers);
	free(draft.amounts);
}
