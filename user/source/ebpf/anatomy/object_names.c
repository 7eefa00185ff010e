// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/object_names.h"

#include <bpf/libbpf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/hash.h"
#include "base/maps.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/procfs.h"

enum { RING_PAGES = 64, OBJECTS_MOST = 1 << 16, MAPPINGS_KEPT = 1 << 14 };

struct name {
	bool is_ours; /* the path is as forktax sees it, not as the process that mapped the file */
	char *path;
};

struct object_names {
	struct hash by_identity; /* struct name */
	struct mapping_record mappings[MAPPINGS_KEPT]; /* a ring of the latest */
	uint64_t mapping_count;
	struct perf_buffer *records;
	uint64_t lost;
};

/* PERF_RECORD_LOST */
struct lost_record {
	struct perf_event_header header;
	uint64_t id, count;
};

/* The part of PERF_RECORD_MMAP2 that is used (include/uapi/linux/perf_event.h). */
struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint32_t major, minor;
	uint64_t ino, generation;
	uint32_t protection, flags;
	char path[]; /* followed by struct record_time, as every record */
};

/* PERF_RECORD_COMM, with PERF_RECORD_MISC_COMM_EXEC: an execve has begun a new address space. */
struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
};

struct record_time {
	uint64_t ns;
};

static struct name *find(const struct object_names *names, uint32_t dev, uint64_t ino)
{
	const uint64_t key[] = { ino, dev };
	const union hash_value *found = hash__find(&names->by_identity, key, sizeof(key));

	return found ? found->pointer : NULL;
}

const char *object_names__find(const struct object_names *names, uint32_t dev, uint64_t ino)
{
	const struct name *name = find(names, dev, ino);

	return name ? name->path : NULL;
}

static struct name *find_or_add(struct object_names *names, uint32_t dev, uint64_t ino)
{
	const uint64_t key[] = { ino, dev };
	struct name *name = find(names, dev, ino);

	if (name || !ino || names->by_identity.count >= OBJECTS_MOST)
		return name;
	name = checked_calloc(1, sizeof(*name));
	hash__get(&names->by_identity, key, sizeof(key))->pointer = name;
	return name;
}

void object_names__add(struct object_names *names, uint32_t dev, uint64_t ino, const char *path)
{
	struct name *name = find_or_add(names, dev, ino);

	if (!name || name->is_ours)
		return;
	free(name->path);
	name->path = checked_strdup(path);
	name->is_ours = true;
}

static void add_recorded(struct object_names *names, const struct mmap2_record *record)
{
	struct name *name = find_or_add(names, record->major << 20 | record->minor, record->ino);

	if (name && !name->path)
		name->path = checked_strdup(record->path);
}

static uint64_t time_of(const struct perf_event_header *header)
{
	struct record_time time;

	memcpy(&time, (const char *)header + header->size - sizeof(time), sizeof(time));
	return time.ns;
}

static void keep(struct object_names *names, const struct mapping_record *mapping)
{
	names->mappings[names->mapping_count++ % MAPPINGS_KEPT] = *mapping;
}

static void keep_mapping(struct object_names *names, const struct mmap2_record *record)
{
	keep(names, &(struct mapping_record){
			    .ns = time_of(&record->header),
			    .start = record->address,
			    .end = record->address + record->length,
			    .offset = record->offset,
			    .ino = record->ino,
			    .dev = record->major << 20 | record->minor,
			    .pid = record->pid,
			    .read = record->protection & PROT_READ,
			    .write = record->protection & PROT_WRITE,
			    .exec = record->protection & PROT_EXEC,
			    .shared = record->flags & MAP_SHARED,
		    });
}

static void keep_exec(struct object_names *names, const struct comm_record *record)
{
	if (record->header.misc & PERF_RECORD_MISC_COMM_EXEC)
		keep(names, &(struct mapping_record){ .ns = time_of(&record->header), .pid = record->pid });
}

