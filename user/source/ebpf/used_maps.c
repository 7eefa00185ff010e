// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/used_maps.h"

#include <bpf/libbpf.h>
#include <stddef.h>

#include "forktax.skel.h"
#include "source/ebpf/programs.h"

#define AT(name) offsetof(struct forktax_bpf, maps.name)

/*
 * Those that not every run has, and what they serve: one of it is enough. The kernel refuses a program that uses a map
 * which was left out.
 */
static const struct {
	size_t at; /* in struct forktax_bpf */
	unsigned int serves; /* enum program_need */
} maps[] = {
	{ AT(page_writes), FOR_CLASSES | FOR_ANATOMY },
	{ AT(attached), FOR_ATTACHING },
	{ AT(latencies), FOR_TIMES },
	{ AT(recorders), FOR_ANATOMY | FOR_STACKS }, /* call stacks without the anatomy are those of a flow */
	{ AT(births), FOR_ANATOMY },
	{ AT(recording), FOR_ANATOMY },
	{ AT(details), FOR_ANATOMY },
	{ AT(mmaps), FOR_ANATOMY },
	{ AT(stack_works), FOR_STACKS },
	{ AT(stacks), FOR_STACKS },
	{ AT(call_stacks), FOR_STACKS },
	{ AT(raw_stacks), FOR_STACKS | FOR_FLOW },
	{ AT(flow_events), FOR_FLOW },
	{ AT(flow_fills), FOR_FLOW },
	{ AT(call_events), FOR_SINGLE_CALLS },
	{ AT(exec_notes), FOR_SINGLE_CALLS },
	{ AT(shells), FOR_LINES },
	{ AT(script_lines), FOR_LINES },
	{ AT(script_names), FOR_LINES },
	{ AT(script_commands), FOR_LINES },
	{ AT(make_children), FOR_LINES },
	{ AT(opened_files), FOR_LINES },
	{ AT(location_walks), FOR_LINES },
	{ AT(tree_threads), FOR_TREE },
	{ AT(tree_rows), FOR_TREE },
	{ AT(tree_calls), FOR_TREE },
	{ AT(tree_zombies), FOR_TREE },
	{ AT(executions), FOR_TREE },
	{ AT(shares), FOR_TREE },
	{ AT(share_lock), FOR_TREE },
	{ AT(path_events), FOR_PATH },
	{ AT(members), FOR_CGROUPS | FOR_UNITS },
	{ AT(joining), FOR_CGROUPS | FOR_UNITS },
	{ AT(watched_cgroups), FOR_CGROUPS | FOR_UNITS },
	{ AT(cgroup_globs), FOR_NEW_CGROUPS },
	{ AT(cgroup_places), FOR_NEW_CGROUPS },
	{ AT(units), FOR_UNITS },
	{ AT(unit_children), FOR_UNITS },
	{ AT(unit_paths), FOR_UNITS },
	{ AT(new_path), FOR_UNITS },
};

void used_maps__choose(struct forktax_bpf *skeleton, unsigned int there)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (!(maps[i].serves & there))
			bpf_map__set_autocreate(*(struct bpf_map **)((char *)skeleton + maps[i].at), false);
}
