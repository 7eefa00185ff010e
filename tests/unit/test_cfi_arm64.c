// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callers in code of arm64: whether the frame pointer leads to them, from the call frame information and the
 * instructions of made functions; and which word a call through a procedure linkage table goes by.
 */
#include "elf_tools.h"

#include "elf/cfi.h"
#include "elf/elf_machine.h"
#include "elf/relocations.h"

enum { TEXT = 0x10000, SLOT = 64, FAR_CALL = 8 };

#define BUILD "aarch64-linux-gnu-gcc -shared -nostdlib -Wl,-z,lazy -Wl,-Ttext=0x10000 "

/* Each function has a slot of its own, from TEXT on. */
static const char functions[] =
	"#define FUNCTION(code) __asm__(\".text\\n.balign 64\\n.cfi_startproc\\n\" code \"ret\\n.cfi_endproc\\n\");\n"
	"#define SAVED \".cfi_def_cfa_offset 32\\n.cfi_offset 29, -32\\n.cfi_offset 30, -24\\n\"\n"
	/* 0: as gcc begins and ends a function that signs its return address */
	"FUNCTION(\"paciasp\\n.cfi_negate_ra_state\\nstp x29, x30, [sp, -32]!\\n\" SAVED \"mov x29, sp\\nnop\\n\"\n"
	"	\"ldp x29, x30, [sp], 32\\n.cfi_restore 30\\n.cfi_restore 29\\n.cfi_def_cfa_offset 0\\n\"\n"
	"	\"autiasp\\n.cfi_negate_ra_state\\n\")\n"
	/* 1: x29 is saved, and used for something else */
	"FUNCTION(\"stp x29, x30, [sp, -32]!\\n\" SAVED \"mov x29, x0\\nnop\\n\")\n"
	/* 2: it leads to another place of the frame */
	"FUNCTION(\"stp x29, x30, [sp, -32]!\\n\" SAVED \"add x29, sp, 16\\nnop\\n\")\n"
	/* 3: it leads there, further up in the frame */
	"FUNCTION(\"sub sp, sp, 64\\nstp x29, x30, [sp, 32]\\n.cfi_def_cfa_offset 64\\n.cfi_offset 29, -32\\n\"\n"
	"	\".cfi_offset 30, -24\\nadd x29, sp, 32\\nnop\\n\")\n"
	/* 4: the table says that it leads there */
	"FUNCTION(\".cfi_def_cfa 29, 16\\n.cfi_offset 29, -16\\n.cfi_offset 30, -8\\nnop\\n\")\n"
	/* 5: the table says that it leads elsewhere */
	"FUNCTION(\".cfi_def_cfa 29, 32\\n.cfi_offset 29, -16\\n.cfi_offset 30, -8\\nnop\\n\")\n"
	/* 6: only the return address is saved */
	"FUNCTION(\"str x30, [sp, -16]!\\n.cfi_def_cfa_offset 16\\n.cfi_offset 30, -16\\nnop\\n\")\n"
	/* 7: nothing called it */
	"FUNCTION(\".cfi_undefined 30\\nnop\\n\")\n"
	/* 8: another function, whose x29 leads there, must not count for this one */
	"FUNCTION(SAVED \"nop\\n\")\n"
	/* 9: calls another file; no table */
	"__asm__(\".balign 64\\nnop\\nnop\\nbl far\\nnop\\n\");\n"
	/* 10: the same, by an entry that begins with BTI, as linkers make them in some programs */
	"__asm__(\".balign 64\\nnop\\nnop\\nbl entry\\nnop\\nentry:\\nhint 34\\nadrp x16, :got:other\\n\"\n"
	"	\"ldr x17, [x16, :got_lo12:other]\\nbr x17\\n\");\n";

static const struct {
	int function, distance;
	enum elf_frame_kind kind;
} kinds[] = {
	{ 0, 0, ELF_FRAME_ON_TOP },
	{ 0, 4, ELF_FRAME_ON_TOP },
	{ 0, 8, ELF_FRAME_ELSEWHERE },
	{ 0, 12, ELF_FRAME_BY_POINTER },
	{ 0, 16, ELF_FRAME_BY_POINTER },
	{ 0, 20, ELF_FRAME_ON_TOP },
	{ 0, 24, ELF_FRAME_ON_TOP },
	{ 1, 8, ELF_FRAME_ELSEWHERE },
	{ 2, 8, ELF_FRAME_ELSEWHERE },
	{ 3, 8, ELF_FRAME_ELSEWHERE },
	{ 3, 12, ELF_FRAME_BY_POINTER },
	{ 4, 4, ELF_FRAME_BY_POINTER },
	{ 5, 4, ELF_FRAME_ELSEWHERE },
	{ 6, 4, ELF_FRAME_ELSEWHERE },
	{ 7, 0, ELF_FRAME_OUTERMOST },
	{ 8, 4, ELF_FRAME_ELSEWHERE },
	{ 9, 0, ELF_FRAME_UNKNOWN },
};

