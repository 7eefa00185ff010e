// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/break_ring.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/arch.h"
#include "base/quantile.h"
#include "base/text.h"

enum { TRIES = 101 };

/* A header page and a page of records. */
static size_t ring_size(void)
{
	return 2 * sysconf(_SC_PAGESIZE);
}

void *break_ring__open(pid_t thread, uint64_t address, bool from_exec)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attributes),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = address,
		.bp_len = ARCH_BREAKPOINT_BYTES,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME,
		.disabled = from_exec,
		.enable_on_exec = from_exec,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	int fd = syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
	void *ring;
	int error;

	if (fd < 0)
		return NULL;
	ring = mmap(NULL, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	error = errno;
	close(fd); /* the mapping keeps it */
	errno = error;
	return ring == MAP_FAILED ? NULL : ring;
}

void break_ring__close(void *ring)
{
	if (ring)
		munmap(ring, ring_size());
}

size_t break_ring__times(const void *ring, double *times, size_t most)
{
	const struct perf_event_mmap_page *head = ring;
	const size_t page = sysconf(_SC_PAGESIZE);
	size_t end, count = 0;

	if (!ring)
		return 0;
	end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	/* A full ring drops new records, so the first ones are never overwritten. */
	for (size_t at = 0; at < end && count < most;) {
		struct {
			struct perf_event_header header;
			uint64_t time;
		} record;

		if (at + sizeof(record) > page)
			break;
		memcpy(&record, (const char *)ring + page + at, sizeof(record));
		if (record.header.type == PERF_RECORD_SAMPLE)
			times[count++] = record.time;
		if (!record.header.size)
			break;
		at += record.header.size;
	}
	return count;
}

/* Its first instruction is watched. */
__attribute__((noinline)) static void watched(void)
{
	__asm__ volatile("" ::: "memory");
}

static void outlive(int signal)
{
	(void)signal;
}

/* Returns how many calls of watched() were recorded; `before` and `after` are by our own clock. */
static size_t call_watched(double before[TRIES], double after[TRIES], double times[TRIES])
{
	void *ring = break_ring__open(0, (uintptr_t)watched, false);
	size_t count;

	for (int i = 0; ring && i < TRIES; i++) {
		before[i] = clock__now_ns();
		watched();
		after[i] = clock__now_ns();
	}
	count = break_ring__times(ring, times, TRIES);
	break_ring__close(ring);
	return count;
}

int break_ring__calibrate(struct break_cost *cost, char **reason)
{
	/* A breakpoint that the kernel has lost track of raises SIGTRAP; then none are counted. */
	const struct sigaction outliving = { .sa_handler = outlive };
	double before[TRIES], after[TRIES], times[TRIES];
	struct sigaction usual;
	size_t count;

	sigaction(SIGTRAP, &outliving, &usual);
	errno = 0;
	count = call_watched(before, after, times);
	sigaction(SIGTRAP, &usual, NULL);
	if (count < TRIES)
		return error__set(reason, "no breakpoints in debug registers: %s",
				  errno ? strerror(errno) : "some are passed without an event");
	for (int i = 0; i < TRIES; i++) {
		before[i] = times[i] - before[i];
		after[i] -= times[i];
	}
	*cost = (struct break_cost){ quantile__median(before, TRIES), quantile__median(after, TRIES) };
	return 0;
}
