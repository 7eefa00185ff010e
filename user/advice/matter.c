// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/matter.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advice/advice.h"
#include "base/memory.h"

enum { NAMES_MOST = 4 };

/* The layout of a group is saved at its first fork; others of the same executable are alike. */
static const struct layout *find_layout(const struct anatomy *anatomy, const struct group *group,
					uint32_t index)
{
	const struct layout *layout = anatomy__layout(anatomy, index);

	for (size_t i = 0; !layout && i < anatomy->layout_count; i++)
		if (anatomy->layouts[i].exe == group->parent_exe)
			layout = &anatomy->layouts[i];
	return layout;
}

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

/* The dynamic linker is where its code runs. */
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

bool matter__make(struct matter *matter, const struct run *run, uint32_t group)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy__sample(anatomy, group);

	*matter = (struct matter){
		.run = run,
		.anatomy = anatomy,
		.index = group,
		.group = &run->groups[group],
		.sample = sample,
		.fork = anatomy__fork_cost(anatomy, group),
	};
	if (!sample || !sample->children || !fork_bill__make(run, group, &matter->bill))
		return false;
	matter->layout = find_layout(anatomy, matter->group, group);
	matter->children = (double)(matter->group->children + matter->group->unfinished);
	matter->program = find_program(run, matter->group);
	matter->linker = find_linker(anatomy, group);
	advice__fork_ns(run, group, &matter->fork_ns);
	return true;
}

bool matter__opens_objects(const struct matter *matter)
{
	for (size_t i = 0; i < matter->anatomy->binding_count; i++) {
		const struct binding_object *binding = &matter->anatomy->bindings[i];

		if (&matter->anatomy->layouts[binding->layout] == matter->layout && binding->opened)
			return true;
	}
	return false;
}

size_t matter__symbols_bound(const struct matter *matter)
{
	const struct anatomy *anatomy = matter->anatomy;
	size_t count = 0;

	for (size_t i = 0; i < anatomy->symbol_count; i++)
		count += anatomy->symbols[i].group == matter->index &&
			 2 * anatomy->symbols[i].children > matter->sample->children;
	return count;
}

bool matter__uses_glibc(const struct matter *matter)
{
	for (uint32_t i = 0; i < matter->anatomy->object_count; i++)
		if (!strcmp(matter__object(matter, i), "libc.so.6"))
			return true;
	return false;
}

double matter__recorded(const struct matter *matter)
{
	return (double)matter->sample->children;
}

const char *matter__object(const struct matter *matter, uint32_t object)
{
	const char *path, *slash;

	if (object >= matter->anatomy->object_count || !matter->anatomy->objects[object].path)
		return "a file whose name is not known";
	path = matter->anatomy->objects[object].path;
	slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

double matter__calls(const struct matter *matter, const char *name)
{
	const struct syscall_row *row =
		syscall_table__find(&matter->group->table, name, ABI_X86_64);

	if (!row || matter->children <= 0)
		return 0;
	return (double)syscall_row__sum(row->calls) / matter->children;
}

char *text(const char *format, ...)
{
	va_list arguments;
	char *result = NULL;

	va_start(arguments, format);
	if (vasprintf(&result, format, arguments) < 0)
		result = NULL;
	va_end(arguments);
	return checked(result);
}

int digits_of(double count)
{
	int digits = count >= 100 ? 0 : count >= 10 ? 1 : 2;
	double scaled = round(count * pow(10, digits));

	/* "15.0" is no more than "15" says. */
	if (fabs(count - round(count)) < 0.02 || fmod(scaled, pow(10, digits)) == 0)
		return 0;
	return digits;
}

const char *noun_for(double count, const char *one, const char *many)
{
	return digits_of(count) == 0 && round(count) == 1 ? one : many;
}

void names__add(struct names *names, const char *name)
{
	char *longer;

	if (names->count++ >= NAMES_MOST)
		return;
	longer = names->list ? text("%s, %s", names->list, name) : text("%s", name);
	free(names->list);
	names->list = longer;
}

char *names__finish(struct names *names)
{
	char *result;

	if (names->count <= NAMES_MOST)
		return names->list ? names->list : text("none");
	result = text("%s and %zu more", names->list, names->count - NAMES_MOST);
	free(names->list);
	return result;
}
