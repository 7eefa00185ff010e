// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/check_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/debug.h"
#include "elf/facts.h"

enum { ID_BYTES = 4 }; /* of a build id: enough to tell builds apart */

/* The interpreter that a file names; to be freed; NULL: none. */
static char *interpreter_of(const char *path)
{
	autofree char *reason = NULL;
	struct elf_facts *facts = elf_facts__read(path, &reason);
	char *interp = facts && facts->interp ? checked_strdup(facts->interp) : NULL;

	elf_facts__free(facts);
	return interp;
}

static char *libc_of(const char *interp)
{
	struct elf_file *file = elf_file__open(interp);
	char digits[2 * ID_BYTES + 1] = "", *text;
	struct build_id id = { 0 };

	if (!elf_file__problem(file))
		id = build_id__of(&file->object);
	for (size_t i = 0; i < ID_BYTES && i < id.size; i++)
		snprintf(digits + 2 * i, 3, "%02x", id.bytes[i]);
	text = text__of("%s %s", text__file_name(interp), id.size ? digits : "without a build id");
	elf_file__close(file);
	return text;
}

/*
 * The libc of the machine, by its dynamic linker: the one that we run by ourselves or, where we are
 * linked statically, the one of the shell. It is not the commands' own: one of them that comes to be
 * linked with another libc has changed, and the machine has not.
 */
static char *find_libc(void)
{
	autofree char *interp = interpreter_of("/proc/self/exe");

	if (!interp)
		interp = interpreter_of("/bin/sh");
	return interp ? libc_of(interp) : checked_strdup("none");
}

/* The word in brackets of "always [madvise] never". */
static char *find_huge_pages(void)
{
	FILE *stream = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
	char line[128] = "", *word = NULL;

	if (stream) {
		if (fgets(line, sizeof(line), stream))
			word = strchr(line, '[');
		fclose(stream);
	}
	if (!word)
		return checked_strdup("none");
	word[strcspn(word, "]")] = '\0';
	return checked_strdup(word + 1);
}

/* LD_BIND_NOW, LD_PRELOAD, ...: they decide what a process does before main(), and what malloc does. */
static bool is_heeded(const char *entry)
{
	static const char *const begins[] = { "LD_", "GLIBC_TUNABLES=", "MALLOC_" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(entry, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* With "." for the directory, wherever it stands. */
static char *without_directory(const char *entry, const char *here)
{
	char *text = checked_strdup(entry), *found;

	while (strlen(here) > 1 && (found = strstr(text, here)))
		text__replace(&text, "%.*s.%s", (int)(found - text), text, found + strlen(here));
	return text;
}

static char **find_settings(const char *here)
{
	char **settings = checked_calloc(text__list_length(environ) + 1, sizeof(*settings));
	size_t count = 0;

	for (char **entry = environ; *entry; entry++)
		if (is_heeded(*entry))
			settings[count++] = without_directory(*entry, here);
	return settings;
}

void check_machine__look(struct check_machine *machine)
{
	char *here = realpath(".", NULL);

	*machine = (struct check_machine){
		.here = here ? here : checked_strdup("/"),
		.libc = find_libc(),
		.huge_pages = find_huge_pages(),
	};
	machine->settings = find_settings(machine->here);
}

void check_machine__release(struct check_machine *machine)
{
	free(machine->here);
	free(machine->libc);
	free(machine->huge_pages);
	text__free_list(machine->settings);
}
