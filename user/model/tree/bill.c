// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tree/bill.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/rows/absent.h"

const char *const bill_kind_keys[BILL_KINDS] = {
	[BILL_FORK] = "fork",
	[BILL_START] = "start",
	[BILL_CALL] = "call",
	[BILL_CODE] = "code",
	[BILL_ASLEEP] = "asleep",
	[BILL_READY] = "ready",
	[BILL_DEVICE] = "device",
	[BILL_OTHERS] = "others",
	[BILL_UNKNOWN] = "unknown",
};

size_t bill__row(struct bill *bill, struct hash *numbers, const struct bill_key *key)
{
	const size_t number = hash__number(numbers, key, sizeof(*key));

	if (number < bill->count)
		return number;
	bill->rows = checked_grow(bill->rows, number, sizeof(*bill->rows));
	bill->rows[bill->count++] = (struct bill_row){
		.kind = key->kind,
		.exe = key->exe,
		.executed = key->executed,
		.call_nr = key->nr,
		.call_abi = key->abi,
		.error = key->error,
	};
	return number;
}

uint64_t bill__wall(const struct bill *bill)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bill->count; i++)
		sum += bill->rows[i].wall_ns;
	return sum;
}

bool bill__round(struct bill *bill)
{
	const uint64_t whole = bill->wall_ns << SHARE_BITS, most = bill__wall(bill);
	uint64_t units = 1 << (SHARE_BITS - 1), ns = 0;

	if (most > whole)
		return false;
	bill->rows = checked_grow(bill->rows, bill->count, sizeof(*bill->rows));
	bill->rows[bill->count++] = (struct bill_row){
		.kind = BILL_UNKNOWN, .exe = NO_EXE, .call_nr = -1, .wall_ns = whole - most,
	};
	for (size_t i = 0; i < bill->count; i++) {
		units += bill->rows[i].wall_ns;
		bill->rows[i].wall_ns = (units >> SHARE_BITS) - ns;
		ns = units >> SHARE_BITS;
	}
	bill__sort(bill);
	return true;
}

static const char *const sleeps[][2] = {
	{ "input", "accept accept4 read readv recvfrom recvmsg" },
	{ "input or a timer", "epoll_pwait epoll_pwait2 epoll_wait poll ppoll pselect6 select" },
	{ "a timer", "clock_nanosleep nanosleep" },
	{ "another thread", "futex" },
	{ "a signal", "pause rt_sigsuspend rt_sigtimedwait" },
	{ "a child", "wait4 waitid" },
};

const char *bill__sleeps_for(const char *call)
{
	for (size_t i = 0; i < sizeof(sleeps) / sizeof(sleeps[0]); i++)
		if (text__lists(sleeps[i][1], call, strlen(call)))
			return sleeps[i][0];
	return NULL;
}

/* Of tracing a call: with many faults a run has other reasons to take longer. */
static const double CALL_NS_MOST = 1600;

double bill__untraced(const struct bill_row *row, struct bill_scale scale, uint64_t ns)
{
	const double tracing = row->kind == BILL_CALL ? scale.call_ns * row->count : 0;
	const double left = !tracing ? 1 : row->cpu_ns > tracing ? 1 - tracing / row->cpu_ns : 0;

	return row->kind == BILL_DEVICE ? ns : ns * left * scale.factor;
}

struct bill_scale bill__scale(const struct bill *bill)
{
	struct bill_scale scale = { 0, 1 };
	uint64_t calls = 0;
	double sum = 0, device = 0;

	if (!bill->untraced_wall_ns)
		return scale;
	for (size_t i = 0; i < bill->count; i++)
		calls += bill->rows[i].kind == BILL_CALL ? bill->rows[i].count : 0;
	if (calls && bill->cpu_ns > bill->untraced_cpu_ns)
		scale.call_ns = (double)(bill->cpu_ns - bill->untraced_cpu_ns) / calls;
	if (scale.call_ns > CALL_NS_MOST)
		scale.call_ns = CALL_NS_MOST;
	for (size_t i = 0; i < bill->count; i++)
		*(bill->rows[i].kind == BILL_DEVICE ? &device : &sum) +=
			bill__untraced(&bill->rows[i], scale, bill->rows[i].wall_ns);
	if (sum > 0 && device < bill->untraced_wall_ns)
		scale.factor = (bill->untraced_wall_ns - device) / sum;
	return scale;
}

static const enum bill_kind kinds_of_parts[PATH_PARTS] = {
	[PATH_PART_CPU] = BILL_UNKNOWN,
	[PATH_PART_READY] = BILL_READY,
	[PATH_PART_DEVICE] = BILL_DEVICE,
	[PATH_PART_OTHERS] = BILL_OTHERS,
	[PATH_PART_UNKNOWN] = BILL_UNKNOWN,
};

static struct bill_row *unknown_row(struct bill *bill)
{
	for (size_t i = 0; i < bill->count; i++)
		if (bill->rows[i].kind == BILL_UNKNOWN)
			return &bill->rows[i];
	return NULL;
}

void bill__divide_waits(struct bill *bill, const uint64_t idle_ns[PATH_PARTS])
{
	for (int part = 0; part < PATH_PARTS; part++) {
		struct bill_row *unknown = unknown_row(bill), wait;

		if (!unknown || kinds_of_parts[part] == BILL_UNKNOWN || !idle_ns[part])
			continue;
		wait = *unknown;
		wait.kind = kinds_of_parts[part];
		wait.wall_ns = idle_ns[part] < unknown->wall_ns ? idle_ns[part] : unknown->wall_ns;
		unknown->wall_ns -= wait.wall_ns;
		bill->rows = checked_grow(bill->rows, bill->count, sizeof(*bill->rows));
		bill->rows[bill->count++] = wait;
	}
	bill__sort(bill);
}

static int by_wall(const void *left, const void *right)
{
	const struct bill_row *a = left, *b = right;

	if (a->wall_ns != b->wall_ns)
		return (a->wall_ns < b->wall_ns) - (a->wall_ns > b->wall_ns);
	return (a->cpu_ns < b->cpu_ns) - (a->cpu_ns > b->cpu_ns);
}

void bill__sort(struct bill *bill)
{
	if (bill->count)
		qsort(bill->rows, bill->count, sizeof(*bill->rows), by_wall);
}
