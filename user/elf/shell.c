// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell.h"

#include <string.h>

#include "elf/elf_machine.h"
#include "elf/facts.h"
#include "elf/file.h"
#include "elf/relocations.h"
#include "elf/wanted_symbols.h"
#include "forktax.h"

/*
 * Where the interpreter of each language keeps the line that it executes. False: the file is another one, or of a
 * version that is not known.
 */

/* Offsets in structures of CPython: Include/internal/pycore_{runtime,interp,frame}.h, Include/cpython/code.h. */
static const struct version {
	uint32_t hex; /* Py_Version, without the last 16 bits */
	struct python_layout layout;
} versions[] = {
	{ 0x030b0000, {
		.interpreters = 40,
		.next_interpreter = 0, .threads = 16,
		.thread_id = 152, .thread_frames = 56, .current_frame = 8,
		.code = 32, .previous = 48, .instruction = 56, .owner = 69,
		.first_line = 72, .instructions = 184,
		.characters = 48,
	} },
	{ 0x030c0000, {
		.interpreters = 40,
		.next_interpreter = 0, .threads = 72,
		.thread_id = 136, .thread_frames = 56, .current_frame = 0,
		.code = 0, .previous = 8, .instruction = 56, .owner = 70,
		.first_line = 68, .instructions = 192,
		.characters = 40,
	} },
	{ 0x030d0000, {
		.interpreters = 632,
		.next_interpreter = 7264, .threads = 7344,
		.thread_id = 152, .thread_frames = 72, .current_frame = PYTHON_NO_CFRAME,
		.code = 0, .previous = 8, .instruction = 56, .owner = 70,
		.first_line = 68, .instructions = 200,
		.characters = 40,
	} },
};

/* The first 16 bits of Py_Version, which is a constant of the file; 0: it cannot be read. */
static uint32_t version_at(const struct elf_object *object, uint64_t address)
{
	uint64_t version;

	return elf_object__read_at(object, address, &version, sizeof(version)) ? version & 0xffff0000 : 0;
}

/* What `object`, the executable or the library, has at distances from `start`. */
static bool read_python(const struct elf_object *object, uint64_t start, struct python_layout *found)
{
	struct python_layout at = {};
	__u64 version;
	struct wanted_symbol wanted[] = {
		{ .name = "Py_Version", .value = &version },
		{ .name = "_PyRuntime", .value = &at.runtime },
		{ .name = "PyCode_Type", .value = &at.code_type },
		{ .name = "PyUnicode_Type", .value = &at.text_type },
		{ .name = "PyBytes_Type", .value = &at.bytes_type },
		{ .name = "Py_BytesMain", .value = &at.function },
	};

	if (!wanted_symbols__find(object, start, wanted, sizeof(wanted) / sizeof(wanted[0])))
		return false;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (versions[i].hex != version_at(object, version + start))
			continue;
		*found = versions[i].layout;
		found->runtime = at.runtime;
		found->code_type = at.code_type;
		found->text_type = at.text_type;
		found->bytes_type = at.bytes_type;
		found->function = at.function;
		return true;
	}
	return false;
}

/* The word that gets the address of main() of the library. It is called before any line is executed. */
static uint64_t word_of_main(struct elf_file *file)
{
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(file, &reason);

	for (size_t i = 0; relocations && i < relocations->slot_count; i++) {
		const struct elf_slot *slot = &relocations->slots[i];

		if (slot->symbol && !strcmp(slot->symbol, "Py_BytesMain"))
			return slot->address - elf_object__start_code(&file->object);
	}
	return 0;
}

static bool read_library(const char *path, struct python_layout *found)
{
	struct elf_file *library = elf_file__open(path);
	bool is_python = library->opened == ELF_OPENED && read_python(&library->object, 0, found);

	elf_file__close(library);
	return is_python;
}

