// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/ebpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "forktax.skel.h"
#include "source/ebpf/anatomy/recorder.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/diagnose.h"
#include "source/ebpf/drift.h"

static int on_message(void *context, void *data, size_t size)
{
	struct ebpf *ebpf = context;
	const struct message *message = data;

	if (size < sizeof(*message))
		return 0;
	if (message->kind == MESSAGE_EXE)
		exe_paths__look_up(ebpf->paths, message->id, message->pid,
				   ebpf->run->attached_count > 0);
	else if (message->kind == MESSAGE_ENDED && ebpf->all_processes)
		collect__process(ebpf->skeleton, ebpf->run, message->id);
	return 0;
}

/* Programs that only tell the classes of faults apart. */
static bool serves_classes(const char *name)
{
	return strstr(name, "page_fault") || strstr(name, "page_alloc") || strstr(name, "rss_stat");
}

/* Programs of the anatomy level. Not every supported kernel tells which pages a fault maps. */
static bool serves_anatomy(const char *name)
{
	return strstr(name, "fault_end") || strstr(name, "map_pages") || strstr(name, "list_vmas");
}

static bool is_supported(const char *name, const struct drift *drift)
{
	if (strstr(name, "mmap_lock"))
		return drift->tells_locks;
	return !strstr(name, "map_pages") || drift->tells_extents;
}

static void configure(struct forktax_bpf *skeleton, const struct trace_request *request,
		      const struct drift *drift, bool may_probe)
{
	bool classes = request->fault_level == FAULTS_CLASSES;
	struct bpf_program *program;

	skeleton->rodata->timed = request->timed;
	skeleton->rodata->keep_all = request->all_processes;
	skeleton->rodata->may_probe = may_probe;
	skeleton->rodata->preemptible = drift->preemptible;
	skeleton->rodata->sees_exit_mm = drift->tells_locks;
	skeleton->rodata->may_cast = drift->has_cast;
	skeleton->rodata->anatomy = request->anatomy;
	skeleton->rodata->record_full = ANATOMY_FULL;
	skeleton->rodata->record_every = ANATOMY_EVERY;
	skeleton->rodata->details_wakeup = ANATOMY_RING / 4;
	bpf_object__for_each_program(program, skeleton->obj) {
		const char *name = bpf_program__name(program);
		bool wanted = (classes || !serves_classes(name)) &&
			      (drift->preemptible || strncmp(name, "understudy", 10)) &&
			      (!serves_anatomy(name) || request->anatomy) && is_supported(name, drift);

		bpf_program__set_autoload(program, wanted);
	}
	bpf_program__set_autoload(skeleton->progs.seed, request->pid_count > 0);
	bpf_program__set_autoattach(skeleton->progs.seed, false);
	bpf_program__set_autoattach(skeleton->progs.collect, false);
	bpf_program__set_autoattach(skeleton->progs.list_vmas, false);
	bpf_program__set_autoattach(skeleton->progs.on_fault_end, false);
	if (request->anatomy)
		bpf_map__set_max_entries(skeleton->maps.details, ANATOMY_RING);
}

/*
 * A kernel locked down for confidentiality refuses bpf_probe_read_kernel. It is used for nothing
 * but file names, so the second try does without it.
 */
static int load(struct ebpf *ebpf, const struct trace_request *request)
{
	struct drift drift = drift__look();
	int err = 0;

	for (int may_probe = 1; may_probe >= 0; may_probe--) {
		ebpf->skeleton = forktax_bpf__open();
		if (!ebpf->skeleton)
			return -errno;
		configure(ebpf->skeleton, request, &drift, may_probe);
		err = forktax_bpf__load(ebpf->skeleton);
		if (!err)
			return 0;
		forktax_bpf__destroy(ebpf->skeleton);
		ebpf->skeleton = NULL;
		if (err != -EINVAL && err != -EPERM && err != -EACCES)
			return err;
	}
	return err;
}

