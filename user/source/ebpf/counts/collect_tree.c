// SPDX-License-Identifier: GPL-2.0-or-later
/* What the time of the tree of processes is spent on. */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "forktax.skel.h"
#include "base/hash.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct tree_walk {
	struct tree_times *times;
	struct tree_key key;
	struct tree_value value;
	struct hash numbers; /* of rows, by program */
};

static struct tree_row *row_of(struct tree_walk *walk)
{
	const uint32_t key[2] = { walk->key.exe, walk->key.executed };
	const uint64_t number = hash__number(&walk->numbers, key, sizeof(key));

	if (number == walk->times->count) {
		walk->times->rows = checked_grow(walk->times->rows, number, sizeof(*walk->times->rows));
		walk->times->rows[walk->times->count++] = (struct tree_row){
			.exe = exe_position(walk->key.exe),
			.executed = walk->key.executed,
		};
	}
	return &walk->times->rows[number];
}

/* Until a process executes its first program, its time is an entry of its own, and counts for that program. */
static void visit_row(void *context)
{
	struct tree_walk *walk = context;
	struct tree_row *row = row_of(walk);

	if (!walk->key.maker)
		row->images += walk->value.images;
	row->no_entry += walk->value.no_entry;
	row->reaped += walk->value.reaped;
	for (int part = 0; part < TREE_COUNT; part++) {
		row->cpu_ns[part] += walk->value.cpu[part];
		row->wall_ns[part] += walk->value.wall[part];
	}
}

static int by_cpu(const void *left, const void *right)
{
	const struct tree_row *a = left, *b = right;
	const uint64_t a_ns = tree_row__cpu(a), b_ns = tree_row__cpu(b);

	if (a_ns != b_ns)
		return (a_ns < b_ns) - (a_ns > b_ns);
	if (a->exe != b->exe)
		return (a->exe > b->exe) - (a->exe < b->exe);
	return a->executed - b->executed;
}

/* Parents are woken before their children run for the last time. */
static void wait_for_ends(const struct forktax_bpf *skeleton)
{
	const volatile struct forktax_bpf__bss *bss = skeleton->bss;

	for (int i = 0; i < 1000 && bss->tree_ending; i++)
		usleep(1000);
}

void collect__tree(const struct forktax_bpf *skeleton, struct run *run)
{
	struct tree_times *times = checked_calloc(1, sizeof(*times));
	struct tree_walk walk = { .times = times };

	wait_for_ends(skeleton);
	map_walk(skeleton->maps.tree_rows, &walk.key, &walk.value, visit_row, &walk);
	hash__release(&walk.numbers);
	if (times->count)
		qsort(times->rows, times->count, sizeof(*times->rows), by_cpu);
	times->cpu_ns = skeleton->bss->tree_ns;
	times->unfinished = skeleton->bss->tree_threads_left;
	times->left_out = skeleton->bss->tree_left_out;
	run->tree_times = times;
}
