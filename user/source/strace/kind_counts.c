// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/kind_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"
#include "model/run/call_errors.h"
#include "model/words/syscall_names.h"

static const struct {
	const char *name;
	enum call_role role;
} roles[] = {
	{ "fork", CALL_FORK },	     { "vfork", CALL_FORK },	   { "clone", CALL_FORK },
	{ "clone2", CALL_FORK },     { "clone3", CALL_FORK },	   { "execve", CALL_EXEC },
	{ "execveat", CALL_EXEC },   { "execv", CALL_EXEC },	   { "exit_group", CALL_EXIT },
	{ "_exit", CALL_THREAD_EXIT }, { "exit", CALL_THREAD_EXIT },
};

static enum call_role role_of(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(roles[i].name, name))
			return roles[i].role;
	return CALL_PLAIN;
}

/* "syscall_0x1f3"; until 4.14 "syscall_499", and in 4.5 "SYS_499". */
static bool read_number(const char *name, uint64_t *nr)
{
	const char *digits = !strncmp(name, "syscall_", 8) ? name + 8 : !strncmp(name, "SYS_", 4) ? name + 4 : NULL;
	char *end;

	if (!digits || !*digits)
		return false;
	*nr = strtoull(digits, &end, 0);
	return !*end;
}

/* Those of MIPS go up to 6999; x32's have a bit of their own, and ARM has a few at 0xf0000. */
static bool is_impossible(uint64_t nr)
{
	return nr >= 8192 && nr >> 13 != 0x40000000 >> 13 && nr >> 4 != 0xf0000 >> 4;
}

static struct call_kind *new_kind(const char *name, size_t length, enum abi abi)
{
	struct call_kind *kind = checked_calloc(1, sizeof(*kind));
	uint64_t number;

	*kind = (struct call_kind){
		.name = checked(strndup(name, length)),
		.abi = abi,
		.nr = -1,
	};
	kind->is_numbered = read_number(kind->name, &number);
	if (kind->is_numbered) {
		kind->nr = (int32_t)number;
		kind->is_impossible = is_impossible(number);
		text__replace(&kind->name, "unknown(%d)", kind->nr);
	}
	kind->known_nr = syscall_number(abi, kind->name);
	kind->role = role_of(kind->name);
	return kind;
}

struct call_kind *call_kinds__find(struct call_kinds *kinds, const char *name, size_t length, enum abi abi)
{
	struct hash *of_abi = &kinds->by_name[abi];
	const union hash_value *known = hash__find(of_abi, name, length);
	struct call_kind *kind;

	if (known)
		return known->pointer;
	if (kinds->count == CALL_KINDS_MOST)
		return NULL;
	kind = new_kind(name, length, abi);
	known = hash__find(of_abi, kind->name, strlen(kind->name));
	if (known) {
		free(kind->name);
		free(kind);
		return known->pointer;
	}
	kind->index = kinds->count;
	kinds->list = checked_grow(kinds->list, kinds->count, sizeof(*kinds->list));
	kinds->list[kinds->count++] = kind;
	hash__get(of_abi, kind->name, strlen(kind->name))->pointer = kind;
	return kind;
}

void call_kinds__free(struct call_kinds *kinds)
{
	for (size_t i = 0; i < kinds->count; i++) {
		durations__free(&kinds->list[i]->durations);
		free(kinds->list[i]->reasons);
		hash__release(&kinds->list[i]->by_name);
		free(kinds->list[i]->name);
		free(kinds->list[i]);
	}
	for (size_t i = 0; i < kinds->reason_count; i++)
		free(kinds->reasons[i].name);
	free(kinds->reasons);
	for (int abi = 0; abi < ABI_COUNT; abi++)
		hash__release(&kinds->by_name[abi]);
	free(kinds->list);
}

struct call_sum *kind_counts__of(struct kind_counts *counts, const struct call_kind *kind)
{
	size_t room = counts->room;

	if (kind->index < room)
		return &counts->of[kind->index];
	counts->room = kind->index + 4; /* each process that lives has such a table */
	counts->of = checked(reallocarray(counts->of, counts->room, sizeof(*counts->of)));
	memset(counts->of + room, 0, (counts->room - room) * sizeof(*counts->of));
	return &counts->of[kind->index];
}

