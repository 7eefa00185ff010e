// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/start/start_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "elf/cfi.h"
#include "elf/elf_machine.h"
#include "elf/facts.h"
#include "elf/mapping.h"
#include "elf/relocations.h"
#include "elf/symbols.h"

enum { FRAMES_MOST = 24 };

static const struct maker {
	const char *functions, *wrappers; /* with a space between */
	bool may_be_nameless;
} makers[START_MAKER_COUNT] = {
#define MAKER(id, ...) [MADE_BY_##id] = { __VA_ARGS__ },
#include "resolve/start/start_makers.def"
#undef MAKER
};

struct code_frame {
	const char *symbol; /* NULL: none is known. Static for the life of its file */
	const char *path; /* of its file; the same */
	bool is_libc;
};

struct code_file {
	char *path;
	struct elf_file *file;
};

struct start_code {
	const struct start *start;
	const char *program; /* NULL: not known */
	char *ldso; /* NULL: there is none, or it is not known */
	bool is_static;
	bool ldso_is_libc; /* of musl */
	struct code_file *files;
	size_t file_count;
	/* Of the call that was looked at last. */
	const struct start_call *call;
	struct code_frame frames[FRAMES_MOST];
	size_t frame_count; /* up to the first one outside libc, if the stack can be followed so far */
	const char *called; /* by it, through its PLT or GOT; NULL: not known. Static for the life of its file */
};

struct start_code *start_code__open(const struct run *run)
{
	struct start_code *code = checked_calloc(1, sizeof(*code));
	const struct exe *exe = run__first_exe(run);
	const char *path = exe && exe->linkage ? exe__file(exe) : NULL;
	char *reason = NULL;
	struct elf_facts *facts = path ? elf_facts__read(path, &reason) : NULL;

	code->start = run->start;
	if (facts && (facts->linkage == LINKAGE_STATIC || facts->linkage == LINKAGE_STATIC_PIE))
		code->is_static = true;
	if (facts && facts->bits == 64) {
		code->program = path;
		code->ldso = facts->interp ? checked_strdup(facts->interp) : NULL;
		code->ldso_is_libc = facts->interp && facts->libc == LIBC_MUSL;
	}
	elf_facts__free(facts);
	free(reason);
	return code;
}

void start_code__close(struct start_code *code)
{
	for (size_t i = 0; i < code->file_count; i++) {
		elf_file__close(code->files[i].file);
		free(code->files[i].path);
	}
	free(code->files);
	free(code->ldso);
	free(code);
}

static struct elf_file *file_of(struct start_code *code, const char *path)
{
	for (size_t i = 0; i < code->file_count; i++)
		if (!strcmp(code->files[i].path, path))
			return code->files[i].file;
	code->files = checked_grow(code->files, code->file_count, sizeof(*code->files));
	code->files[code->file_count++] = (struct code_file){ checked_strdup(path), elf_file__open(path) };
	return code->files[code->file_count - 1].file;
}

/* Where an address lies: in which file, and which address that gives to it. */
struct spot {
	struct elf_file *file;
	const char *path;
	uint64_t address;
	bool is_libc;
};

/* What the kernel mapped at the execve is in no call; `entry` is where its first instruction lies. */
static bool is_in(struct start_code *code, const char *path, uint64_t entry, uint64_t ip, struct spot *spot)
{
	struct elf_file *file = path && entry ? file_of(code, path) : NULL;
	uint64_t rest;

	if (!file || file->opened != ELF_OPENED)
		return false;
	spot->file = file;
	spot->path = path;
	spot->address = ip - entry + file->object.header.e_entry;
	return elf_object__file_offset(&file->object, spot->address, &rest) && rest;
}

