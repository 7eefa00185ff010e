// SPDX-License-Identifier: GPL-2.0-or-later
/* Marks the threads of running processes while threads are born and end. */
#include "source/ebpf/attach.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/cgroups.h"
#include "source/ebpf/anatomy/detail_reader.h"
#include "source/ebpf/calls/call_reader.h"
#include "source/ebpf/watch_cgroups.h"

long tracing__iterate(struct bpf_program *program)
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
	while ((got = read(fd, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)) {
		if (got > 0)
			printed += got;
	}
	if (got < 0)
		printed = -errno;
	close(fd);
	bpf_link__destroy(link);
	return printed;
}

/* The numbers of processes that were attached to, by pid or tgid. */
static struct bpf_map *attached_numbers(const struct tracing *tracing)
{
	return tracing__asks(tracing, ABILITY_CGROUPS) ? tracing->skeleton->maps.members
						       : tracing->skeleton->maps.attached;
}

static void end_if_missed(struct tracing *tracing, uint64_t id)
{
	struct bpf_map *map = tracing->skeleton->maps.processes;
	struct process_value value;

	if (bpf_map__lookup_elem(map, &id, sizeof(id), &value, sizeof(value), 0) || !value.seeding)
		return;
	value.seeding = value.live_threads = 0;
	bpf_map__update_elem(map, &id, sizeof(id), &value, sizeof(value), BPF_EXIST);
	__sync_fetch_and_add(&tracing->skeleton->bss->ended, 1);
	tracing->run->integrity.losses[LOSS_UNFINISHED]++;
	run__doubt(tracing->run, "process %d ended while forktax attached to it", value.pid);
}

/* Processes whose threads all ended during the search: nobody saw them end. */
static void end_the_missed(struct tracing *tracing)
{
	struct bpf_map *numbers = attached_numbers(tracing);
	uint32_t key, next, id;

	for (bool any = !bpf_map__get_next_key(numbers, NULL, &key, sizeof(key)); any; key = next) {
		any = !bpf_map__get_next_key(numbers, &key, &next, sizeof(next));
		if (!bpf_map__lookup_elem(numbers, &key, sizeof(key), &id, sizeof(id), 0))
			end_if_missed(tracing, id);
	}
}

/* What the processes have open; calls that they make meanwhile say the same, or newer things. */
static void look_at_descriptors(struct tracing *tracing)
{
	struct bpf_map *attached = tracing->skeleton->maps.attached;
	uint32_t pid, id;

	if (!tracing->calls)
		return;
	for (int err = bpf_map__get_next_key(attached, NULL, &pid, sizeof(pid)); !err;
	     err = bpf_map__get_next_key(attached, &pid, &pid, sizeof(pid)))
		if (!bpf_map__lookup_elem(attached, &pid, sizeof(pid), &id, sizeof(id), 0) && id)
			call_reader__look_at(tracing->calls, id, pid, 0);
}

/* They have ended since they were checked, or the task iterator does not show them. */
static void note_the_unfound(struct tracing *tracing)
{
	const struct source_request *request = tracing->request;

	for (size_t i = 0; i < request->pid_count; i++) {
		uint32_t pid = request->pids[i], id = 0;

		bpf_map__lookup_elem(tracing->skeleton->maps.attached, &pid, sizeof(pid), &id, sizeof(id), 0);
		if (!id)
			run__note(tracing->run, "process %d was not found: it is not in this report", request->pids[i]);
	}
}

/*
 * A thread that is not marked yet may create another, so passes go on until one finds nothing new.
 * Mappings are busy while a fork copies them; those that stay busy may hang in a file system. Each
 * pause is longer than the last, because on one CPU the fork goes on only in our pauses; together
 * they take about a second.
 */
static long mark_threads(struct tracing *tracing)
{
	enum { PAUSES = 10 };
	long found;

	tracing->skeleton->bss->patient = true;
	for (int pauses = 0;;) {
		tracing->skeleton->bss->left_out = 0;
		found = tracing__iterate(tracing->skeleton->progs.seed);
		if (found > 0)
			continue;
		if (found < 0 || !tracing->skeleton->bss->left_out || !tracing->skeleton->bss->patient)
			return found;
		usleep(1000u << pauses);
		if (++pauses < PAUSES)
			continue;
		tracing->skeleton->bss->patient = false;
		run__note(tracing->run, "the mappings of %llu threads stayed busy: calls and faults of "
				     "their dynamic linker may be counted as the program's until they call or fork",
			  (unsigned long long)tracing->skeleton->bss->left_out);
	}
}

