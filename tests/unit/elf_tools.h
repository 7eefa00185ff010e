/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What other tools say about an ELF file, line by line, and files built from given sources.
 */
#ifndef FORKTAX_ELF_TOOLS_H
#define FORKTAX_ELF_TOOLS_H

#include <dirent.h>

#include "elf_files.h"

struct tool {
	FILE *pipe;
	char *line;
	size_t room;
};

/* `command` with the file's path in place of %s. */
static inline struct tool tool__start(const char *command, const char *path)
{
	struct tool tool = { 0 };
	char text[5000];

	setenv("LC_ALL", "C", 1);
	snprintf(text, sizeof(text), command, path);
	tool.pipe = popen(text, "r");
	assert_non_null(tool.pipe);
	return tool;
}

/* The next line without its end; NULL: it was the last one, and the tool has ended. */
static inline char *tool__next(struct tool *tool)
{
	ssize_t length = getline(&tool->line, &tool->room, tool->pipe);

	if (length <= 0) {
		free(tool->line);
		pclose(tool->pipe);
		return NULL;
	}
	tool->line[strcspn(tool->line, "\n")] = '\0';
	return tool->line;
}

/* Builds `source` as DIRECTORY/NAME. False if there is no such compiler. */
static inline bool build_source(const char *name, const char *compiler, const char *source)
{
	char path[256], command[1024];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s.c", directory, name);
	stream = fopen(path, "we");
	assert_non_null(stream);
	fputs(source, stream);
	fclose(stream);
	snprintf(command, sizeof(command), "cd %s && %s -o %s %s.c 2>/dev/null", directory,
		 compiler, name, name);
	return system(command) == 0;
}

/* A copy of the file without section headers, as sstrip(1) leaves it; its path. */
static inline const char *without_sections(const char *path)
{
	static char copy[256];
	struct bytes bytes = bytes__read(path);
	FILE *stream;

	if (bytes.data[EI_CLASS] == ELFCLASS64) {
		Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;

		header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
	} else {
		Elf32_Ehdr *header = (Elf32_Ehdr *)bytes.data;

		header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
	}
	snprintf(copy, sizeof(copy), "%s/bare", directory);
	stream = fopen(copy, "we");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes.data, 1, bytes.size, stream), bytes.size);
	fclose(stream);
	free(bytes.data);
	return copy;
}

/* A program or library; no object that is still to be linked. */
static inline bool is_elf(const char *path)
{
	Elf64_Ehdr header = { .e_type = ET_NONE }; /* the type is where it is in one of 32 bits */
	struct stat status;
	FILE *stream;
	bool is;

	if (strchr(path, '\'') || stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	stream = fopen(path, "re");
	is = stream && fread(&header, 1, sizeof(header), stream) == sizeof(header) &&
	     !memcmp(header.e_ident, ELFMAG, SELFMAG) && (header.e_type == ET_EXEC || header.e_type == ET_DYN);
	if (stream)
		fclose(stream);
	return is;
}

/* Calls `check` for up to `most` ELF files of a directory; returns how many. */
static inline size_t for_each_elf(const char *directory, size_t most, void (*check)(const char *))
{
	DIR *listing = opendir(directory);
	struct dirent *entry;
	size_t count = 0;

	while (listing && count < most && (entry = readdir(listing))) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (!is_elf(path))
			continue;
		check(path);
		count++;
	}
	if (listing)
		closedir(listing);
	return count;
}

#endif
