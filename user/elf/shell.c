// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell.h"

#include "elf/shell_layouts.h"

/* By what a file defines, whatever it is called. */
static const struct {
	enum script_language language;
	bool (*find)(struct elf_file *file, struct shell_value *found);
} languages[] = {
	{ LANGUAGE_BASH, bash_layout__find },
	{ LANGUAGE_PYTHON, python_layout__find },
	{ LANGUAGE_PERL, perl_layout__find },
	{ LANGUAGE_MAKE, make_layout__find },
};

bool elf_shell__find(const char *path, struct shell_value *found)
{
	struct elf_file *file = elf_file__open(path);
	bool is_shell = false;

	if (file->opened == ELF_OPENED && file->object.header.e_ident[EI_CLASS] == ELFCLASS64)
		for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]) && !is_shell; i++) {
			*found = (struct shell_value){ .language = languages[i].language };
			is_shell = languages[i].find(file, found);
		}
	elf_file__close(file);
	return is_shell;
}