/* Tells program `seed` which processes to look for. */
static int list_pids(struct tracing *tracing, const int32_t *pids, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t pid = pids[i], unborn = 0;
		int err;

		if (tracing->details)
			detail_reader__attach(tracing->details, pids[i]);
		err = bpf_map__update_elem(tracing->skeleton->maps.attached, &pid, sizeof(pid),
					   &unborn, sizeof(unborn), BPF_NOEXIST);
		if (err && err != -EEXIST)
			return err;
	}
	return 0;
}

/*
 * Those that were born between the list of pids and the marks of their makers; then their children,
 * until none of a generation had to be marked.
 */
static long mark_more(struct tracing *tracing)
{
	const struct source_request *request = tracing->request;
	const volatile __u64 *processes = &tracing->skeleton->bss->attached_processes;
	uint64_t before;
	long found = 0;

	do {
		size_t count = 0;
		int32_t *pids = request->more_pids(&count, request->more_context);

		before = *processes;
		found = list_pids(tracing, pids, count);
		if (!found)
			found = mark_threads(tracing);
		free(pids);
	} while (found >= 0 && *processes != before);
	return found;
}

/* Gives back what attaching held. */
static long release_processes(struct tracing *tracing)
{
	long found;

	tracing->skeleton->bss->releasing = true;
	found = tracing__iterate(tracing->skeleton->progs.seed);
	tracing->skeleton->bss->releasing = false;
	end_the_missed(tracing);
	return found;
}

long tracing__mark_members(struct tracing *tracing)
{
	long found = mark_threads(tracing);

	return found < 0 ? found : release_processes(tracing);
}

/*
 * Until none is left whose next event ends its counts at this moment. What `part` finds in its first pass is no
 * longer there in the next.
 */
static void part_with_members(struct tracing *tracing)
{
	struct forktax_bpf__bss *bss = tracing->skeleton->bss;

	bss->second_pass = false;
	if (tracing__iterate(tracing->skeleton->progs.part) <= 0)
		return;
	/* Programs that did not see the mark may still run: wait for an RCU grace period. */
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	bss->second_pass = true;
	tracing__iterate(tracing->skeleton->progs.part);
}

void tracing__follow_members(struct tracing *tracing)
{
	if (!tracing->members_left || !tracing->skeleton->bss->armed)
		return;
	tracing->members_left = false;
	part_with_members(tracing);
}

void tracing__note_uncounted(struct tracing *tracing)
{
	uint64_t calls = tracing->skeleton->bss->uncounted_calls;

	if (calls)
		run__doubt(tracing->run, "at least %" PRIu64 " system calls of threads that were entering a cgroup "
					 "are not counted", calls);
}

int tracing__attach(struct tracing *tracing, char **message)
{
	struct timespec time;
	long found;
	int err;

	tracing->skeleton->bss->armed = true;
	/* Times of processes are relative to this: here no execve of a command begins the run. */
	clock_gettime(CLOCK_MONOTONIC, &time);
	tracing->skeleton->bss->root_start_ns = time.tv_sec * 1000000000ull + time.tv_nsec;
	err = list_pids(tracing, tracing->request->pids, tracing->request->pid_count);
	if (!err)
		err = tracing__list_cgroups(tracing);
	found = err ? err : mark_threads(tracing);
	if (found >= 0 && tracing->request->more_pids)
		found = mark_more(tracing);
	if (found == -E2BIG)
		error__set(message, "too many %s at once: give a cgroup that contains them, with --cgroup",
			   tracing->request->cgroups->root ? "cgroups" : "processes");
	if (found < 0)
		return (int)found;
	found = release_processes(tracing);
	tracing->skeleton->bss->uncounted_calls = 0; /* until now nothing had to be counted */
	look_at_descriptors(tracing);
	note_the_unfound(tracing);
	return found < 0 ? (int)found : 0;
}
