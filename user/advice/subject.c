// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/subject.h"

#include <string.h>

#include "analysis/forks/copied.h"

static uint32_t find_program(const struct run *run, const struct group *group)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct exe *exe;
	const char *file;

	if (group->parent_exe >= run->exe_count)
		return NO_OBJECT;
	exe = &run->exes[group->parent_exe];
	file = exe__file(exe);
	for (uint32_t i = 0; file && i < anatomy->object_count; i++)
		if (anatomy->objects[i].path && !strcmp(anatomy->objects[i].path, file))
			return i;
	for (uint32_t i = 0; i < anatomy->object_count; i++)
		if (anatomy->objects[i].ino == exe->ino)
			return i;
	return NO_OBJECT;
}

/* The object that runs code of the dynamic linker. */
static uint32_t find_linker(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->actor == ACTOR_LDSO && row->code.kind == PLACE_FILE &&
		    (row->group == group || row->group == NO_GROUP))
			return row->code.object;
	}
	return NO_OBJECT;
}

void subject__make(struct subject *subject, const struct run *run, const struct fork_breakdown *breakdown)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct group *group = &run->groups[breakdown->group];

	*subject = (struct subject){
		.run = run,
		.anatomy = anatomy,
		.index = breakdown->group,
		.group = group,
		.sample = anatomy__sample(anatomy, breakdown->group),
		.fork = anatomy__fork_cost(anatomy, breakdown->group),
		.layout = run__parent_layout(run, breakdown->group),
		.breakdown = breakdown,
		.children = breakdown->forks,
		.program = find_program(run, group),
		.linker = find_linker(anatomy, breakdown->group),
	};
}

const char *subject__doubt(const struct subject *subject)
{
	return copied__is_beyond(subject->run, subject->index)
		       ? " The fork call takes much longer than mappings and page tables explain, by the costs of this "
			 "machine: how much of that is saved is not known."
		       : "";
}

bool subject__is_most(const struct subject *subject, uint64_t children)
{
	return 2 * children > subject->sample->children;
}

bool subject__is_all_that_ended(const struct subject *subject, uint64_t children)
{
	return children + subject->group->unfinished >= subject->sample->children &&
	       subject__is_most(subject, children);
}

bool subject__has(const struct subject *subject, const struct binding_object *binding)
{
	return &subject->anatomy->layouts[binding->layout] == subject->layout;
}

bool subject__is_binding(const struct subject *subject, const struct anatomy_row *row)
{
	return fork_breakdown__is_binding(subject->breakdown, subject->anatomy, row);
}

bool subject__opens_objects(const struct subject *subject)
{
	for (size_t i = 0; i < subject->anatomy->binding_count; i++) {
		const struct binding_object *binding = &subject->anatomy->bindings[i];

		if (subject__has(subject, binding) && binding->opened)
			return true;
	}
	return false;
}

size_t subject__symbols_bound(const struct subject *subject)
{
	const struct anatomy *anatomy = subject->anatomy;
	size_t count = 0;

	for (size_t i = 0; i < anatomy->symbol_count; i++)
		count += anatomy->symbols[i].group == subject->index &&
			 subject__is_most(subject, anatomy->symbols[i].children);
	return count;
}

bool subject__uses_glibc(const struct subject *subject)
{
	for (uint32_t i = 0; i < subject->anatomy->object_count; i++)
		if (!strcmp(subject__object(subject, i), "libc.so.6"))
			return true;
	return false;
}

double subject__recorded(const struct subject *subject)
{
	return (double)subject->sample->children;
}

const char *subject__object(const struct subject *subject, uint32_t object)
{
	if (object >= subject->anatomy->object_count || !subject->anatomy->objects[object].path)
		return "a file whose name is not known";
	return text__file_name(subject->anatomy->objects[object].path);
}

struct first_calls subject__first_calls(const struct subject *subject)
{
	struct first_calls calls = { 0 };

	for (size_t i = 0; i < subject->run->process_count; i++) {
		const struct process *process = &subject->run->processes[i];

		if (process->group != subject->index)
			continue;
		for (size_t j = 0; j < process->image_count; j++)
			*(process->images[j].kind == IMAGE_EXEC ? &calls.after : &calls.before) +=
				(double)process->images[j].syscalls;
		break;
	}
	return calls;
}

double subject__calls(const struct subject *subject, const char *name)
{
	const struct syscall_row *row = syscall_table__find(&subject->group->table, name, ABI_NATIVE);

	if (!row || subject->children <= 0)
		return 0;
	return (double)syscall_row__sum(row->calls) / subject->children;
}
