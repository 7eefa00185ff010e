// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/units/units.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "forktax.skel.h"
#include "source/ebpf/attach.h"
#include "source/ebpf/programs.h"
#include "source/unit_reading.h"

/* Reads a map of the kernel half while programs add to it: many entries with each call. */

struct bpf_map;

enum { MAP_BATCH = 256 };

/* `keys` and `values`: room for MAP_BATCH of them. 0 or -errno. */
static int map_batches__read(const struct bpf_map *map, void *keys, size_t key_size, void *values, size_t value_size,
			     void (*add)(struct unit_reading *, const void *key, const void *value),
			     struct unit_reading *reading)
{
	uint64_t batch = 0; /* the kernel's place in the map */
	void *from = NULL;
	int err;

	do {
		__u32 count = MAP_BATCH;

		err = bpf_map_lookup_batch(bpf_map__fd(map), from, &batch, keys, values, &count, NULL);
		for (__u32 i = 0; (!err || err == -ENOENT) && i < count; i++)
			add(reading, (const char *)keys + i * key_size, (const char *)values + i * value_size);
		from = &batch;
	} while (!err);
	return err == -ENOENT ? 0 : err;
}

int units__create_other(const struct forktax_bpf *skeleton)
{
	const uint64_t other = 0;
	const struct unit_value value = { 0 };

	if (!skeleton->rodata->by_unit)
		return 0;
	return bpf_map__update_elem(skeleton->maps.units, &other, sizeof(other), &value, sizeof(value), BPF_ANY);
}

static void add_unit(struct unit_reading *reading, const void *key, const void *value)
{
	struct unit_count *unit;

	if (*(const uint64_t *)key == UNIT_OWN)
		return;
	reading->units = checked_grow(reading->units, reading->unit_count, sizeof(*reading->units));
	unit = &reading->units[reading->unit_count++];
	unit->cgroup = *(const uint64_t *)key;
	unit->value = *(const struct unit_value *)value;
}

static void add_kind(struct unit_reading *reading, const void *key, const void *value)
{
	struct unit_kind *kind;

	if (((const struct unit_child_key *)key)->unit == UNIT_OWN)
		return;
	reading->kinds = checked_grow(reading->kinds, reading->kind_count, sizeof(*reading->kinds));
	kind = &reading->kinds[reading->kind_count++];
	kind->key = *(const struct unit_child_key *)key;
	kind->children = *(const uint64_t *)value;
}

static void read_lost(const struct forktax_bpf *skeleton, struct unit_reading *reading)
{
	reading->lost[LOST_THREADS] = skeleton->bss->losses[LOSS_STORAGE_FAILURES];
	reading->lost[LOST_UPDATES] = skeleton->bss->losses[LOSS_MAP_FULL];
	reading->lost[LOST_MISSES] = programs__misses(skeleton);
	reading->lost[LOST_CALLS] = skeleton->bss->uncounted_calls;
}

static void read_passed(const struct forktax_bpf *skeleton, struct unit_reading *reading)
{
	for (int cpu = 0; cpu < PASSED_CPUS; cpu++)
		for (int event = 0; event < PASSED_COUNTS; event++)
			reading->passed[event] += skeleton->bss->passed[cpu][event];
}

int units__read(struct tracing *tracing, struct unit_reading *reading)
{
	struct forktax_bpf *skeleton = tracing->skeleton;
	struct unit_value *values = checked_calloc(MAP_BATCH, sizeof(*values));
	uint64_t keys[MAP_BATCH], children[MAP_BATCH];
	struct unit_child_key kinds[MAP_BATCH];
	long err = 0;

	if (skeleton->bss->armed) {
		skeleton->bss->look++;
		err = tracing__iterate(skeleton->progs.report_running);
	}
	if (err >= 0)
		err = map_batches__read(skeleton->maps.units, keys, sizeof(*keys), values, sizeof(*values), add_unit,
					reading);
	if (err >= 0)
		err = map_batches__read(skeleton->maps.unit_children, kinds, sizeof(*kinds), children,
					sizeof(*children), add_kind, reading);
	reading->look = skeleton->bss->look;
	read_lost(skeleton, reading);
	read_passed(skeleton, reading);
	free(values);
	return err < 0 ? (int)err : 0;
}

/* In one step, so that nothing is counted in between. */
static bool take(const struct bpf_map *map, const void *key, void *value)
{
	return !bpf_map_lookup_and_delete_elem(bpf_map__fd(map), key, value);
}

bool units__take(struct tracing *tracing, uint64_t cgroup, struct unit_value *value)
{
	return take(tracing->skeleton->maps.units, &cgroup, value);
}

bool units__take_kind(struct tracing *tracing, const struct unit_child_key *key, uint64_t *children)
{
	return take(tracing->skeleton->maps.unit_children, key, children);
}

void units__set_trial(struct tracing *tracing, enum unit_trial trial)
{
	tracing->skeleton->bss->trial = trial;
}

bool units__path(struct tracing *tracing, uint64_t cgroup, char *path, size_t size)
{
	struct unit_path found;

	if (bpf_map_lookup_elem(bpf_map__fd(tracing->skeleton->maps.unit_paths), &cgroup, &found) ||
	    !*found.path || strlen(found.path) >= size)
		return false;
	strcpy(path, found.path);
	return true;
}
