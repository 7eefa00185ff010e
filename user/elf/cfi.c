// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/cfi.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/memory.h"
#include "elf/elf_machine.h"

/* NULL: of this machine the caller is not found by the stack alone. */
static const struct elf_machine *machine_of(const struct elf_object *object)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);

	return machine && machine->word ? machine : NULL;
}

/* Programs have .eh_frame; some, as those of Go, have .debug_frame alone. */
struct tables {
	Dwarf_CFI *eh_frame; /* NULL: none */
	Dwarf *dwarf; /* this, too */
	Dwarf_CFI *debug_frame; /* belongs to dwarf */
};

static void release(void *data)
{
	struct tables *tables = data;

	if (tables->eh_frame)
		dwarf_cfi_end(tables->eh_frame);
	dwarf_end(tables->dwarf);
	free(tables);
}

static const struct tables *tables_of(struct elf_file *file)
{
	struct elf_part *part = &file->parts[ELF_PART_CFI];
	struct tables *tables;

	if (part->made || file->opened != ELF_OPENED)
		return part->data;
	tables = checked_calloc(1, sizeof(*tables));
	tables->eh_frame = dwarf_getcfi_elf(file->object.elf);
	tables->dwarf = dwarf_begin_elf(file->object.elf, DWARF_C_READ, NULL);
	tables->debug_frame = tables->dwarf ? dwarf_getcfi(tables->dwarf) : NULL;
	part->made = true;
	part->data = tables;
	part->release = release;
	return tables;
}

static Dwarf_Frame *frame_at(const struct tables *tables, uint64_t address)
{
	Dwarf_Frame *frame = NULL;

	if (tables->eh_frame && !dwarf_cfi_addrframe(tables->eh_frame, address, &frame))
		return frame;
	if (tables->debug_frame && !dwarf_cfi_addrframe(tables->debug_frame, address, &frame))
		return frame;
	return NULL;
}

/* Marked so in the code that a program, or a thread, begins with. */
static bool is_outermost(Dwarf_Frame *frame)
{
	Dwarf_Op storage[3], *steps;
	size_t count;
	const int address = dwarf_frame_info(frame, NULL, NULL, NULL);

	/* The room without a step: it is undefined. NULL: it is the caller's. */
	return address >= 0 && !dwarf_frame_register(frame, address, storage, &steps, &count) &&
	       !count && steps == storage;
}

/* The canonical frame address is the stack pointer's value before the call: register plus distance. */
static enum elf_frame_kind kind_of(Dwarf_Frame *frame, const struct elf_machine *machine)
{
	Dwarf_Op *steps;
	size_t count;

	if (is_outermost(frame))
		return ELF_FRAME_OUTERMOST;
	/* libdw gives all that are no expression in this form: the register, and the distance. */
	if (dwarf_frame_cfa(frame, &steps, &count) || count != 1 || steps[0].atom != DW_OP_bregx)
		return ELF_FRAME_ELSEWHERE;
	if (steps[0].number == machine->frame_pointer && steps[0].number2 == 2 * machine->word)
		return ELF_FRAME_BY_POINTER;
	if (steps[0].number == machine->stack_pointer && steps[0].number2 == machine->word)
		return ELF_FRAME_ON_TOP;
	return ELF_FRAME_ELSEWHERE;
}

enum elf_frame_kind elf_cfi__frame(struct elf_file *file, uint64_t address)
{
	const struct elf_machine *machine = machine_of(&file->object);
	const struct tables *tables = machine ? tables_of(file) : NULL;
	Dwarf_Frame *frame = tables ? frame_at(tables, address) : NULL;
	enum elf_frame_kind kind = frame ? kind_of(frame, machine) : ELF_FRAME_UNKNOWN;

	free(frame);
	return kind;
}

static bool read_word(const struct elf_stack *stack, uint64_t address, uint64_t *word)
{
	const uint64_t index = (address - stack->sp) / sizeof(*word);

	if (address < stack->sp || address % sizeof(*word) || index >= stack->count)
		return false;
	*word = stack->words[index];
	return true;
}

/* The canonical frame address, where it is a register plus a distance. */
static bool find_frame_address(Dwarf_Frame *frame, const struct elf_machine *machine,
			       const struct elf_registers *registers, uint64_t *address)
{
	Dwarf_Op *steps;
	size_t count;

	if (dwarf_frame_cfa(frame, &steps, &count) || count != 1 || steps[0].atom != DW_OP_bregx ||
	    (steps[0].number != machine->stack_pointer && steps[0].number != machine->frame_pointer))
		return false;
	*address = steps[0].number2 +
		   (steps[0].number == machine->stack_pointer ? registers->sp : registers->bp);
	return true;
}

/* A register of the caller: unchanged, or on the stack at a distance from the frame address. */
static bool find_register(Dwarf_Frame *frame, int number, const struct elf_stack *stack,
			  uint64_t frame_address, uint64_t *value)
{
	Dwarf_Op storage[3], *steps;
	size_t count;

	if (dwarf_frame_register(frame, number, storage, &steps, &count))
		return false;
	if (!count)
		return !steps; /* else it is lost */
	if (steps[0].atom != DW_OP_call_frame_cfa || count > 2 ||
	    (count == 2 && steps[1].atom != DW_OP_plus_uconst))
		return false;
	return read_word(stack, frame_address + (count == 2 ? steps[1].number : 0), value);
}

bool elf_cfi__step(struct elf_file *file, uint64_t address, const struct elf_stack *stack,
		   struct elf_registers *registers)
{
	const struct elf_machine *machine = machine_of(&file->object);
	const struct tables *tables = machine && machine->word == sizeof(uint64_t) ? tables_of(file) : NULL;
	Dwarf_Frame *frame = tables ? frame_at(tables, address) : NULL;
	const int returns = frame ? dwarf_frame_info(frame, NULL, NULL, NULL) : -1;
	struct elf_registers next = *registers;
	bool found;

	found = returns >= 0 && !is_outermost(frame) &&
		find_frame_address(frame, machine, registers, &next.sp) && next.sp > registers->sp &&
		find_register(frame, returns, stack, next.sp, &next.ip) &&
		find_register(frame, (int)machine->frame_pointer, stack, next.sp, &next.bp);
	free(frame);
	if (found)
		*registers = next;
	return found;
}
