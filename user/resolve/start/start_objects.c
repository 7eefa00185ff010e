// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ld.so linked before the program's entry, by the calls that opened it; and what each of these
 * files says of the others.
 */
#include "resolve/start/start_objects.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/relocations.h"
#include "resolve/start/start_scope.h"

enum { OBJECTS_MOST = 1024 };

static struct start_object *add(struct start *start, const char *path, enum start_role role)
{
	struct start_object *object;

	start->objects = checked_grow(start->objects, start->object_count, sizeof(*start->objects));
	object = &start->objects[start->object_count++];
	*object = (struct start_object){
		.path = checked_strdup(path),
		.role = role,
		.object = NO_OBJECT,
		.through = NO_OBJECT,
		.needed_by = ABSENT,
		.bound_to = ABSENT,
	};
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		object->relocations[kind] = ABSENT;
	return object;
}

/* A path that leads elsewhere by now was not given a linkage. */
static const char *program_path(const struct run *run)
{
	const struct exe *exe = run__first_exe(run);

	return exe && exe->linkage ? exe__file(exe) : NULL;
}

/* In the order of their mapping, which is that of lookup: breadth first. */
static void list_libraries(struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->reason == REASON_OPEN_LIBRARY && call->begin_ns < start->marks.entry &&
		    start->object_count < OBJECTS_MOST)
			add(start, call->path, START_IS_LIBRARY);
	}
}

static void forget(struct start *start)
{
	for (size_t i = 0; i < start->object_count; i++)
		free(start->objects[i].path);
	free(start->objects);
	start->objects = NULL;
	start->object_count = 0;
}

/* Where libraries of the same name lie in two directories, calls do not tell them apart. */
static bool has_namesake(const struct start *start, size_t index)
{
	const char *name = text__file_name(start->objects[index].path);

	for (size_t i = 0; i < start->object_count; i++)
		if (i != index && !strcmp(text__file_name(start->objects[i].path), name))
			return true;
	return false;
}

static bool is_about(const struct start *start, const struct start_call *call,
		     const struct start_object *object)
{
	static const enum start_reason reasons[] = {
		REASON_OPEN_LIBRARY, REASON_ELF_HEADER, REASON_PROGRAM_HEADERS, REASON_IDENTITY,
		REASON_CLOSE_LIBRARY, REASON_SEGMENT_ALL, REASON_SEGMENT_CODE, REASON_SEGMENT_CONST,
		REASON_SEGMENT_DATA, REASON_BSS, REASON_HOLE, REASON_RELRO, REASON_TEXT_RELOCATIONS,
	};

	if (!call->subject || call->begin_ns >= start->marks.entry ||
	    strcmp(text__file_name(call->subject), text__file_name(object->path)) != 0)
		return false;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (call->reason == reasons[i])
			return true;
	return false;
}

static void count_calls(struct start *start)
{
	for (size_t i = 0; i < start->object_count; i++) {
		struct start_object *object = &start->objects[i];

		if (object->role == START_IS_LIBRARY && has_namesake(start, i))
			object->calls = object->ns = ABSENT;
		for (size_t k = 0; k < start->call_count && object->role == START_IS_LIBRARY; k++) {
			const struct start_call *call = &start->calls[k];

			if (object->calls == ABSENT || !is_about(start, call, object))
				continue;
			object->calls++;
			object->ns += call->ns == ABSENT ? 0 : call->ns;
		}
	}
}

static void find_in_anatomy(struct start_object *object, const struct elf_file *file,
			    const struct anatomy *anatomy)
{
	const char *path = file->real_path ? file->real_path : object->path;

	for (uint32_t i = 0; anatomy && i < anatomy->object_count; i++)
		if (anatomy->objects[i].path && !anatomy->objects[i].changed &&
		    !strcmp(anatomy->objects[i].path, path))
			object->object = i;
}

static void read_relocations(struct start_object *object, struct elf_file *file)
{
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(file, &reason);

	if (!relocations)
		return;
	memcpy(object->relocations, relocations->counts, sizeof(object->relocations));
	object->is_lazy = relocations->lazy;
}

static void read_files(struct run *run)
{
	struct start *start = run->start;

	for (size_t i = 0; i < start->object_count; i++) {
		struct elf_file *file = elf_file__open(start->objects[i].path);

		find_in_anatomy(&start->objects[i], file, run->anatomy);
		read_relocations(&start->objects[i], file);
		elf_file__close(file);
	}
}

void start_objects__find(struct run *run)
{
	struct start *start = run->start;
	const char *path = program_path(run);
	struct elf_facts *facts;
	char *reason = NULL;

	if (!path || start->missed || start->marks.entry == ABSENT)
		return;
	facts = elf_facts__read(path, &reason);
	free(reason);
	if (!facts)
		return;
	add(start, path, START_IS_PROGRAM);
	list_libraries(start);
	if (facts->interp)
		add(start, facts->interp, START_IS_LDSO);
	if (start->object_count == OBJECTS_MOST) /* who knows what the others would say */
		forget(start);
	elf_facts__free(facts);
	count_calls(start);
	read_files(run);
	start_scope__find(start);
}
