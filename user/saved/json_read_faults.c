// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "saved/json_read.h"

static int find(const struct counter *counters, int count, const char *key)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(key, counters[i].key))
			return i;
	return -1;
}

static void read_classes(struct reader *reader, struct json_object *in, uint64_t by[FAULT_COUNT])
{
	if (!in)
		return;
	json_object_object_foreach(in, key, unused) {
		int class = find(fault_counters, FAULT_COUNT, key);

		(void)unused;
		if (class < 0)
			reader__fail(reader, "a fault class has a name that forktax does not know");
		else
			by[class] = reader__count(reader, in, key);
	}
}

static void read_by_actor(struct reader *reader, struct json_object *in, struct faults *faults)
{
	struct json_object *by_actor = reader__object(reader, in, "by_actor");

	if (!by_actor)
		return;
	json_object_object_foreach(by_actor, key, unused) {
		int actor = find(actor_counters, ACTOR_COUNT, key);

		(void)unused;
		if (actor < 0)
			reader__fail(reader, "an actor has a name that forktax does not know");
		else
			read_classes(reader, reader__object(reader, by_actor, key),
				     faults->by[actor]);
	}
}

static void check_sums(struct reader *reader, struct json_object *in, const struct faults *faults)
{
	for (int class = 0; class < FAULT_COUNT; class++)
		if (reader__dictionary_count(reader, in, fault_counters[class].key) !=
		    faults__class(faults, class))
			reader__fail(reader, "%s faults are not the sum over the actors",
				     fault_counters[class].key);
	if (reader__count(reader, in, "unattributed") != faults__unattributed(faults))
		reader__fail(reader, "the fault classes and unattributed do not add up to the total");
	if (reader__count(reader, in, mark_counters[MARK_KERNEL_MODE].key) !=
	    faults__mark(faults, MARK_KERNEL_MODE))
		reader__fail(reader, "kernel_mode is not the sum of the kernel's faults");
}

void reader__faults(struct reader *reader, struct json_object *in, const char *key,
		    enum fault_level level, struct faults *faults)
{
	struct json_object *object = reader__object(reader, in, key);

	faults->total = reader__count(reader, object, "total");
	faults->major = reader__count(reader, object, mark_counters[MARK_MAJOR].key);
	if (faults->major > faults->total)
		reader__fail(reader, "more major faults than faults");
	if (level == FAULTS_TOTALS)
		return;
	faults->page_table_pages =
		reader__count(reader, object, mark_counters[MARK_PAGE_TABLE_PAGES].key);
	read_by_actor(reader, object, faults);
	if (!reader->reason && object)
		check_sums(reader, object, faults);
}
