// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/flow/code_maps.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/maps.h"
#include "base/memory.h"
#include "base/procfs.h"

enum { REST_NS = 100000000 }; /* between two readings: code without a file comes again and again */

struct code_mapping {
	struct mapping is;
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
	struct code_maps fresh = { .read_ns = clock__now_ns() };
	struct maps reading = { .file = procfs__open(pid, "maps") };
	struct mapping mapping;

	maps->read_ns = fresh.read_ns;
	while (maps__next(&reading, &mapping)) {
		if (!mapping.exec)
			continue;
		fresh.list = checked_grow(fresh.list, fresh.count, sizeof(*fresh.list));
		fresh.list[fresh.count++] = (struct code_mapping){
			mapping, mapping.ino ? checked_strdup(mapping.name) : NULL,
		};
	}
	if (!fresh.count)
		return;
	code_maps__release(maps);
	*maps = fresh;
}

static const struct code_mapping *mapping_at(const struct code_maps *maps, uint64_t ip)
{
	for (size_t i = 0; i < maps->count; i++)
		if (ip >= maps->list[i].is.start && ip < maps->list[i].is.end)
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
		code->offset = mapping->is.offset + (code->ip - mapping->is.start);
		code->ino = mapping->is.ino;
		code->dev = mapping->is.dev;
	}
	return true;
}
