// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arch.h"
#include "forktax.skel.h"

struct program {
	size_t at; /* in struct forktax_bpf */
	size_t events; /* whose events it takes: its own or those of another program; 0: neither */
	unsigned int needs; /* enum program_need */
	bool by_hand; /* attached when needed: an iterator, or on perf events; or an understudy */
	size_t array; /* in struct forktax_bpf: through which an understudy goes on as `events`; 0: none */
};

#define AT(name) offsetof(struct forktax_bpf, progs.name)
#define UNDERSTUDY(name, of, needs)                                                                \
	{ AT(name), AT(of), (needs) | ON_PREEMPTIBLE, true, offsetof(struct forktax_bpf, maps.of##_again) }
/* A program and its understudies: TRACE() in bpf/drift.h. */
#define WITH_UNDERSTUDIES(name, needs)                                                             \
	{ AT(on_##name), AT(on_##name), needs, false, 0 },                                         \
	UNDERSTUDY(understudy1_##name, on_##name, needs),                                          \
	UNDERSTUDY(understudy2_##name, on_##name, needs)

/* What opens the window of a fault: bpf/faults_MACHINE.bpf.c. */
#if ARCH_HAS_FAULT_TRACEPOINTS
#define FAULT_OPENERS                                                                              \
	WITH_UNDERSTUDIES(page_fault_user, FOR_CLASSES),                                           \
	WITH_UNDERSTUDIES(page_fault_kernel, FOR_CLASSES),
#else
#define FAULT_OPENERS { AT(on_fault_begin), AT(on_fault_begin), FOR_CLASSES, true, 0 },
#endif

static const struct program programs[] = {
	WITH_UNDERSTUDIES(sys_enter, 0),
	{ AT(forerunner1_sys_exit), AT(forerunner1_sys_exit), ON_PREEMPTIBLE, false, 0 },
	{ AT(forerunner2_sys_exit), AT(forerunner1_sys_exit), ON_PREEMPTIBLE, false, 0 },
	WITH_UNDERSTUDIES(sys_exit, FOR_GROUPS),
	WITH_UNDERSTUDIES(fork_return, FOR_UNITS),
	{ AT(report_running), 0, FOR_UNITS, true, 0 },
	{ AT(on_new_unit), 0, FOR_UNITS, false, 0 }, /* only notes a name */
	WITH_UNDERSTUDIES(sched_process_fork, 0),
	WITH_UNDERSTUDIES(task_newtask, 0),
	WITH_UNDERSTUDIES(sched_process_exec, 0),
	{ AT(on_sched_process_exit), AT(on_sched_process_exit), 0, false, 0 },
	{ AT(understudy1_sched_process_exit), AT(on_sched_process_exit), ON_PREEMPTIBLE, false, 0 },
	{ AT(understudy_notes_end), 0, ON_PREEMPTIBLE, false, 0 }, /* only notes the time */
	{ AT(on_mmap_lock_released), AT(on_mmap_lock_released), ON_LOCKS | ON_EARLY_EXITS, false, 0 },
	/* Its own look-ups take that lock, and these events it does miss. */
	{ AT(on_mmap_lock_start), 0, FOR_CLASSES | ON_LOCKS | ON_LATE_EXITS, false, 0 },
	{ AT(seed), 0, FOR_ATTACHING, true, 0 },
	{ AT(collect), 0, 0, true, 0 },
	{ AT(part), 0, FOR_CGROUPS, true, 0 },
	WITH_UNDERSTUDIES(newborn, FOR_NEWBORN),
	WITH_UNDERSTUDIES(cgroup_attach_task, FOR_CGROUPS),
	{ AT(on_cgroup_mkdir), AT(on_cgroup_mkdir), FOR_NEW_CGROUPS, false, 0 }, /* never two at a time */
	{ AT(on_cgroup_rmdir), AT(on_cgroup_rmdir), FOR_NEW_CGROUPS, false, 0 },
	{ AT(on_sched_switch), AT(on_sched_switch), FOR_TREE, false, 0 }, /* never preempted */
	FAULT_OPENERS
	{ AT(on_path_switch), AT(on_path_switch), FOR_PATH, false, 0 }, /* nor inside these two */
	{ AT(on_sched_waking), AT(on_sched_waking), FOR_PATH, false, 0 },
	WITH_UNDERSTUDIES(mm_page_alloc, FOR_CLASSES),
	WITH_UNDERSTUDIES(rss_stat, FOR_CLASSES),
	{ AT(on_fault_end), AT(on_fault_end), FOR_ANATOMY, true, 0 },
	WITH_UNDERSTUDIES(mm_filemap_map_pages, FOR_ANATOMY | ON_EXTENTS),
	{ AT(list_vmas), 0, FOR_ANATOMY, true, 0 },
	{ AT(find_direct_map), 0, FOR_CLASSES | ON_PAGE_TABLES, true, 0 },
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

_Static_assert(PROGRAMS * sizeof(struct bpf_program *) == sizeof(((struct forktax_bpf *)0)->progs),
	       "every program of bpf/ has a row");
_Static_assert(PROGRAMS <= sizeof(((struct understudies *)0)->links) / sizeof(int), "each may be an understudy");

static struct bpf_map *array_of(const struct forktax_bpf *skeleton, const struct program *row)
{
	return *(struct bpf_map *const *)((const char *)skeleton + row->array);
}

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
		if (programs[i].array)
			bpf_map__set_autocreate(array_of(skeleton, &programs[i]), bpf_program__autoload(program));
	}
}

/* libbpf 1.1 passes no cookie on for programs of tracepoints. */
static int attach_understudy(const struct bpf_program *program)
{
	union bpf_attr attr = {
		.link_create = { .prog_fd = bpf_program__fd(program), .attach_type = BPF_TRACE_RAW_TP,
				 .tracing.cookie = 1 }, /* RANK_OF() in bpf/drift.h */
	};

	return (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
}

static int start_understudy(const struct forktax_bpf *skeleton, const struct program *row)
{
	const __u32 first = 0;
	const int fd = bpf_program__fd(program_at(skeleton, row->events));

	if (bpf_map_update_elem(bpf_map__fd(array_of(skeleton, row)), &first, &fd, BPF_ANY))
		return -1;
	return attach_understudy(program_at(skeleton, row->at));
}

int programs__start_understudies(const struct forktax_bpf *skeleton, struct understudies *understudies)
{
	for (int i = 0; i < PROGRAMS; i++) {
		int link;

		if (!programs[i].array || !bpf_program__autoload(program_at(skeleton, programs[i].at)))
			continue;
		link = start_understudy(skeleton, &programs[i]);
		if (link < 0)
			return -errno;
		understudies->links[understudies->count++] = link;
	}
	return 0;
}

void programs__stop_understudies(struct understudies *understudies)
{
	while (understudies->count)
		close(understudies->links[--understudies->count]);
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

	if (bpf_program__fd(program) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
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

uint64_t programs__misses(const struct forktax_bpf *skeleton)
{
	uint64_t sum = 0;

	for (int i = 0; i < PROGRAMS; i++)
		if (programs[i].events == programs[i].at)
			sum += missed_by_all(skeleton, &programs[i]);
	return sum;
}
