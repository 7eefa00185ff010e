/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What detail_reader.c gathers while the run lasts, and detail_reader_finish.c turns into
 * run.anatomy. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_DETAIL_READER_STATE_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_DETAIL_READER_STATE_H

#include "model/run/run.h"
#include "source/ebpf/anatomy/object_names.h"
#include "source/ebpf/anatomy/recorded_process.h"
#include "source/ebpf/anatomy/row_table.h"
#include "source/ebpf/anatomy/snapshot.h"
#include "source/ebpf/fault_events.h"
#include "source/ebpf/stacks/stack_table.h"

/* A parent is looked at once, when its first child is born. */
struct parent_look {
	uint64_t child;
	struct snapshot snapshot;
};

/* Who had the contents of a got_page of the anatomy. */
struct page_users {
	uint64_t *processes;
	size_t count;
};

/* A recorded fork with the group (index of its group_value) of the child. */
struct grouped_fork {
	uint32_t group;
	struct fork_record record;
};

struct detail_reader {
	struct forktax_bpf *skeleton;
	struct run *run;
	struct fault_events timer;
	struct object_names *names;
	struct object_table objects;
	struct row_table rows;
	struct stack_table stacks;
	struct recorded_table recorded;
	struct sample *samples; /* by index of the group_value */
	size_t sample_count;
	struct grouped_fork *forks; /* group: GROUP_UNKNOWN until finish */
	size_t fork_count;
	struct parent_look *looks;
	size_t look_count;
	struct page_users *page_users; /* one per got_page */
	size_t page_user_count;
	uint64_t placeless; /* faults that found no row of their own */
	uint64_t got_pages_beyond; /* pages of slots, beyond the number that is kept */
};

/* What the forks of one group cost; all `count` (> 0) records are of that group. fork_costs.c */
struct fork_cost fork_cost__of(const struct grouped_fork *forks, size_t count);

void detail_reader__take_fork(struct detail_reader *reader, const struct fork_record *record);

#endif
