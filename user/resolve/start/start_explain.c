// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/start/start_explain.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/relocations.h"
#include "model/run/run.h"
#include "resolve/start/start_reasons.h"
#include "resolve/start/start_scope.h"

/*
 * The objects that ld.so linked before the program's entry, by the calls that opened them; and what each of these
 * files says of the others.
 */

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

static bool is_about(const struct start *start, const struct start_call *call, const struct start_object *object)
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

static void find_in_anatomy(struct start_object *object, const struct elf_file *file, const struct anatomy *anatomy)
{
	const char *path = file->real_path ? file->real_path : object->path;

	for (uint32_t i = 0; anatomy && i < anatomy->object_count; i++)
		if (anatomy->objects[i].path && !anatomy->objects[i].changed && !strcmp(anatomy->objects[i].path, path))
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

/* Lists the objects that were linked, as their files are now. */
static void start_objects__find(struct run *run)
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

/* When it left: its last call never returned, or began another program. */
static void mark_exit(struct start *start)
{
	static const char *const exits[] = { "exit_group", "exit", NULL };
	static const char *const execs[] = { "execve", "execveat", NULL };
	const struct start_call *last;

	if (start->call_count < 2)
		return;
	last = &start->calls[start->call_count - 1];
	/* Other threads may still make calls until they are killed. */
	for (size_t i = start->call_count; i-- > 1;)
		if (!start->calls[i].returned && start_call__is(&start->calls[i], "exit_group"))
			last = &start->calls[i];
	if (!last->returned ? start_call__is_any(last, exits) : start_call__is_any(last, execs) && !last->result)
		start->marks.exit = last->begin_ns;
	if (last->returned && start->marks.exit != ABSENT && last->ns != ABSENT)
		start->marks.end = last->begin_ns + last->ns;
}

/* Marks that come too late, or before what must precede them, are of something else. */
static void drop_impossible(struct start_marks *marks)
{
	uint64_t *const order[] = { &marks->first, &marks->entry, &marks->main, &marks->returned, &marks->exit };
	uint64_t latest = 0;

	if (marks->first == ABSENT) /* then the kernel's part has no end, and so on */
		marks->entry = marks->main = marks->returned = ABSENT;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (*order[i] == ABSENT)
			continue;
		if (*order[i] < latest || *order[i] > marks->end || (i < 4 && *order[i] > marks->exit))
			*order[i] = ABSENT;
		else
			latest = *order[i];
	}
}

/* The list ends at a limit; the count of the image does not. */
static void count_beyond(struct start *start, uint64_t counted)
{
	uint64_t listed = start->left_out;

	for (size_t i = 0; i < start->call_count; i++)
		listed += !start->calls[i].denied;
	if (listed >= START_CALLS_MOST && counted > listed)
		start->beyond = counted - listed;
}

/* What the counts say of the image. Unfinished, it may have had faults that they do not hold yet. */
static void take_process(struct run *run)
{
	const struct process *process = run->process_count ? &run->processes[0] : NULL;
	struct start *start = run->start;

	if (process && process->image_count == 1)
		start->marks.end = process->end_ns;
	if (process && process->image_count)
		start->image_faults = process->images[0].faults.total;
	if (process && process->image_count && !start->missed)
		count_beyond(start, process->images[0].syscalls);
	if (start->image_faults < start->fault_count)
		start->image_faults = start->fault_count;
}

/* Is this all that ld.so asks the kernel for before anything is mapped? */
static bool may_be_of_ldso(const struct start_call *call)
{
	static const char *const names[] = {
		"brk", "mmap", "munmap", "mprotect", "access", "faccessat", "faccessat2", "open", "openat",
		"read", "pread64", "fstat", "newfstatat", "stat", "close", "readlink", "readlinkat", "uname",
		"getcwd", "arch_prctl", "set_thread_area", "set_tid_address", "set_robust_list", "rseq", "getuid",
		"geteuid", "getgid", "getegid", "prctl", NULL,
	};

	return start_call__is_any(call, names);
}

static bool makes_read_only(const struct start_call *call)
{
	return start_call__is(call, "mprotect") && start_call__argument(call, 2) == PROT_READ;
}

/*
 * Where nobody knows whose code made a call: until ld.so has made read-only what it has relocated, no code
 * of the program runs. So what it maps first as a library tells that there is an ld.so, and the first
 * mprotects behind the last library tell how far it has come for certain.
 */
static void find_ldso(struct start *start)
{
	size_t last = 0, i;
	bool has_library = false;

	for (i = 1; i < start->call_count && may_be_of_ldso(&start->calls[i]); i++) {
		bool opens = start_call__opens(&start->calls[i]) && !start_call__errno(&start->calls[i]);

		has_library |= opens && start_calls__map_library(start, i);
		if (has_library && makes_read_only(&start->calls[i]))
			last = i;
		else if (last)
			break;
	}
	for (i = 1; i <= last; i++)
		start->calls[i].before_program = true;
}

void start__explain(struct run *run)
{
	struct start *start = run->start;

	if (!run__has(run, HAS_ACTORS))
		find_ldso(start);
	take_process(run);
	mark_exit(start);
	drop_impossible(&start->marks);
	start_phases__find(start);
	start_reasons__find(run);
	start_searches__find(start);
	start_objects__find(run);
	free(start->fault_list);
	start->fault_list = NULL;
	start->fault_count = 0;
}
