// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/reuse.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/membarrier.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "forktax.skel.h"
#include "source/ebpf/programs.h"
#include "source/source.h"

/* Of commands: what these need is in hash maps, rings, globals, and the shares of the clock: all can be emptied. */
#define REUSABLE                                                                                   \
	(SINGLE_CALLS | 1u << ABILITY_COMMAND | 1u << ABILITY_ALL_PROCESSES | 1u << ABILITY_FAULT_TOTALS | \
	 1u << ABILITY_FAULT_CLASSES | 1u << ABILITY_ANATOMY | 1u << ABILITY_STACKS | 1u << ABILITY_LINES | \
	 1u << ABILITY_TREE | 1u << ABILITY_PATH)

static struct {
	struct forktax_bpf *skeleton; /* NULL: none */
	uint32_t abilities; /* that they were loaded for */
} kept;

static void forget_entries(const struct bpf_map *map)
{
	const size_t size = bpf_map__key_size(map);
	void *key = checked_calloc(2, size), *next = (char *)key + size;
	int fd = bpf_map__fd(map), err = bpf_map_get_next_key(fd, NULL, next);

	while (!err) {
		memcpy(key, next, size);
		err = bpf_map_get_next_key(fd, key, next);
		bpf_map_delete_elem(fd, key);
	}
	free(key);
}

/* The only entry of an array. */
static void forget_value(const struct bpf_map *map)
{
	const uint32_t only = 0;
	void *none = checked_calloc(1, bpf_map__value_size(map));

	bpf_map_update_elem(bpf_map__fd(map), &only, none, BPF_ANY);
	free(none);
}

/*
 * False: programs may still run that had begun before they were detached. Rings have been read to their end. Map
 * page_writes stays: its times are before all that will be asked about. So does the gate, which goes with its task.
 */
static bool forget_all(struct forktax_bpf *skeleton)
{
	struct bpf_map *map;

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return false;
	bpf_object__for_each_map(map, skeleton->obj) {
		const enum bpf_map_type type = bpf_map__type(map);

		if (bpf_map__fd(map) >= 0 && (type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_LRU_HASH))
			forget_entries(map);
	}
	if (bpf_map__fd(skeleton->maps.shares) >= 0)
		forget_value(skeleton->maps.shares);
	memset(skeleton->bss, 0, sizeof(*skeleton->bss));
	return true;
}

/* What is loaded besides must be silent where nobody asks for it. */
static bool serves(const struct source_request *request)
{
	return !(request->abilities & ~kept.abilities) && !(kept.abilities & ~request->abilities & ~SINGLE_CALLS);
}

struct forktax_bpf *reuse__take(const struct source_request *request)
{
	struct forktax_bpf *skeleton = kept.skeleton;

	kept.skeleton = NULL;
	if (skeleton && serves(request) && forget_all(skeleton))
		return skeleton;
	forktax_bpf__destroy(skeleton);
	return NULL;
}

void reuse__give(struct forktax_bpf *skeleton, const struct source_request *request)
{
	if (kept.skeleton || request->abilities & ~REUSABLE || !programs__miss_nothing(skeleton)) {
		forktax_bpf__destroy(skeleton);
		return;
	}
	forktax_bpf__detach(skeleton);
	kept.skeleton = skeleton;
	kept.abilities = request->abilities | request->later;
}
