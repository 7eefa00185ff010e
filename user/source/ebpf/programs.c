// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arch.h"
#include "forktax.skel.h"

struct program {
	size_t at; /* in struct forktax_bpf */
	size_t events; /* whose events it takes: its own or those of another program; 0: neither */
	unsigned int needs; /* enum program_need */
	bool by_hand; /* attached when needed: an iterator, or on perf events */
};

#define AT(name) offsetof(struct forktax_bpf, progs.name)
#define UNDERSTUDY(name, of, needs) { AT(name), AT(of), (needs) | ON_PREEMPTIBLE, false }
/* A program defined by TRACE() in bpf/drift.h. */
#define TRACED(hook, needs)                                                                        \
	{ AT(on_##hook), AT(on_##hook), needs, false },                                            \
	UNDERSTUDY(understudy1_##hook, on_##hook, needs),                                          \
	UNDERSTUDY(understudy2_##hook, on_##hook, needs)

/* What opens the window of a fault: bpf/faults_MACHINE.bpf.c. */
#if ARCH_HAS_FAULT_TRACEPOINTS
#define FAULT_OPENERS TRACED(page_fault_user, FOR_CLASSES), TRACED(page_fault_kernel, FOR_CLASSES),
#else
#define FAULT_OPENERS { AT(on_fault_begin), AT(on_fault_begin), FOR_CLASSES, true },
#endif

static const struct program programs[] = {
	TRACED(sys_enter, 0),
	{ AT(forerunner1_sys_exit), AT(forerunner1_sys_exit), ON_PREEMPTIBLE, false },
	{ AT(forerunner2_sys_exit), AT(forerunner1_sys_exit), ON_PREEMPTIBLE, false },
	TRACED(sys_exit, FOR_GROUPS),
	{ AT(on_fork_return), AT(on_fork_return), FOR_UNITS, false },
	UNDERSTUDY(understudy1_fork_return, on_fork_return, FOR_UNITS),
	UNDERSTUDY(understudy2_fork_return, on_fork_return, FOR_UNITS),
	{ AT(report_running), 0, FOR_UNITS, true },
	{ AT(on_new_unit), 0, FOR_UNITS, false }, /* only notes a name */
	TRACED(sched_process_fork, 0),
	TRACED(task_newtask, 0),
	TRACED(sched_process_exec, 0),
	{ AT(on_sched_process_exit), AT(on_sched_process_exit), 0, false },
	UNDERSTUDY(understudy1_sched_process_exit, on_sched_process_exit, 0),
	{ AT(understudy_notes_end), 0, ON_PREEMPTIBLE, false }, /* only notes the time */
	{ AT(on_mmap_lock_released), AT(on_mmap_lock_released), ON_LOCKS | ON_EARLY_EXITS, false },
	/* Its own look-ups take that lock, and these events it does miss. */
	{ AT(on_mmap_lock_start), 0, FOR_CLASSES | ON_LOCKS | ON_LATE_EXITS, false },
	{ AT(seed), 0, FOR_ATTACHING, true },
	{ AT(end_window), 0, FOR_TREE | FOR_ATTACHING, true },
	{ AT(collect), 0, 0, true },
	{ AT(part), 0, FOR_CGROUPS, true },
	{ AT(on_newborn), AT(on_newborn), FOR_NEWBORN, false },
	UNDERSTUDY(understudy1_newborn, on_newborn, FOR_NEWBORN),
	UNDERSTUDY(understudy2_newborn, on_newborn, FOR_NEWBORN),
	TRACED(cgroup_attach_task, FOR_CGROUPS),
	{ AT(on_cgroup_mkdir), AT(on_cgroup_mkdir), FOR_NEW_CGROUPS, false }, /* never two at a time */
	{ AT(on_cgroup_rmdir), AT(on_cgroup_rmdir), FOR_NEW_CGROUPS, false },
	FAULT_OPENERS
	/* No thread is preempted inside these two. */
	{ AT(on_sched_switch), AT(on_sched_switch), FOR_TREE, false },
	{ AT(on_sched_waking), AT(on_sched_waking), FOR_WAKES, false },
	TRACED(mm_page_alloc, FOR_CLASSES),
	TRACED(rss_stat, FOR_CLASSES),
	{ AT(on_fault_end), AT(on_fault_end), FOR_ANATOMY, true },
	TRACED(mm_filemap_map_pages, FOR_ANATOMY | ON_EXTENTS),
	{ AT(list_vmas), 0, FOR_ANATOMY, true },
	{ AT(find_direct_map), 0, FOR_CLASSES | ON_PAGE_TABLES, true },
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

_Static_assert(PROGRAMS * sizeof(struct bpf_program *) == sizeof(((struct forktax_bpf *)0)->progs),
	       "every program of bpf/ has a row");

static struct bpf_program *program_at(const struct forktax_bpf *skeleton, size_t at)
{
	return *(struct bpf_program *const *)((const char *)skeleton + at);
}

void programs__choose(struct forktax_bpf *skeleton, unsigned int there)
{
	for (int i = 0; i < PROGRAMS; i++) {
		struct bpf_program *program = program_at(skeleton, programs[i].at);

		bpf_program__set_autoload(program, !(programs[i].needs & ~there));
		bpf_program__set_autoattach(program, !programs[i].by_hand);
	}
}

const struct bpf_program *programs__fault_begin(const struct forktax_bpf *skeleton)
{
#if ARCH_HAS_FAULT_TRACEPOINTS
	return NULL;
#else
	return bpf_program__autoload(skeleton->progs.on_fault_begin) ? skeleton->progs.on_fault_begin : NULL;
#endif
}

static uint64_t misses_of(const struct bpf_program *program)
{
	struct bpf_prog_info info = {};
	__u32 size = sizeof(info);

	if (bpf_program__fd(program) < 0 || bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
		return 0;
	return info.recursion_misses;
}

/* How many events the program of a row and all its understudies missed, at most. */
static uint64_t missed_by_all(const struct forktax_bpf *skeleton, const struct program *row)
{
	uint64_t least = misses_of(program_at(skeleton, row->at));

	for (int i = 0; least && i < PROGRAMS; i++) {
		const struct bpf_program *program = program_at(skeleton, programs[i].at);

		if (programs[i].events == row->at && bpf_program__autoload(program)) {
			uint64_t misses = misses_of(program);

			least = misses < least ? misses : least;
		}
	}
	return least;
}

bool programs__miss_nothing(const struct forktax_bpf *skeleton)
{
	uint64_t sum = 0;

	for (int i = 0; i < PROGRAMS; i++)
		sum += misses_of(program_at(skeleton, programs[i].at));
	return !sum;
}

uint64_t programs__misses(const struct forktax_bpf *skeleton)
{
	uint64_t sum = 0;

	for (int i = 0; i < PROGRAMS; i++)
		if (programs[i].events == programs[i].at)
			sum += missed_by_all(skeleton, &programs[i]);
	return sum;
}