/* Roots share one group, number 0, which the programs expect to find. */
static int create_root_group(struct forktax_bpf *skeleton)
{
	struct group_key key = { .birth = BIRTH_ROOT };
	struct group_value value = {};

	return bpf_map__update_elem(skeleton->maps.groups, &key, sizeof(key), &value, sizeof(value),
				    BPF_ANY);
}

int ebpf__open(struct ebpf *ebpf, const struct trace_request *request, struct run *run,
	       char **message)
{
	int err;

	memset(ebpf, 0, sizeof(*ebpf));
	ebpf->run = run;
	ebpf->all_processes = request->all_processes;
	diagnose__start();
	err = load(ebpf, request);
	if (!err)
		err = create_root_group(ebpf->skeleton);
	if (!err)
		err = forktax_bpf__attach(ebpf->skeleton);
	if (!err) {
		ebpf->ring = ring_buffer__new(bpf_map__fd(ebpf->skeleton->maps.messages), on_message,
					      ebpf, NULL);
		err = ebpf->ring ? 0 : -errno;
	}
	if (!err && request->anatomy) {
		ebpf->anatomy = anatomy_source__open(ebpf->skeleton, run);
		err = ring_buffer__add(ebpf->ring, bpf_map__fd(ebpf->skeleton->maps.details),
				       anatomy_source__take, ebpf->anatomy);
	}
	if (err) {
		*message = diagnose__load_failure(err);
		ebpf__close(ebpf);
		return -1;
	}
	ebpf->paths = exe_paths__new();
	return 0;
}

void ebpf__close(struct ebpf *ebpf)
{
	ring_buffer__free(ebpf->ring);
	anatomy_source__close(ebpf->anatomy);
	forktax_bpf__destroy(ebpf->skeleton);
	exe_paths__free(ebpf->paths);
	memset(ebpf, 0, sizeof(*ebpf));
}

int ebpf__mark(struct ebpf *ebpf, int pidfd)
{
	uint32_t marked = 1;

	ebpf->skeleton->bss->gate_closed = true;
	return bpf_map__update_elem(ebpf->skeleton->maps.gate, &pidfd, sizeof(pidfd), &marked,
				    sizeof(marked), BPF_NOEXIST);
}

/* Runs an iterator to its end. Returns the number of bytes that it printed, or -errno. */
static long iterate(struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	long printed = 0;
	char buffer[4096];
	ssize_t got;
	int fd;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0) {
		bpf_link__destroy(link);
		return fd;
	}
	while ((got = read(fd, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR))
		printed += got > 0 ? got : 0;
	if (got < 0)
		printed = -errno;
	close(fd);
	bpf_link__destroy(link);
	return printed;
}

/* Processes all of whose threads ended while we were looking for them: nobody saw them end. */
static void bury_the_missed(struct ebpf *ebpf)
{
	struct bpf_map *map = ebpf->skeleton->maps.processes;
	uint64_t last = ebpf->skeleton->bss->life[LIFE_PROCESSES];

	for (uint64_t id = 1; id <= last; id++) {
		struct process_value value;

		if (bpf_map__lookup_elem(map, &id, sizeof(id), &value, sizeof(value), 0) ||
		    !value.seeding)
			continue;
		value.seeding = value.live_threads = 0;
		bpf_map__update_elem(map, &id, sizeof(id), &value, sizeof(value), BPF_EXIST);
		__sync_fetch_and_add(&ebpf->skeleton->bss->ended, 1);
		ebpf->run->integrity.losses[LOSS_UNFINISHED]++;
		run__note(ebpf->run, "process %d ended while forktax attached to it", value.pid);
	}
}

/* Gone since they were checked, or hidden from the task iterator. */
static void note_the_unfound(struct ebpf *ebpf, const int32_t *pids, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t pid = pids[i], id = 0;

		bpf_map__lookup_elem(ebpf->skeleton->maps.attached, &pid, sizeof(pid), &id,
				     sizeof(id), 0);
		if (!id)
			run__note(ebpf->run, "process %d was not found: it is not in this report",
				  pids[i]);
	}
}

