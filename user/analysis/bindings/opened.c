// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings/bindings.h"

#include "analysis/compare/file_identity.h"
#include "elf/facts.h"

static bool is_file(const struct object *object, const char *path)
{
	return path && file_identity__of(path, object->dev, object->ino) != FILE_HAS_CHANGED;
}

static bool is_asked_for(const struct elf_facts *facts, const char *program,
			 const struct object *object)
{
	if (is_file(object, program) || is_file(object, facts->interp))
		return true;
	for (size_t i = 0; i < facts->library_count; i++)
		if (is_file(object, facts->libraries[i].path))
			return true;
	return false;
}

static void look_at(struct anatomy *anatomy, uint32_t layout, const struct elf_facts *facts,
		    const char *program)
{
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		struct binding_object *binding = &anatomy->bindings[i];

		if (binding->layout == layout)
			binding->opened = !is_asked_for(facts, program,
							&anatomy->objects[binding->object]);
	}
}

void bindings__find_opened(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;

	for (uint32_t i = 0; i < anatomy->layout_count; i++) {
		uint32_t index = anatomy->layouts[i].exe;
		const struct exe *exe = index < run->exe_count ? &run->exes[index] : NULL;
		const char *path = exe ? exe__file(exe) : NULL, *reason;
		const struct elf_facts *facts;
		struct elf_file *file;

		if (!exe || file_identity__of(path, exe->dev, exe->ino) == FILE_HAS_CHANGED)
			continue;
		file = elf_file__open(path);
		facts = elf_facts__of(file, &reason);
		if (facts && facts->libraries_known && !elf_facts__missing(facts))
			look_at(anatomy, i, facts, path);
		elf_file__close(file);
	}
}
