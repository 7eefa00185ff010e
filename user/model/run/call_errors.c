// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/call_errors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/words/errno_names.h"

const char *const call_status_keys[CALL_STATUS_COUNT] = {
	[STATUS_SUCCESSFUL] = "successful",
	[STATUS_FAILED] = "failed",
	[STATUS_UNFINISHED] = "unfinished",
};

static struct call_errno *find_or_add(struct syscall_row *row, const char *name)
{
	struct call_errno *error;

	for (size_t i = 0; i < row->errno_count; i++)
		if (!strcmp(row->errnos[i].name, name))
			return &row->errnos[i];
	row->errnos = checked_grow(row->errnos, row->errno_count, sizeof(*row->errnos));
	error = &row->errnos[row->errno_count++];
	*error = (struct call_errno){ .name = checked_strdup(name) };
	return error;
}

void syscall_row__add_errno(struct syscall_row *row, const char *name, enum actor actor, uint64_t calls)
{
	find_or_add(row, name)->calls[actor] += calls;
}

void syscall_row__add_error(struct syscall_row *row, int number, enum actor actor, uint64_t calls)
{
	const char *known = errno_name(number);
	char *name = known ? NULL : text__of("errno %d", number);

	syscall_row__add_errno(row, known ? known : name, actor, calls);
	free(name);
}

void syscall_row__add_errnos(struct syscall_row *sum, const struct syscall_row *more)
{
	for (size_t i = 0; i < more->errno_count; i++)
		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			syscall_row__add_errno(sum, more->errnos[i].name, actor, more->errnos[i].calls[actor]);
}

static int by_calls(const void *left, const void *right)
{
	const struct call_errno *a = left, *b = right;
	uint64_t of_a = syscall_row__sum(a->calls), of_b = syscall_row__sum(b->calls);

	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	return strcmp(a->name, b->name);
}

void syscall_row__sort_errnos(struct syscall_row *row)
{
	if (row->errno_count) /* qsort() wants no NULL, not even for nothing */
		qsort(row->errnos, row->errno_count, sizeof(*row->errnos), by_calls);
}

void syscall_row__release_errnos(struct syscall_row *row)
{
	for (size_t i = 0; i < row->errno_count; i++)
		free(row->errnos[i].name);
	free(row->errnos);
	row->errnos = NULL;
	row->errno_count = 0;
}

uint64_t syscall_row__explained(const struct syscall_row *row, enum actor actor)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < row->errno_count; i++)
		sum += row->errnos[i].calls[actor];
	return sum;
}

bool syscall_row__ends_thread(const struct syscall_row *row)
{
	return !strcmp(row->name, "exit") || !strcmp(row->name, "exit_group");
}

uint64_t syscall_row__ended(const struct syscall_row *row, enum actor actor, enum call_status status)
{
	switch (status) {
	case STATUS_FAILED:
		return row->errors[actor];
	case STATUS_UNFINISHED:
		return row->unfinished[actor];
	default:
		return row->calls[actor] - row->errors[actor] - row->unfinished[actor];
	}
}
