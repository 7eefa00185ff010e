// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/bindnow/read_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/facts.h"
#include "elf/relocations.h"
#include "resolve/bindnow/file_way.h"

/* A command such as make or a test suite executes many files, and libraries multiply them. */
enum { PROGRAMS_MOST = 32, FILES_MOST = 512 };

struct file_id {
	dev_t dev;
	ino_t ino;
};

struct builder {
	struct bindnow_files *files;
	struct file_id *seen; /* of each file; 0, 0 where it could not be found */
	size_t programs;
};

static bool is_bound(const struct elf_facts *facts)
{
	return facts->linkage <= LINKAGE_LIBRARY;
}

static void fill(struct bindnow_file *file, struct elf_file *elf)
{
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(elf, &reason);
	const struct elf_relocations *relocations = NULL;

	if (facts && !is_bound(facts))
		reason = elf_linkage_keys[facts->linkage];
	else if (facts)
		relocations = elf_relocations__of(elf, &reason);
	if (!relocations) {
		file->reason = checked_strdup(reason);
		return;
	}
	file->way = bindnow_way__of(facts, relocations, file->is_program);
	file->functions = relocations->counts[RELOC_JUMP_SLOT];
}

static const struct file_id not_there;

static struct file_id id_of(const struct elf_file *elf)
{
	return (struct file_id){ elf->object.stat.st_dev, elf->object.stat.st_ino };
}

static bool is_known(const struct builder *builder, const char *path, struct file_id id)
{
	for (size_t i = 0; i < builder->files->count; i++) {
		if (id.ino ? id.ino == builder->seen[i].ino && id.dev == builder->seen[i].dev
			   : !strcmp(path, builder->files->files[i].path))
			return true;
	}
	return false;
}

static struct bindnow_file *append(struct builder *builder, const char *path, struct file_id id)
{
	struct bindnow_files *files = builder->files;
	struct bindnow_file *file;

	builder->seen = checked_grow(builder->seen, files->count, sizeof(*builder->seen));
	builder->seen[files->count] = id;
	files->files = checked_grow(files->files, files->count, sizeof(*files->files));
	file = &files->files[files->count++];
	*file = (struct bindnow_file){ .path = checked_strdup(path) };
	return file;
}

static void add_missing(struct builder *builder, const char *name, bool at_start)
{
	struct bindnow_file *file;

	if (is_known(builder, name, not_there))
		return;
	file = append(builder, name, not_there);
	file->at_start = at_start;
	file->reason = checked_strdup("not found where files alone say");
}

static void add_library(struct builder *builder, const char *path, bool at_start)
{
	struct elf_file *elf = elf_file__open(path);

	if (!is_known(builder, path, id_of(elf))) {
		struct bindnow_file *file = append(builder, path, id_of(elf));

		file->at_start = at_start;
		fill(file, elf);
	}
	elf_file__close(elf);
}

static void add_libraries(struct builder *builder, const struct elf_facts *facts, bool at_start)
{
	for (size_t i = 0; facts->libraries_known && i < facts->library_count; i++) {
		if (builder->files->count >= FILES_MOST)
			return;
		if (facts->libraries[i].path)
			add_library(builder, facts->libraries[i].path, at_start);
		else
			add_missing(builder, facts->libraries[i].name, at_start);
	}
}

/* A script stands for its interpreter, which may be a script again, as deep as the kernel goes. */
static void add_program(struct builder *builder, const char *path, bool at_start, int depth)
{
	struct elf_file *elf = elf_file__open(path);
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(elf, &reason);

	if (is_known(builder, path, id_of(elf))) {
		/* with all it needs */
	} else if (builder->programs == PROGRAMS_MOST) {
		builder->files->left_out++;
	} else if (facts && facts->linkage == LINKAGE_SCRIPT && facts->interp && depth) {
		add_program(builder, facts->interp, at_start, depth - 1);
	} else {
		struct bindnow_file *file = append(builder, path, id_of(elf));

		builder->programs++;
		file->is_program = true;
		file->at_start = at_start;
		fill(file, elf);
		if (facts)
			add_libraries(builder, facts, at_start);
	}
	elf_file__close(elf);
}

enum { SCRIPTS_DEEP = 4 };

static void add_exes(struct builder *builder, const struct run *run)
{
	const struct process *root = run->process_count ? &run->processes[0] : NULL;

	for (size_t i = 0; root && i < root->image_count; i++) {
		uint32_t exe = root->images[i].exe;

		if (exe != NO_EXE && run->exes[exe].path)
			add_program(builder, exe__file(&run->exes[exe]), true, SCRIPTS_DEEP);
	}
	for (size_t i = 0; i < run->exe_count; i++) {
		if (run->exes[i].path)
			add_program(builder, exe__file(&run->exes[i]), false, SCRIPTS_DEEP);
	}
}

/* A library that a program has, but no file asks for. Those that need none are ld.so, the vDSO and the like. */
static void add_opened(struct builder *builder, const char *path)
{
	struct elf_file *elf = elf_file__open(path);
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(elf, &reason);
	const size_t before = builder->files->count;

	if (facts && facts->linkage == LINKAGE_LIBRARY && facts->needed_count)
		add_library(builder, path, false);
	if (builder->files->count > before)
		builder->files->files[before].opened = true;
	elf_file__close(elf);
}

static void add_objects(struct builder *builder, const struct anatomy *anatomy)
{
	for (size_t i = 0; anatomy && i < anatomy->object_count; i++) {
		const struct object *object = &anatomy->objects[i];

		if (object->path && !object->changed && builder->files->count < FILES_MOST)
			add_opened(builder, object->path);
	}
}

struct bindnow_files *bindnow_files__read(const struct compare_column *column)
{
	struct builder builder = { .files = checked_calloc(1, sizeof(*builder.files)) };

	if (column->run_count) {
		add_exes(&builder, column->runs[0]);
		add_objects(&builder, column->runs[0]->anatomy);
	}
	if (!builder.files->count)
		add_program(&builder, column->path, true, SCRIPTS_DEEP);
	free(builder.seen);
	return builder.files;
}
