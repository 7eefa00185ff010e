// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "saved/json_read.h"

static bool is_actor(const char *key)
{
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		if (!strcmp(key, actor_counters[actor].key))
			return true;
	return false;
}

static void read_actor(struct reader *reader, struct json_object *in, int actor, bool timed,
		       struct syscall_row *row)
{
	row->calls[actor] = reader__count(reader, in, "calls");
	row->errors[actor] = reader__count(reader, in, "errors");
	row->denied[actor] = reader__count(reader, in, "denied");
	if (timed)
		row->time_ns[actor] = reader__count(reader, in, "time_ns");
}

static void read_actors(struct reader *reader, struct json_object *in, bool timed,
			struct syscall_row *row)
{
	struct json_object *by_actor = reader__object(reader, in, "by_actor");
	struct json_object *counts;

	if (!by_actor)
		return;
	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		const char *key = actor_counters[actor].key;

		if (json_object_object_get_ex(by_actor, key, &counts))
			read_actor(reader, reader__object(reader, by_actor, key), actor, timed,
				   row);
	}
	json_object_object_foreach(by_actor, key, unused) {
		if (!is_actor(key))
			reader__fail(reader, "\"by_actor\" names an actor that forktax does not know");
		(void)unused;
	}
}

static void check_sum(struct reader *reader, struct json_object *in, const char *key,
		      const uint64_t by_actor[ACTOR_COUNT], const char *name)
{
	if (reader__count(reader, in, key) != syscall_row__sum(by_actor))
		reader__fail(reader, "%s of %s are not the sum over the actors", key, name);
}

static void read_times(struct reader *reader, struct json_object *in, struct syscall_row *row)
{
	check_sum(reader, in, "time_ns", row->time_ns, row->name ? row->name : "?");
	row->min_ns = reader__count_or_absent(reader, in, "min_ns");
	row->max_ns = reader__count_or_absent(reader, in, "max_ns");
	row->p99_ns = reader__count_or_absent(reader, in, "p99_ns");
	if (row->max_ns != ABSENT && (row->min_ns > row->max_ns || row->p99_ns > row->max_ns))
		reader__fail(reader, "a shortest or 99th-percentile call exceeds the longest one");
}

static void read_row(struct reader *reader, struct json_object *in, bool timed,
		     struct syscall_row *row)
{
	row->min_ns = row->max_ns = row->p99_ns = ABSENT;
	row->name = reader__text(reader, in, "name");
	row->abi = reader__key(reader, in, "abi", abi_keys, ABI_COUNT);
	row->nr = reader__integer(reader, in, "nr", INT32_MIN, INT32_MAX);
	read_actors(reader, in, timed, row);
	if (reader->reason)
		return;
	if (!row->name)
		reader__fail(reader, "a system call has no name");
	else if (syscall_row__sum(row->errors) > syscall_row__sum(row->calls))
		reader__fail(reader, "%s has more errors than calls", row->name);
	check_sum(reader, in, "calls", row->calls, row->name);
	check_sum(reader, in, "errors", row->errors, row->name);
	check_sum(reader, in, "denied", row->denied, row->name);
	if (timed)
		read_times(reader, in, row);
}

void reader__calls(struct reader *reader, struct json_object *in, const char *key, bool timed,
		   struct syscall_table *table)
{
	struct json_object *array = reader__array(reader, in, key);
	size_t count = array ? json_object_array_length(array) : 0;

	table->rows = reader__room(array, sizeof(*table->rows));
	for (size_t i = 0; i < count && !reader->reason; i++) {
		struct json_object *row = json_object_array_get_idx(array, i);

		table->count = i + 1; /* what a failure leaves behind is freed with the run */
		if (json_object_is_type(row, json_type_object))
			read_row(reader, row, timed, &table->rows[i]);
		else
			reader__fail(reader, "\"%s\" lists something that is no object", key);
	}
}
