// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/flow/code_maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "source/ebpf/anatomy/mapping_record.h"

enum { REST_NS = 100000000 }; /* between two readings: code without a file comes again and again */

struct code_mapping {
	struct mapping_record record;
	char *path; /* NULL: of no file */
};

void code_maps__release(struct code_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		free(maps->list[i].path);
	free(maps->list);
	*maps = (struct code_maps){ 0 };
}

void code_maps__read(struct code_maps *maps, int32_t pid)
{
	FILE *file = procfs__open(pid, "maps");
	struct code_maps fresh = { .read_ns = clock__now_ns() };
	char *line = NULL;
	size_t size = 0;

	maps->read_ns = fresh.read_ns;
	while (file && getline(&line, &size, file) > 0) {
		struct code_mapping mapping = { 0 };
		const char *path = mapping_record__parse(&mapping.record, line);

		if (!path || !mapping.record.exec)
			continue;
		mapping.path = mapping.record.ino ? checked_strdup(path) : NULL;
		fresh.list = checked_grow(fresh.list, fresh.count, sizeof(*fresh.list));
		fresh.list[fresh.count++] = mapping;
	}
	free(line);
	if (file)
		fclose(file);
	if (!fresh.count)
		return;
	code_maps__release(maps);
	*maps = fresh;
}

static const struct code_mapping *mapping_at(const struct code_maps *maps, uint64_t ip)
{
	for (size_t i = 0; i < maps->count; i++)
		if (ip >= maps->list[i].record.start && ip < maps->list[i].record.end)
			return &maps->list[i];
	return NULL;
}

bool code_maps__find(struct code_maps *maps, int32_t pid, struct flow_code *code)
{
	const struct code_mapping *mapping = mapping_at(maps, code->ip);

	if (!mapping && pid && clock__now_ns() - maps->read_ns > REST_NS) {
		code_maps__read(maps, pid);
		mapping = mapping_at(maps, code->ip);
	}
	if (!mapping)
		return false;
	if (mapping->path) {
		code->object = checked_strdup(mapping->path);
		code->offset = mapping->record.offset + (code->ip - mapping->record.start);
		code->ino = mapping->record.ino;
		code->dev = mapping->record.dev;
	}
	return true;
}
