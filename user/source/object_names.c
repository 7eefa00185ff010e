// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/object_names.h"

#include <bpf/libbpf.h>
#include <err.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/checked.h"

enum { RING_PAGES = 64, NAMES_MOST = 1 << 16, MAPPINGS_KEPT = 1 << 14 };

struct name {
	uint64_t ino;
	uint32_t dev;
	bool is_ours; /* the path as we see it, not as the process does that mapped the file */
	char *path;
};

struct mapping {
	uint64_t start, end;
	const struct name *name;
	int32_t pid;
};

struct object_names {
	void *tree; /* of struct name */
	size_t count;
	struct mapping mappings[MAPPINGS_KEPT]; /* a ring of the latest */
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
	char path[];
};

static int by_identity(const void *left, const void *right)
{
	const struct name *a = left, *b = right;

	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return a->dev < b->dev ? -1 : a->dev > b->dev;
}

static struct name *find(const struct object_names *names, uint32_t dev, uint64_t ino)
{
	const struct name key = { .ino = ino, .dev = dev };
	struct name *const *found = tfind(&key, &names->tree, by_identity);

	return found ? *found : NULL;
}

const char *object_names__find(const struct object_names *names, uint32_t dev, uint64_t ino)
{
	const struct name *name = find(names, dev, ino);

	return name ? name->path : NULL;
}

static struct name *find_or_add(struct object_names *names, uint32_t dev, uint64_t ino)
{
	struct name *name = find(names, dev, ino);

	if (name || !ino || names->count >= NAMES_MOST)
		return name;
	name = checked_calloc(1, sizeof(*name));
	*name = (struct name){ .ino = ino, .dev = dev };
	if (!tsearch(name, &names->tree, by_identity))
		err(125, "out of memory");
	names->count++;
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

static void keep_mapping(struct object_names *names, const struct mmap2_record *record)
{
	const struct name *name = find(names, record->major << 20 | record->minor, record->ino);

	if (name)
		names->mappings[names->mapping_count++ % MAPPINGS_KEPT] = (struct mapping){
			.start = record->address,
			.end = record->address + record->length,
			.name = name,
			.pid = record->pid,
		};
}

const char *object_names__at(const struct object_names *names, int32_t pid, uint64_t address,
			     uint32_t *dev, uint64_t *ino)
{
	for (uint64_t i = names->mapping_count; i && i + MAPPINGS_KEPT > names->mapping_count; i--) {
		const struct mapping *mapping = &names->mappings[(i - 1) % MAPPINGS_KEPT];

		if (mapping->pid != pid || address < mapping->start || address >= mapping->end)
			continue;
		*dev = mapping->name->dev;
		*ino = mapping->name->ino;
		return mapping->name->path;
	}
	return NULL;
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
		keep_mapping(context, record);
	}
	return LIBBPF_PERF_EVENT_CONT;
}

struct object_names *object_names__new(int map_fd)
{
	struct object_names *names = calloc(1, sizeof(*names));
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1, /* with PROT_EXEC */
		.mmap_data = 1, /* and without */
		.mmap2 = 1,
		.watermark = 1,
		.wakeup_watermark = RING_PAGES * 4096 / 2,
	};

	if (!names)
		err(125, "out of memory");
	names->records = perf_buffer__new_raw(map_fd, RING_PAGES, &attr, on_record, names, NULL);
	return names;
}

static void free_name(void *entry)
{
	struct name *name = entry;

	free(name->path);
	free(name);
}

void object_names__free(struct object_names *names)
{
	if (!names)
		return;
	perf_buffer__free(names->records);
	tdestroy(names->tree, free_name);
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

/* The kernel writes a line break in a path as \012. */
static void restore_breaks(char *path)
{
	char *end = path;

	for (; *path; path++) {
		bool is_break = !strncmp(path, "\\012", 4);

		*end++ = is_break ? '\n' : *path;
		path += is_break ? 3 : 0;
	}
	*end = '\0';
}

void object_names__read_maps(struct object_names *names, int32_t pid)
{
	char file[32], *line = NULL;
	size_t size = 0;
	FILE *maps;

	snprintf(file, sizeof(file), "/proc/%" PRId32 "/maps", pid);
	maps = fopen(file, "re");
	while (maps && getline(&line, &size, maps) > 0) {
		unsigned int major, minor;
		uint64_t ino;
		int path = 0;

		if (sscanf(line, "%*s %*s %*s %x:%x %" SCNu64 " %n", &major, &minor, &ino, &path) < 3 ||
		    !path || line[path] != '/')
			continue;
		line[strcspn(line, "\n")] = '\0';
		restore_breaks(line + path);
		object_names__add(names, major << 20 | minor, ino, line + path);
	}
	free(line);
	if (maps)
		fclose(maps);
}