static uint32_t find_reason(struct call_kinds *kinds, struct call_kind *kind, const char *name, size_t length)
{
	const union hash_value *known = hash__find(&kind->by_name, name, length);
	char *copy;

	if (known)
		return known->number;
	copy = checked(strndup(name, length));
	hash__get(&kind->by_name, copy, length)->number = kinds->reason_count;
	kinds->reasons = checked_grow(kinds->reasons, kinds->reason_count, sizeof(*kinds->reasons));
	kinds->reasons[kinds->reason_count] = (struct call_reason){
		.kind = kind, .name = copy,
	};
	kind->reasons = checked_grow(kind->reasons, kind->reason_count, sizeof(*kind->reasons));
	kind->reasons[kind->reason_count++] = kinds->reason_count;
	return kinds->reason_count++;
}

static uint64_t *failed_of(struct kind_counts *counts, uint32_t reason)
{
	size_t room = counts->failed_room;

	if (reason >= room) {
		counts->failed_room = reason + 32;
		counts->failed = checked(reallocarray(counts->failed, counts->failed_room, sizeof(*counts->failed)));
		memset(counts->failed + room, 0, (counts->failed_room - room) * sizeof(*counts->failed));
	}
	return &counts->failed[reason];
}

void kind_counts__add_error(struct kind_counts *counts, struct call_kinds *kinds, struct call_kind *kind,
			    const char *name, size_t length)
{
	static const char others[] = "other errors";

	if (kinds->reason_count >= CALL_REASONS_MOST) {
		name = others;
		length = strlen(others);
	}
	kind_counts__of(counts, kind)->errors++;
	++*failed_of(counts, find_reason(kinds, kind, name, length));
}

void kind_counts__add(struct kind_counts *sum, const struct kind_counts *more)
{
	for (uint32_t i = 0; i < more->room; i++) {
		const struct call_sum *count = &more->of[i];
		struct call_sum *to;

		if (!count->calls && !count->errors)
			continue;
		to = kind_counts__of(sum, &(struct call_kind){ .index = i });
		to->calls += count->calls;
		to->errors += count->errors;
		to->unfinished += count->unfinished;
		to->time_ns += count->time_ns;
	}
	for (uint32_t i = 0; i < more->failed_room; i++)
		if (more->failed[i])
			*failed_of(sum, i) += more->failed[i];
}

void kind_counts__free(struct kind_counts *counts)
{
	free(counts->of);
	free(counts->failed);
	*counts = (struct kind_counts){ 0 };
}

static void add_errnos(struct syscall_row *row, const struct call_kind *kind,
		       const struct kind_counts *counts, const struct call_kinds *kinds)
{
	for (size_t i = 0; i < kind->reason_count; i++) {
		uint32_t reason = kind->reasons[i];

		if (reason < counts->failed_room && counts->failed[reason])
			syscall_row__add_errno(row, kinds->reasons[reason].name, (enum actor)ACTOR_UNKNOWN,
					       counts->failed[reason]);
	}
	syscall_row__sort_errnos(row);
}

void kind_counts__table(const struct kind_counts *counts, const struct call_kinds *kinds, struct syscall_table *table)
{
	for (size_t i = 0; i < counts->room && i < kinds->count; i++) {
		const struct call_kind *kind = kinds->list[i];
		const struct call_sum *count = &counts->of[i];

		if (!count->calls)
			continue;
		table->rows = checked_grow(table->rows, table->count, sizeof(*table->rows));
		table->rows[table->count++] = (struct syscall_row){
			.name = checked_strdup(kind->name),
			.abi = kind->abi,
			.nr = kind->nr,
			.calls = { [ACTOR_UNKNOWN] = count->calls },
			.errors = { [ACTOR_UNKNOWN] = count->errors },
			.unfinished = { [ACTOR_UNKNOWN] = count->unfinished },
			.time_ns = { [ACTOR_UNKNOWN] = count->time_ns },
			.min_ns = ABSENT,
			.max_ns = ABSENT,
			.p99_ns = ABSENT,
		};
		add_errnos(&table->rows[table->count - 1], kind, counts, kinds);
	}
	syscall_table__sort(table);
}

void call_kinds__times(struct call_kinds *kinds, struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		struct syscall_row *row = &table->rows[i];
		struct call_kind *kind = call_kinds__find(kinds, row->name, strlen(row->name), row->abi);

		if (kind)
			durations__fill(&kind->durations, row);
	}
}