/*
 * A thread may be born by one that is not marked yet: until a pass finds no new one. Mappings are
 * busy for as long as a fork copies them; those that stay so may hang in a file system. Each pause is
 * longer than the last, as on one CPU the fork goes on in our pauses only; all take about a second.
 */
static long mark_threads(struct ebpf *ebpf)
{
	enum { PAUSES = 10 };
	long found;

	ebpf->skeleton->bss->patient = true;
	for (int pauses = 0;;) {
		ebpf->skeleton->bss->left_out = 0;
		found = iterate(ebpf->skeleton->progs.seed);
		if (found > 0)
			continue;
		if (found < 0 || !ebpf->skeleton->bss->left_out || !ebpf->skeleton->bss->patient)
			return found;
		usleep(1000u << pauses);
		if (++pauses < PAUSES)
			continue;
		ebpf->skeleton->bss->patient = false;
		run__note(ebpf->run, "the mappings of %llu threads stayed busy: what their dynamic "
				     "linker did may be counted as the program's",
			  (unsigned long long)ebpf->skeleton->bss->left_out);
	}
}

int ebpf__seed(struct ebpf *ebpf, const int32_t *pids, size_t count)
{
	struct timespec time;
	long found;

	/* What times of processes are relative to: here no execve of a command begins the run. */
	clock_gettime(CLOCK_MONOTONIC, &time);
	ebpf->skeleton->bss->root_start_ns = time.tv_sec * 1000000000ull + time.tv_nsec;
	for (size_t i = 0; i < count; i++) {
		uint32_t pid = pids[i], unborn = 0;
		int err;

		if (ebpf->anatomy)
			anatomy_source__attach(ebpf->anatomy, pids[i]);
		err = bpf_map__update_elem(ebpf->skeleton->maps.attached, &pid, sizeof(pid),
					       &unborn, sizeof(unborn), BPF_ANY);
		if (err)
			return err;
	}
	found = mark_threads(ebpf);
	ebpf->skeleton->bss->releasing = true;
	if (found >= 0)
		found = iterate(ebpf->skeleton->progs.seed);
	bury_the_missed(ebpf);
	note_the_unfound(ebpf, pids, count);
	return found;
}

void ebpf__arm(struct ebpf *ebpf)
{
	ebpf->skeleton->bss->armed = true;
}

int ebpf__ring_fd(const struct ebpf *ebpf)
{
	return ring_buffer__epoll_fd(ebpf->ring);
}

void ebpf__consume(struct ebpf *ebpf)
{
	ring_buffer__consume(ebpf->ring);
	if (ebpf->anatomy)
		anatomy_source__consume(ebpf->anatomy);
}

uint64_t ebpf__live(const struct ebpf *ebpf)
{
	const volatile struct forktax_bpf__bss *bss = ebpf->skeleton->bss;

	return bss->life[LIFE_PROCESSES] - bss->ended;
}

/*
 * Exits that are under way, or were missed, are made up for when the kernel frees the tasks; and a
 * thread that stops counting at this moment can be collected only after it.
 */
static void collect_all(const struct ebpf *ebpf)
{
	const volatile struct forktax_bpf__bss *bss = ebpf->skeleton->bss;

	for (int i = 0; i <= 100; i++) {
		if (i)
			usleep(10000);
		if (iterate(ebpf->skeleton->progs.collect) < 0) {
			run__note(ebpf->run, "running processes could not be collected: %s",
				  strerror(errno));
			return;
		}
		if (ebpf__live(ebpf) <= bss->collected)
			return;
	}
}

void ebpf__disarm(struct ebpf *ebpf)
{
	if (!ebpf->skeleton->bss->armed)
		return;
	ebpf->skeleton->bss->stopped = true;
	ebpf->skeleton->bss->armed = false;
	if (ebpf__live(ebpf)) {
		/* Programs that saw it armed may still run: wait for an RCU grace period. */
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		collect_all(ebpf);
	}
	ebpf__consume(ebpf);
}

void ebpf__read(struct ebpf *ebpf)
{
	collect__run(ebpf->skeleton, ebpf->paths, ebpf->anatomy, ebpf->run);
}