static bool find_library(struct elf_file *file, struct python_layout *found)
{
	const uint64_t word = word_of_main(file);
	const struct elf_facts *facts;
	const char *reason;

	if (!word)
		return false;
	facts = elf_facts__of(file, &reason);
	for (size_t i = 0; facts && i < facts->library_count; i++) {
		const struct elf_library *library = &facts->libraries[i];

		if (strncmp(library->name, "libpython", strlen("libpython")) || !library->path)
			continue;
		if (!read_library(library->path, found))
			return false;
		found->word = word;
		return true;
	}
	return false;
}

static bool python_layout__find(struct elf_file *file, struct shell_value *found)
{
	return read_python(&file->object, elf_object__start_code(&file->object), &found->python) ||
	       find_library(file, &found->python);
}

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
static bool bash_layout__find(struct elf_file *file, struct shell_value *found)
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

/* perl 5.36 with threads: intrpvar.h, cop.h. */
enum { REVISION = 5, VERSION = 36, STATEMENT = 208, LINE = 36, FILE_NAME = 48 };

/* The size of its struct interpreter depends on how it was configured, and on the C library's types; 0: not known. */
static uint16_t interpreter_size(const struct elf_object *object)
{
	switch (object->header.e_machine) {
	case EM_X86_64:
		return 3768;
	case EM_AARCH64:
		return 3864;
	default:
		return 0;
	}
}

/* From the thread pointer to the executable's own thread-local memory. */
static bool from_thread(const struct elf_object *object, uint64_t offset, __u64 *distance)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);
	const GElf_Phdr *segment = elf_object__segment(object, PT_TLS);
	const uint64_t align = segment && segment->p_align ? segment->p_align : 1;

	if (!segment || !machine)
		return false;
	if (machine->tls_head)
		*distance = (machine->tls_head + align - 1) / align * align + offset;
	else
		*distance = offset - (segment->p_memsz + align - 1) / align * align;
	return true;
}

static bool perl_layout__find(struct elf_file *file, struct shell_value *found)
{
	const struct elf_object *object = &file->object;
	__u64 context, size_at, revision_at, version_at;
	uint8_t revision, version;
	uint16_t size;
	struct wanted_symbol wanted[] = {
		{ .name = "PL_current_context", .value = &context },
		{ .name = "PL_interp_size", .value = &size_at },
		{ .name = "PL_revision", .value = &revision_at },
		{ .name = "PL_version", .value = &version_at },
	};

	if (!wanted_symbols__find(object, 0, wanted, sizeof(wanted) / sizeof(wanted[0])) ||
	    !elf_object__read_at(object, size_at, &size, sizeof(size)) ||
	    !elf_object__read_at(object, revision_at, &revision, sizeof(revision)) ||
	    !elf_object__read_at(object, version_at, &version, sizeof(version)) || revision != REVISION ||
	    version != VERSION || size != interpreter_size(object))
		return false;
	found->perl.statement = STATEMENT;
	found->perl.line = LINE;
	found->perl.file = FILE_NAME;
	return from_thread(object, context, &found->perl.context);
}

/* GNU make exports its variables to the modules that it can load. The kernel half looks which version it is. */
static bool make_layout__find(struct elf_file *file, struct shell_value *found)
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

static bool zsh_layout__find(struct elf_file *file, struct shell_value *found)
{
	struct wanted_symbol wanted[] = {
		{ .name = "lineno", .value = &found->zsh.line },
		{ .name = "funcstack", .value = &found->zsh.frames },
		{ .name = "scriptfilename", .value = &found->zsh.file },
	};

	return wanted_symbols__find(&file->object, elf_object__start_code(&file->object), wanted,
				    sizeof(wanted) / sizeof(wanted[0]));
}

/* By what a file defines, whatever it is called. */
static const struct {
	enum script_language language;
	bool (*find)(struct elf_file *file, struct shell_value *found);
} languages[] = {
	{ LANGUAGE_BASH, bash_layout__find },
	{ LANGUAGE_PYTHON, python_layout__find },
	{ LANGUAGE_PERL, perl_layout__find },
	{ LANGUAGE_MAKE, make_layout__find },
	{ LANGUAGE_ZSH, zsh_layout__find },
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