static bool is_libc_name(const char *path)
{
	static const char *const names[] = { "libc.so.6", "libc-2.", "libpthread.so.0", "libpthread-2." };
	const char *name = text__file_name(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool find_spot(struct start_code *code, const struct start_view *view, uint64_t ip, struct spot *spot)
{
	const struct start_mapping *mapping = start_view__mapping(view, ip);
	const struct start *start = code->start;

	if (mapping) {
		if (!mapping->owner || *mapping->owner != '/')
			return false;
		spot->file = file_of(code, mapping->owner);
		spot->path = mapping->owner;
		spot->is_libc = mapping->is_library && is_libc_name(mapping->owner);
		return spot->file->opened == ELF_OPENED &&
		       elf_mapping__address(&spot->file->object, ip - mapping->begin + mapping->offset,
					    ELF_READ | ELF_EXEC, &spot->address);
	}
	if (is_in(code, code->program, start->program_address, ip, spot)) {
		spot->is_libc = code->is_static;
		return true;
	}
	spot->is_libc = true;
	return is_in(code, code->ldso, start->ldso_address, ip, spot);
}

/* Takes in the function at a spot whose address lies in the instruction that called. */
static void add_frame(struct start_code *code, const struct spot *spot)
{
	uint64_t distance;

	code->frames[code->frame_count++] = (struct code_frame){
		.symbol = elf_symbols__symbol(elf_symbols__of(spot->file), spot->address, &distance),
		.path = spot->path,
		.is_libc = spot->is_libc,
	};
}

static const char *symbol_of_slot(struct elf_file *file, uint64_t address)
{
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(file, &reason);
	size_t index;

	if (!relocations || !address)
		return NULL;
	index = elf_relocations__first_slot(relocations, address);
	if (index == relocations->slot_count || relocations->by_address[index]->address != address)
		return NULL;
	return relocations->by_address[index]->symbol;
}

/*
 * Which function of another object the call before that return address was for: the frame of a function that
 * has jumped on to another one (as fopen does) is not on the stack.
 */
static const char *function_called(struct elf_file *file, uint64_t address)
{
	return symbol_of_slot(file, elf_code__slot_of_call(&file->object, address));
}

/* From the code that made the call to the first that is not the C library's. */
static void walk(struct start_code *code, const struct start_view *view)
{
	const struct call_entry_stack *entry = view->call->stack;
	const struct elf_stack stack = { entry->sp, entry->words, entry->count };
	struct elf_registers registers = { entry->ip, entry->sp, entry->bp, entry->link };
	struct spot spot;

	while (code->frame_count < FRAMES_MOST) {
		/* Behind the call may stand another function. */
		if (!find_spot(code, view, registers.ip - 1, &spot))
			return;
		add_frame(code, &spot);
		if (!spot.is_libc && code->frame_count > 1)
			code->called = function_called(spot.file, spot.address + 1);
		if (!spot.is_libc || !elf_cfi__step(spot.file, spot.address, &stack, &registers))
			return;
	}
}

static void look_at(struct start_code *code, const struct start_view *view)
{
	if (code->call == view->call)
		return;
	code->call = view->call;
	code->frame_count = 0;
	code->called = NULL;
	if (view->call->stack)
		walk(code, view);
}

/* Compilers put what they have made of a function behind a dot: "ptmalloc_init.part.0". */
static bool is_among(const char *symbol, const char *names)
{
	return text__lists(names, symbol, strcspn(symbol, "."));
}

static enum start_says ldso_says(const struct start_code *code, const struct start_view *view)
{
	/* The linker of musl is its C library, too. */
	if (start_call__by_ldso(view->call))
		return code->ldso_is_libc && view->has_program ? CODE_UNKNOWN : CODE_IS_MAKER;
	return start_call__may_be_ldso(view->call) ? CODE_UNKNOWN : CODE_IS_ANOTHER;
}

/* Nothing separates a static program from its C library, but main() is the program's. */
static enum start_says static_libc_says(const struct start_code *code)
{
	const char *wrappers = makers[MADE_BY_LIBC_ITSELF].wrappers;

	for (size_t i = 1; i < code->frame_count; i++) {
		const char *symbol = code->frames[i - 1].symbol, *caller = code->frames[i].symbol;

		if (symbol && caller && !strcmp(caller, "main") && is_among(symbol, wrappers))
			return CODE_IS_ANOTHER;
	}
	return CODE_UNKNOWN;
}

/* By the function of the C library that the program has called. */
static enum start_says libc_says(const struct start_code *code)
{
	const char *wrappers = makers[MADE_BY_LIBC_ITSELF].wrappers, *called = code->called;
	size_t count = code->frame_count;

	if (code->is_static)
		return static_libc_says(code);
	if (!count || code->frames[--count].is_libc)
		return CODE_UNKNOWN;
	if (!count) /* the program's own system call */
		return CODE_IS_ANOTHER;
	if (!called)
		called = code->frames[count - 1].symbol;
	if (!called)
		return CODE_UNKNOWN;
	/* Such a function only asks for what it is given. */
	return is_among(called, wrappers) ? CODE_IS_ANOTHER : CODE_IS_MAKER;
}

/* Programs may have such a library in themselves: then only the path speaks for it. */
static enum start_says library_says(const struct start_code *code, enum start_maker maker)
{
	const struct code_frame *last = code->frame_count ? &code->frames[code->frame_count - 1] : NULL;

	return last && last->path && is_among(text__file_name(last->path), makers[maker].functions) ? CODE_IS_MAKER
												    : CODE_UNKNOWN;
}

enum start_says start_code__says(struct start_code *code, const struct start_view *view, enum start_maker maker)
{
	const struct maker *wanted = &makers[maker];
	bool has_nameless = false;

	if (maker == MADE_BY_ANYBODY)
		return CODE_IS_MAKER;
	if (maker == MADE_BY_LDSO)
		return ldso_says(code, view);
	look_at(code, view);
	if (maker == MADE_BY_LIBC_ITSELF)
		return libc_says(code);
	if (maker == MADE_BY_TERMINAL_LIBRARY)
		return library_says(code, maker);
	for (size_t i = 0; i < code->frame_count; i++) {
		const struct code_frame *frame = &code->frames[i];

		if (!frame->is_libc)
			return has_nameless && wanted->may_be_nameless ? CODE_UNKNOWN : CODE_IS_ANOTHER;
		if (frame->symbol && is_among(frame->symbol, wanted->functions))
			return CODE_IS_MAKER;
		/* Nothing separates a static program from its C library, but what is a wrapper. */
		if (code->is_static && (!frame->symbol || !is_among(frame->symbol, wanted->wrappers)))
			return frame->symbol ? CODE_IS_ANOTHER : CODE_UNKNOWN;
		has_nameless |= !frame->symbol;
	}
	return CODE_UNKNOWN;
}
