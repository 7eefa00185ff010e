// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "elf/facts.h"
#include "elf/relocations.h"
#include "elf/shell_layouts.h"
#include "elf/wanted_symbols.h"

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

bool python_layout__find(struct elf_file *file, struct shell_value *found)
{
	return read_python(&file->object, elf_object__start_code(&file->object), &found->python) ||
	       find_library(file, &found->python);
}