static struct elf_file *made_file(const char *options)
{
	char command[512];

	snprintf(command, sizeof(command), BUILD "%s", options);
	if (!build_source("functions.so", command, functions))
		skip();
	elf_files__forget(); /* it may have been another one */
	return elf_file__open(path_of("functions.so"));
}

static void frames_of_functions(void **state)
{
	struct elf_file *file = made_file("");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint64_t address = TEXT + kinds[i].function * SLOT + kinds[i].distance;
		const enum elf_frame_kind kind = elf_cfi__frame(file, address);

		if (kind != kinds[i].kind)
			fail_msg("function %d+%d: %d, not %d", kinds[i].function, kinds[i].distance, kind,
				 kinds[i].kind);
	}
	elf_file__close(file);
}

/* Where functions begin is in a table of the linker: without that, the frame pointer's chain is only claimed. */
static void frames_without_the_table_of_functions(void **state)
{
	struct elf_file *file = made_file("-Wl,--no-eh-frame-hdr");

	assert_int_equal(elf_cfi__frame(file, TEXT + 12), ELF_FRAME_UNKNOWN);
	assert_int_equal(elf_cfi__frame(file, TEXT + 4 * SLOT + 4), ELF_FRAME_BY_POINTER);
	elf_file__close(file);
}

static void callers_are_found(void **state)
{
	enum { SP = 0x7000, FRAME = 0x7100, RETURN = 0x401234 };
	const uint64_t words[] = { FRAME, 0x00aa000000000000 | RETURN, 0, 0 };
	const struct elf_stack stack = { SP, words, 4 };
	struct elf_file *file = made_file("");
	/* In the body: from the stack, without the signature. */
	struct elf_registers registers = { .ip = 1, .sp = SP, .bp = 2, .link = 3 };

	assert_true(elf_cfi__step(file, TEXT + 12, &stack, &registers));
	assert_true(registers.ip == RETURN && registers.sp == SP + 32 && registers.bp == FRAME && !registers.link);
	/* Where it begins: the register alone, once. */
	registers = (struct elf_registers){ .ip = 1, .sp = SP, .bp = 2, .link = RETURN };
	assert_true(elf_cfi__step(file, TEXT, &stack, &registers));
	assert_true(registers.ip == RETURN && registers.sp == SP && registers.bp == 2 && !registers.link);
	assert_false(elf_cfi__step(file, TEXT, &stack, &registers));
	/* Nothing called it. */
	registers.link = RETURN;
	assert_false(elf_cfi__step(file, TEXT + 7 * SLOT, &stack, &registers));
	elf_file__close(file);
}

static const char *symbol_called(struct elf_file *file, int function)
{
	const uint64_t slot = elf_code__slot_of_call(&file->object, TEXT + function * SLOT + FAR_CALL + 4);
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(file, &reason);
	size_t index;

	assert_non_null(relocations);
	index = elf_relocations__first_slot(relocations, slot);
	if (index == relocations->slot_count || relocations->by_address[index]->address != slot)
		return "none";
	return relocations->by_address[index]->symbol;
}

static void calls_through_linkage_tables(void **state)
{
	static const char *const ways[] = { "", "-Wl,-z,force-bti", "-Wl,-z,pac-plt", "-Wl,-z,force-bti,-z,pac-plt" };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct elf_file *file = made_file(ways[i]);

		assert_string_equal(symbol_called(file, 9), "far");
		assert_string_equal(symbol_called(file, 10), "other");
		assert_true(elf_code__slot_of_call(&file->object, TEXT + 9 * SLOT + FAR_CALL) == 0); /* no call */
		elf_file__close(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_functions),
		cmocka_unit_test(frames_without_the_table_of_functions),
		cmocka_unit_test(callers_are_found),
		cmocka_unit_test(calls_through_linkage_tables),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
