// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pool/pool_watch_state.h"

enum { PAGES_MOST = 1 << 23 }; /* of all sets: 64 MiB */
enum { SPENT_SHARE = 20, SPENT_FIRST_NS = 200000000 };

struct pool_watch *pool_watch__new(void)
{
	struct pool_watch *watch = checked_calloc(1, sizeof(*watch));

	frames__open(&watch->frames);
	return watch;
}

void pool_watch__free(struct pool_watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < watch->count; i++) {
		page_set__release(&watch->list[i].before);
		page_set__release(&watch->list[i].after);
	}
	free(watch->list);
	frames__close(&watch->frames);
	free(watch);
}

static void read_set(struct pool_watch *watch, struct page_set *set, pid_t pid)
{
	if (watch->frames.counts.fd >= 0 && page_set__read(set, pid, &watch->frames, PAGES_MOST - watch->pages))
		watch->pages += set->count;
}

static void keep_name(struct watched *watched, pid_t pid)
{
	struct pool_process process;

	if (pool_process__read(&process, pid) && process.state != 'Z')
		memcpy(watched->name, process.name, sizeof(watched->name));
}

static void make_room(struct pool_watch *watch, const struct flow_log *log)
{
	while (watch->count < log->process_count) {
		watch->list = checked_grow(watch->list, watch->count, sizeof(*watch->list));
		watch->list[watch->count++] = (struct watched){
			.before.pss_anon = ABSENT, .after.pss_anon = ABSENT,
		};
	}
}

/* Has it memory of its own, that it shares with others? */
static bool is_wanted(const struct flow_log *log, uint32_t process)
{
	const struct flow_process *wanted = &log->processes[process];

	if (wanted->ended_ns != ABSENT || wanted->memory != process)
		return false;
	if (!wanted->pool || wanted->parent != FLOW_NONE)
		return true;
	for (size_t i = process + 1; i < log->process_count; i++)
		if (log->processes[i].parent == process)
			return true;
	return false;
}

/* All that are there when a pool is first seen are read; of those that come later, as many as time allows. */
static bool may_read(const struct pool_watch *watch, const struct flow_log *log, uint32_t pool)
{
	uint64_t passed = clock__now_ns() - log->begin_ns;

	if (watch->spent_ns < SPENT_FIRST_NS + passed / SPENT_SHARE)
		return true;
	for (size_t i = 0; i < watch->count; i++)
		if (log->processes[i].pool == pool && watch->list[i].look && watch->list[i].look < watch->looks)
			return false;
	return true;
}

/* On a busy machine reading takes longer, and costs no more. */
static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

void pool_watch__look(struct pool_watch *watch, const struct flow_log *log)
{
	make_room(watch, log);
	watch->looks++;
	frames__forget(&watch->frames);
	for (uint32_t i = 0; i < watch->count; i++) {
		const struct flow_process *process = &log->processes[i];
		struct watched *watched = &watch->list[i];
		uint64_t begin = cpu_ns();

		if (watched->look || !is_wanted(log, i))
			continue;
		watched->look = watch->looks;
		keep_name(watched, process->pid);
		if (may_read(watch, log, process->pool))
			read_set(watch, &watched->before, process->pid);
		watch->spent_ns += cpu_ns() - begin;
	}
}

void pool_watch__end(struct pool_watch *watch, const struct flow_log *log)
{
	pool_watch__look(watch, log);
	frames__forget(&watch->frames);
	for (uint32_t i = 0; i < watch->count; i++)
		if (is_wanted(log, i))
			read_set(watch, &watch->list[i].after, log->processes[i].pid);
	frames__release(&watch->frames); /* the state of the pool is read next, with tables of its own */
}
