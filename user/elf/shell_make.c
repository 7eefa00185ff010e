// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

/* GNU make exports its variables to the modules that it can load. The kernel half looks which version it is. */
bool make_layout__find(struct elf_file *file, struct shell_value *found)
{
	struct make_layout *make = &found->make;
	struct wanted_symbol wanted[] = {
		{ .name = "shell_function_pid", .value = &make->shell_pid },
		{ .name = "version_string", .value = &make->version },
		{ .name = "children", .value = &make->children },
		{ .name = "reading_file", .value = &make->reading_file },
		{ .name = "starting_directory", .value = &make->directory },
	};

	return wanted_symbols__find(&file->object, elf_object__start_code(&file->object), wanted,
				    sizeof(wanted) / sizeof(wanted[0]));
}
