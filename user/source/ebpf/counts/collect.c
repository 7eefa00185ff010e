// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/counts/collect.h"

#include <bpf/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/anatomy/detail_reader.h"
#include "source/ebpf/calls/call_reader.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"
#include "source/ebpf/programs.h"

static void read_images(const struct forktax_bpf *skeleton, struct process *process, uint32_t image_count)
{
	const uint32_t listed = image_count < IMAGES_MOST ? image_count : IMAGES_MOST;
	int fd = bpf_map__fd(skeleton->maps.images);

	process->images_left_out = image_count - listed;
	for (uint64_t i = 0; i < listed; i++) {
		struct image_key key = { .process = process->id, .index = i };
		struct image_value value;
		struct image *image;

		if (bpf_map_lookup_elem(fd, &key, &value)) {
			process->images_left_out++;
			continue;
		}
		bpf_map_delete_elem(fd, &key);
		process->images = checked_grow(process->images, process->image_count, sizeof(*image));
		image = &process->images[process->image_count++];
		*image = (struct image){
			.exe = exe_position(value.exe),
			.kind = value.kind,
			.syscalls = value.counts.syscalls,
			.denied = value.counts.denied,
			.faults = value.counts.faults,
		};
	}
}

static void set_end(struct process *process, const struct process_value *value)
{
	process->finished = value->finished;
	process->status = process->finished && WIFEXITED(value->exit_code)
				  ? WEXITSTATUS(value->exit_code)
				  : -1;
	process->signal = process->finished && WIFSIGNALED(value->exit_code)
				  ? WTERMSIG(value->exit_code)
				  : 0;
}

static void add_process(const struct forktax_bpf *skeleton, struct run *run, const struct process_value *value)
{
	uint64_t origin = skeleton->bss->root_start_ns;
	struct process *process;

	run->processes = checked_grow(run->processes, run->process_count, sizeof(*process));
	process = &run->processes[run->process_count++];
	*process = (struct process){
		.id = value->id,
		.parent = value->parent,
		.pid = value->pid,
		.ppid = value->ppid,
		.ns_pid = value->ns_pid,
		.birth = value->birth,
		.shares_mm = value->shares_mm,
		.reparented = value->reparented,
		.threads = value->threads,
		.children = value->children,
		.start_ns = value->start_ns > origin ? value->start_ns - origin : 0,
		.end_ns = value->finished ? value->end_ns - origin : ABSENT,
		.minflt = value->minflt,
		.majflt = value->majflt,
		.wpcopy = value->wpcopy_known ? value->wpcopy : ABSENT,
		.group = value->group, /* a position only once the groups are known */
	};
	set_end(process, value);
	read_images(skeleton, process, value->images);
}

void collect__process(const struct forktax_bpf *skeleton, struct run *run, uint64_t id)
{
	int fd = bpf_map__fd(skeleton->maps.processes);
	struct process_value value;

	if (bpf_map_lookup_elem(fd, &id, &value) || !value.finished)
		return;
	add_process(skeleton, run, &value);
	bpf_map_delete_elem(fd, &id);
}

struct process_walk {
	const struct forktax_bpf *skeleton;
	struct run *run;
	uint64_t key;
	struct process_value value;
	uint64_t dropped;
};

static void visit_process(void *context)
{
	struct process_walk *walk = context;

	if (walk->value.kept)
		add_process(walk->skeleton, walk->run, &walk->value);
	/* By now its end, or the collection of what still ran, has counted its threads down. */
	if (!walk->value.kept || walk->value.live_threads)
		walk->dropped++;
}

/* Returns how many processes were lost. */
static uint64_t collect_processes(const struct forktax_bpf *skeleton, struct run *run)
{
	struct process_walk walk = { .skeleton = skeleton, .run = run };

	map_walk(skeleton->maps.processes, &walk.key, &walk.value, visit_process, &walk);
	if (walk.dropped)
		run__note(run, "the end of %llu processes was missed: their counts are missing",
			  (unsigned long long)walk.dropped);
	run__sort_processes(run);
	return walk.dropped;
}

