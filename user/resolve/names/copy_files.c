// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/copy_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/maps.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "elf/debug.h"
#include "resolve/names/stack_names.h"

enum {
	FILES_MOST = 4096, /* then all are forgotten */
	KEY_BYTES = 16, /* of a build id: a longer key would have to stay where it is */
	WALKS_MOST = 3, /* a file that was not found so often is mapped by nobody who stays */
};

static bool read_id(const char *path, struct copy_file_id *id)
{
	struct elf_object object;
	struct build_id found;
	char *reason = NULL;

	if (elf_object__open_headers(&object, path, &reason) != ELF_OPENED) {
		free(reason);
		return false;
	}
	found = build_id__of(&object);
	elf_object__close(&object);
	memset(id, 0, sizeof(*id)); /* the kernel pads shorter ones */
	memcpy(id->bytes, found.bytes, found.size < sizeof(id->bytes) ? found.size : sizeof(id->bytes));
	return found.size != 0;
}

static void forget_paths(struct hash *paths)
{
	union hash_value *slot;

	for (size_t at = 0; (slot = hash__next(paths, &at));)
		free(slot->pointer);
	hash__release(paths);
}

static void learn(struct copy_files *files, const struct copy_file_id *id, const char *path)
{
	union hash_value *slot;

	if (files->paths.count >= FILES_MOST)
		forget_paths(&files->paths);
	slot = hash__get(&files->paths, id->bytes, KEY_BYTES);
	free(slot->pointer);
	slot->pointer = checked_strdup(path);
}

/* A path may lead to another file than that of the process: in a container, or after an update. */
static void look_at_file(struct copy_files *files, int32_t pid, const char *path)
{
	autofree char *own = text__of("/proc/%d/root%s", (int)pid, path);
	struct copy_file_id theirs, ours;

	if (!read_id(own, &theirs))
		return;
	if (read_id(path, &ours) && !memcmp(&ours, &theirs, sizeof(ours)))
		learn(files, &theirs, path); /* it outlives the process */
	else
		learn(files, &theirs, own);
}

static void look_at_process(struct copy_files *files, int32_t pid, struct hash *seen)
{
	struct maps maps = { .file = procfs__open(pid, "maps") };
	struct mapping mapping;

	while (maps__next(&maps, &mapping)) {
		const struct {
			uint64_t dev, ino;
		} key = { mapping.dev, mapping.ino };
		const size_t known = seen->count;

		if (!mapping.exec || !mapping.ino || *mapping.name != '/')
			continue;
		if (hash__number(seen, &key, sizeof(key)) == known)
			look_at_file(files, pid, mapping.name);
	}
}

static void look_at_processes(struct copy_files *files)
{
	size_t count;
	autofree int32_t *pids = procfs__pids(&count);
	struct hash seen = { 0 };

	for (size_t i = 0; i < count; i++)
		look_at_process(files, pids[i], &seen);
	hash__release(&seen);
}

/* NULL: not known, or another file is there now. */
static const char *find_path(struct copy_files *files, const struct copy_file_id *id)
{
	const union hash_value *known = hash__find(&files->paths, id->bytes, KEY_BYTES);
	struct copy_file_id now;

	if (!known || !read_id(known->pointer, &now) || memcmp(&now, id, sizeof(now)))
		return NULL;
	return known->pointer;
}

static bool may_be_found(struct copy_files *files, const struct copy_file_id *id)
{
	if (files->failures.count >= FILES_MOST)
		hash__release(&files->failures);
	return hash__get(&files->failures, id->bytes, KEY_BYTES)->number++ < WALKS_MOST;
}

/* Returns whether to look at the processes. */
static bool find_files(struct copy_files *files, struct copy_profile *profile)
{
	bool look = false;

	for (size_t i = 0; i < profile->object_count; i++) {
		struct object *object = &profile->objects[i];

		if (!object->path)
			object->path = text__copy(find_path(files, &profile->ids[i]));
		if (!object->path)
			look |= may_be_found(files, &profile->ids[i]);
		else
			hash__remove(&files->failures, profile->ids[i].bytes, KEY_BYTES);
	}
	return look;
}

void copy_files__resolve(struct copy_files *files, struct copy_profile *profile)
{
	if (find_files(files, profile)) {
		look_at_processes(files);
		find_files(files, profile);
	}
	stacks__resolve(profile->stacks, profile->objects, profile->object_count);
}

void copy_files__release(struct copy_files *files)
{
	forget_paths(&files->paths);
	hash__release(&files->failures);
}
