// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

/* bash exports its variables for builtins that are loaded at run time (enable -f), so a stripped one has them, too. */
bool bash_layout__find(struct elf_file *file, struct shell_value *found)
{
	struct bash_layout *bash = &found->bash;
	struct wanted_symbol wanted[] = {
		{ .name = "global_variables", .value = &bash->variables },
		{ .name = "line_number", .value = &bash->line },
		{ .name = "running_trap", .value = &bash->trap },
		{ .name = "command_execution_string", .value = &bash->commands, .is_optional = true },
	};

	return wanted_symbols__find(&file->object, elf_object__start_code(&file->object), wanted,
				    sizeof(wanted) / sizeof(wanted[0]));
}