struct exe_walk {
	const struct exe_paths *paths;
	struct run *run;
	struct exe_key key;
	struct exe_value value;
};

static void visit_exe(void *context)
{
	struct exe_walk *walk = context;
	const struct exe_value *value = &walk->value;
	const char *file = exe_paths__get(walk->paths, value->index, walk->key.ino);
	const char *seen = exe_paths__executed(walk->paths, value->index, walk->key.ino);
	const char *name = value->name_length > 1 ? value->name : seen ? seen : file;
	uint32_t position = exe_position(value->index);

	if (position >= walk->run->exe_count)
		return;
	walk->run->exes[position] = (struct exe){
		.path = name ? strdup(name) : NULL,
		.resolved = file && strcmp(file, name) != 0 ? strdup(file) : NULL,
		/* The kernel's own dev_t is major << 20 | minor. */
		.dev = makedev(walk->key.dev >> 20, walk->key.dev & 0xfffff),
		.ino = walk->key.ino,
		.has_interp = value->has_interp,
	};
}

static void collect_exes(const struct forktax_bpf *skeleton, const struct exe_paths *paths, struct run *run)
{
	struct exe_walk walk = { .paths = paths, .run = run };

	run->exe_count = skeleton->bss->last_exe;
	run->exes = checked_calloc(run->exe_count, sizeof(*run->exes));
	map_walk(skeleton->maps.exes, &walk.key, &walk.value, visit_exe, &walk);
	for (size_t i = 0; i < run->exe_count; i++)
		run->integrity.losses[LOSS_NAMELESS] += !run->exes[i].path;
}

static uint64_t unknown_calls(const struct syscall_table *table)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_row *row = &table->rows[i];

		if (!strncmp(row->name, "unknown(", 8))
			sum += syscall_row__sum(row->calls) + syscall_row__sum(row->denied);
	}
	return sum;
}

static void collect_integrity(const struct forktax_bpf *skeleton, struct run *run, uint64_t dropped)
{
	struct integrity *integrity = &run->integrity;

	for (int loss = 0; loss < LOSS_COUNT; loss++)
		integrity->losses[loss] += skeleton->bss->losses[loss];
	integrity->losses[LOSS_RECURSION_MISSES] = programs__misses(skeleton);
	integrity->losses[LOSS_UNKNOWN_SYSCALLS] = unknown_calls(&run->table);
	integrity->exact = integrity->exact && run__is_exact(run) && !dropped &&
			   !(run->all_processes && integrity->losses[LOSS_NAMELESS]);
}

void collect__run(const struct forktax_bpf *skeleton, const struct exe_paths *paths,
		  struct detail_reader *details, struct call_reader *calls, struct run *run)
{
	uint32_t *positions, count;
	uint64_t dropped;

	memcpy(run->totals, skeleton->bss->life, sizeof(run->totals));
	if (skeleton->bss->root_end_ns)
		run->wall_ns = skeleton->bss->root_end_ns - skeleton->bss->root_start_ns;
	collect_exes(skeleton, paths, run);
	dropped = collect_processes(skeleton, run);
	collect__groups(skeleton, run, &positions, &count);
	for (size_t i = 0; i < run->process_count; i++) {
		struct process *process = &run->processes[i];

		process->group = process->group < count ? positions[process->group] : NO_GROUP;
	}
	collect__calls(skeleton, run, positions, count);
	if (skeleton->rodata->lines_wanted)
		collect__lines(skeleton, run);
	if (skeleton->rodata->tree_wanted) {
		collect__tree(skeleton, run);
		collect__bill(skeleton, run);
		collect__executions(skeleton, run);
	}
	if (details)
		detail_reader__finish(details, positions, count);
	if (calls)
		call_reader__finish(calls, positions, count);
	free(positions);
	collect_integrity(skeleton, run, dropped);
}