const char *object_names__at(const struct object_names *names, int32_t pid, uint64_t address,
			     uint32_t *dev, uint64_t *ino)
{
	for (uint64_t i = names->mapping_count; i && i + MAPPINGS_KEPT > names->mapping_count; i--) {
		const struct mapping_record *mapping = &names->mappings[(i - 1) % MAPPINGS_KEPT];

		if (mapping->pid != pid || !mapping->ino || address < mapping->start || address >= mapping->end)
			continue;
		*dev = mapping->dev;
		*ino = mapping->ino;
		return object_names__find(names, mapping->dev, mapping->ino);
	}
	return NULL;
}

static int by_time(const void *left, const void *right)
{
	const struct mapping_record *a = left, *b = right;

	return (a->ns > b->ns) - (a->ns < b->ns);
}

size_t object_names__mappings(const struct object_names *names, int32_t pid, uint64_t until,
			      struct mapping_record **mappings)
{
	uint64_t first = names->mapping_count > MAPPINGS_KEPT ? names->mapping_count - MAPPINGS_KEPT : 0;
	struct mapping_record *list = NULL;
	size_t count = 0, begin = 0;

	for (uint64_t i = first; i < names->mapping_count; i++) {
		const struct mapping_record *mapping = &names->mappings[i % MAPPINGS_KEPT];

		if (mapping->pid != pid || mapping->ns > until)
			continue;
		list = checked_grow(list, count, sizeof(*list));
		list[count++] = *mapping;
	}
	/* Each CPU has a ring of its own, and a process moves between them. */
	if (count)
		qsort(list, count, sizeof(*list), by_time);
	for (size_t i = 0; i < count; i++)
		if (!list[i].end)
			begin = i + 1;
	*mappings = NULL;
	if (begin && begin < count) { /* else the exec was not seen, nor what came before */
		*mappings = checked_calloc(count - begin, sizeof(*list));
		memcpy(*mappings, list + begin, (count - begin) * sizeof(*list));
	}
	free(list);
	return *mappings ? count - begin : 0;
}

static enum bpf_perf_event_ret on_record(void *context, int cpu, struct perf_event_header *header)
{
	const struct mmap2_record *record = (const void *)header;
	struct object_names *names = context;

	if (header->type == PERF_RECORD_LOST)
		names->lost += ((const struct lost_record *)(const void *)header)->count;
	if (header->type == PERF_RECORD_MMAP2 && header->size > sizeof(*record) &&
	    memchr(record->path, '\0', header->size - sizeof(*record))) {
		add_recorded(names, record);
		keep_mapping(names, record);
	}
	if (header->type == PERF_RECORD_COMM && header->size > sizeof(struct comm_record))
		keep_exec(names, (const void *)header);
	return LIBBPF_PERF_EVENT_CONT;
}

struct object_names *object_names__new(int map_fd)
{
	struct object_names *names = checked_calloc(1, sizeof(*names));
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1, /* with PROT_EXEC */
		.mmap_data = 1, /* and without */
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.sample_id_all = 1, /* the time, with every record */
		.sample_type = PERF_SAMPLE_TIME,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC, /* as bpf_ktime_get_ns() has it */
		.watermark = 1,
		.wakeup_watermark = RING_PAGES * page_bytes / 2,
	};

	names->records = perf_buffer__new_raw(map_fd, RING_PAGES, &attr, on_record, names, NULL);
	return names;
}

void object_names__free(struct object_names *names)
{
	const union hash_value *value;

	if (!names)
		return;
	perf_buffer__free(names->records);
	for (size_t at = 0; (value = hash__next(&names->by_identity, &at));) {
		struct name *name = value->pointer;

		free(name->path);
		free(name);
	}
	hash__release(&names->by_identity);
	free(names);
}

uint64_t object_names__lost(const struct object_names *names)
{
	return names->lost;
}

void object_names__consume(struct object_names *names)
{
	if (names->records)
		perf_buffer__consume(names->records);
}

void object_names__read_maps(struct object_names *names, int32_t pid)
{
	struct maps maps = { .file = procfs__open(pid, "maps") };
	struct mapping mapping;

	while (maps__next(&maps, &mapping))
		if (*mapping.name == '/')
			object_names__add(names, mapping.dev, mapping.ino, mapping.name);
}
