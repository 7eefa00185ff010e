// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

enum { CODE_MOST = 512, WORDS_MOST = 16 };
enum { VARIABLES, FUNCTION }; /* the first symbols that are looked for */

/* Is this word in memory that begins with zeros: no constant, and no address that the linker has set? */
static bool is_in_bss(const struct elf_object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_LOAD && address - segment->p_vaddr < segment->p_memsz)
			return address - segment->p_vaddr >= segment->p_filesz;
	}
	return false;
}

/*
 * currently_executing_command has no symbol. Of the variables that executing_line_number() reads it is the only
 * pointer. 0: not known.
 */
static uint64_t find_executed_command(const struct elf_object *object, uint64_t function, uint64_t size)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);
	unsigned char code[CODE_MOST];
	uint64_t words[WORDS_MOST], found = 0;
	size_t count;

	if (!machine || !machine->loaded_words || size > sizeof(code) ||
	    !elf_object__read_at(object, function, code, size))
		return 0;
	count = machine->loaded_words(code, size, function, words, WORDS_MOST);
	for (size_t i = 0; i < count; i++) {
		if (!is_in_bss(object, words[i]) || words[i] == found)
			continue;
		if (found)
			return 0;
		found = words[i];
	}
	return found;
}

/* bash exports its variables for builtins that are loaded at run time (enable -f), so a stripped one has them, too. */
bool bash_layout__find(struct elf_file *file, struct shell_value *found)
{
	const uint64_t start = elf_object__start_code(&file->object);
	struct bash_layout *bash = &found->bash;
	__u64 function = 0, command;
	struct wanted_symbol wanted[] = {
		[VARIABLES] = { .name = "global_variables", .value = &bash->variables },
		[FUNCTION] = { .name = "executing_line_number", .value = &function },
		{ .name = "line_number", .value = &bash->line },
		{ .name = "line_number_for_err_trap", .value = &bash->error_line },
		{ .name = "running_trap", .value = &bash->trap },
		{ .name = "variable_context", .value = &bash->depth },
		{ .name = "this_shell_function", .value = &bash->function },
		{ .name = "interactive_shell", .value = &bash->interactive },
		{ .name = "subshell_environment", .value = &bash->subshell },
		{ .name = "bash_input", .value = &bash->input },
		{ .name = "command_execution_string", .value = &bash->commands, .is_optional = true },
	};

	if (!wanted_symbols__find(&file->object, start, wanted, sizeof(wanted) / sizeof(wanted[0])))
		return false;
	command = find_executed_command(&file->object, function + start, wanted[FUNCTION].size);
	bash->command = command ? command - start : 0;
	return true;
}
