// SPDX-License-Identifier: GPL-2.0-or-later
/* Libraries and files, by whatever a run has recorded of them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/collecting.h"
#include "analysis/same.h"
#include "base/memory.h"
#include "base/text.h"

static bool is_library(const char *path)
{
	return path && text__names_library(path) && strncmp(text__file_name(path), "ld.so.", 6) != 0;
}

/* /lib and /usr/lib are one directory on most systems. */
static const char *without_usr(const char *path)
{
	return strncmp(path, "/usr/lib", 8) ? path : path + 4;
}

static void add_library(const struct collecting *collecting, const char *path)
{
	if (is_library(path))
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_LIBRARIES,
			.key = library_key(path),
			.name = checked_strdup(text__file_name(path)),
			.state = strchr(path, '/') ? checked_strdup(without_usr(path)) : NULL,
			.value = 1,
		});
}

static void libraries_of_facts(const struct collecting *collecting)
{
	const struct elf_facts *facts = collecting->column->facts;

	for (size_t i = 0; facts && facts->libraries_known && i < facts->library_count; i++)
		add_library(collecting, facts->libraries[i].path ? facts->libraries[i].path : facts->libraries[i].name);
}

void collect_libraries(const struct collecting *collecting)
{
	const struct run *run = collecting->run;

	libraries_of_facts(collecting);
	for (size_t i = 0; run->anatomy && i < run->anatomy->object_count; i++)
		add_library(collecting, run->anatomy->objects[i].path);
	for (size_t i = 0; run->start && i < run->start->object_count; i++)
		add_library(collecting, run->start->objects[i].path);
	for (size_t i = 0; run->files && i < run->files->row_count; i++) {
		const struct file_row *row = &run->files->rows[i];

		if (row->kind == FILE_NAMED && row->uses[FILE_MAPPED].calls)
			add_library(collecting, row->path);
	}
}

/* The program that was started is the same file whatever its path. */
static bool is_program(const struct run *run, const char *path)
{
	const struct exe *exe = run__first_exe(run);

	return exe && exe->path && !strcmp(exe__file(exe), path);
}

static void add_file(const struct collecting *collecting, const char *path, uint64_t calls)
{
	const bool program = is_program(collecting->run, path);

	collecting__add(collecting, (struct run_fact){
		.section = SECTION_FILES,
		.key = checked_strdup(program ? "" : path),
		.name = checked_strdup(program ? "the program itself" : path),
		.value = (double)calls,
	});
}

static void collect_file_rows(const struct collecting *collecting)
{
	const struct files *files = collecting->run->files;

	for (size_t i = 0; i < files->row_count; i++) {
		const struct file_row *row = &files->rows[i];

		if (row->kind == FILE_NAMED && file_row__calls(row))
			add_file(collecting, row->path, file_row__calls(row));
	}
}

/* Those of the first image: the rest of the command does not belong to its start. */
static void collect_calls_of_start(const struct collecting *collecting)
{
	const struct start *start = collecting->run->start;

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->path && !call->path_cut)
			add_file(collecting, call->path, 1);
	}
}

void collect_files(const struct collecting *collecting)
{
	if (collecting->run->files)
		collect_file_rows(collecting);
	else
		collect_calls_of_start(collecting);
}
