// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/cfi.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/memory.h"
#include "elf/cfi_bytes.h"
#include "elf/elf_machine.h"

enum { HEAD_BYTES = 12, ENTRY_BYTES = 8 };

/* Of .eh_frame_hdr (Linux Standard Base, Core, "Exception Frames"), which the linker sorts by address. */
struct head {
	unsigned char version, frame_encoding, count_encoding, table_encoding;
	int32_t frame;
	uint32_t count;
};

static bool read_head(const struct elf_object *object, uint64_t at, struct head *head)
{
	_Static_assert(sizeof(*head) == HEAD_BYTES, "as in the file");
	return elf_object__read_at(object, at, head, sizeof(*head)) && head->version == 1 &&
	       head->frame_encoding == (DW_EH_PE_pcrel | DW_EH_PE_sdata4) && head->count_encoding == DW_EH_PE_udata4 &&
	       head->table_encoding == (DW_EH_PE_datarel | DW_EH_PE_sdata4);
}

/* A function's address, then that of its frame description; both relative to the header. */
static bool read_entry(const struct elf_object *object, uint64_t header, uint64_t index, uint64_t *start)
{
	int32_t entry[2];

	if (!elf_object__read_at(object, header + HEAD_BYTES + index * ENTRY_BYTES, entry, sizeof(entry)))
		return false;
	*start = header + (int64_t)entry[0];
	return true;
}

/*
 * Where the function begins that has an address (virtual, of the file); 0: not known. Parts of a function that the
 * compiler has put elsewhere ("function.cold") begin where they are.
 */
static uint64_t function_start(const struct elf_object *object, uint64_t address)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_GNU_EH_FRAME);
	uint64_t first = 0, last, start = 0, found = 0;
	struct head head;

	/* Words are read as they stand in memory: files of the other byte order have no answer. */
	if (!segment || object->header.e_ident[EI_DATA] != ELFDATA2LSB || !read_head(object, segment->p_vaddr, &head))
		return 0;
	last = head.count;
	while (first < last) {
		const uint64_t middle = first + (last - first) / 2;

		if (!read_entry(object, segment->p_vaddr, middle, &start))
			return 0;
		if (start > address) {
			last = middle;
			continue;
		}
		found = start;
		first = middle + 1;
	}
	return found;
}

enum {
	CODE_PIECE = 4096, /* bytes of code that are read at once */
	TABLE_BYTES_MOST = 80 << 20, /* of all tables of a file; larger ones are not read */
};

/* NULL: not known. */
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
	struct cfi_bytes bytes;
	struct tables *tables;

	if (part->made || file->opened != ELF_OPENED)
		return part->data;
	tables = checked_calloc(1, sizeof(*tables));
	bytes = cfi_bytes__of(&file->object);
	if (bytes.eh_frame <= TABLE_BYTES_MOST) {
		tables->eh_frame = dwarf_getcfi_elf(file->object.elf);
		part->bytes = bytes.eh_frame;
	}
	if (bytes.debug <= TABLE_BYTES_MOST - part->bytes) {
		tables->dwarf = dwarf_begin_elf(file->object.elf, DWARF_C_READ, NULL);
		part->bytes += bytes.debug;
	}
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

/* Where a register of the caller is. */
enum whereabouts { REG_UNCHANGED, REG_SAVED /* at a distance from the frame address */, REG_LOST, REG_ELSEWHERE };

static enum whereabouts find_register(Dwarf_Frame *frame, int number, int64_t *distance)
{
	Dwarf_Op storage[3], *steps;
	size_t count;

	if (dwarf_frame_register(frame, number, storage, &steps, &count))
		return REG_ELSEWHERE;
	/* The room without a step: it is undefined. NULL: it is the caller's. */
	if (!count)
		return steps ? REG_LOST : REG_UNCHANGED;
	if (steps[0].atom != DW_OP_call_frame_cfa || count > 2 || (count == 2 && steps[1].atom != DW_OP_plus_uconst))
		return REG_ELSEWHERE;
	*distance = count == 2 ? (int64_t)steps[1].number : 0;
	return REG_SAVED;
}

/* Marked so in the code that a program, or a thread, begins with. */
static bool is_outermost(Dwarf_Frame *frame)
{
	const int address = dwarf_frame_info(frame, NULL, NULL, NULL);
	int64_t distance;

	return address >= 0 && find_register(frame, address, &distance) == REG_LOST;
}

/* The canonical frame address is the stack pointer's value before the call: register plus distance. */
struct frame_base {
	uint64_t number; /* of the register */
	int64_t distance;
};

/* libdw gives all that are no expression in this form. */
static bool find_base(Dwarf_Frame *frame, struct frame_base *base)
{
	Dwarf_Op *steps;
	size_t count;

	if (dwarf_frame_cfa(frame, &steps, &count) || count != 1 || steps[0].atom != DW_OP_bregx)
		return false;
	*base = (struct frame_base){ steps[0].number, steps[0].number2 };
	return true;
}

/* A function: its file, and the tables of that. */
struct function {
	const struct elf_object *object;
	const struct elf_machine *machine;
	const struct tables *tables;
	uint64_t address; /* of the instruction in it */
};

/* Calls put the address to return to on the stack. */
static enum elf_frame_kind kind_on_stack(const struct elf_machine *machine, const struct frame_base *base)
{
	const int64_t word = (int64_t)machine->word;

	if (base->number == machine->frame_pointer && base->distance == 2 * word)
		return ELF_FRAME_BY_POINTER;
	return base->number == machine->stack_pointer && base->distance == word ? ELF_FRAME_ON_TOP :
										   ELF_FRAME_ELSEWHERE;
}

/* Behind the instruction at this address, does the frame pointer lead to where it was saved? */
static bool sets_pointer(const struct function *function, uint64_t address, const unsigned char *code)
{
	const struct elf_machine *machine = function->machine;
	const uint64_t next = address + machine->instruction;
	struct frame_base base;
	uint64_t distance;
	int64_t saved;
	Dwarf_Frame *frame;
	bool leads;

	if (!machine->sets_frame_pointer(code, &distance))
		return false;
	frame = frame_at(function->tables, next);
	leads = frame && find_base(frame, &base) &&
		find_register(frame, (int)machine->frame_pointer, &saved) == REG_SAVED &&
		(base.number == machine->frame_pointer ||
		 (base.number == machine->stack_pointer && base.distance - (int64_t)distance == -saved));
	free(frame);
	return leads;
}

/*
 * The tables say where the frame pointer was saved, but not whether it leads there already, or is used for something
 * else: code that keeps frame pointers sets it where the function begins.
 */
static enum elf_frame_kind kind_by_code(const struct function *function)
{
	const size_t size = function->machine->instruction;
	const uint64_t start = function_start(function->object, function->address);
	unsigned char code[CODE_PIECE];

	if (!start)
		return ELF_FRAME_UNKNOWN;
	for (uint64_t at = start; at + size <= function->address;) {
		uint64_t piece = function->address - at;

		if (piece > sizeof(code))
			piece = sizeof(code);
		piece -= piece % size;
		if (!elf_object__read_at(function->object, at, code, piece))
			return ELF_FRAME_UNKNOWN;
		for (size_t i = 0; i < piece; i += size)
			if (sets_pointer(function, at + i, code + i))
				return ELF_FRAME_BY_POINTER;
		at += piece;
	}
	return ELF_FRAME_ELSEWHERE;
}

/* Calls put the address to return to into a register, which functions save beside the frame pointer. */
static enum elf_frame_kind kind_by_link(const struct function *function, Dwarf_Frame *frame,
					const struct frame_base *base)
{
	const struct elf_machine *machine = function->machine;
	int64_t link, pointer;
	const enum whereabouts of_link = find_register(frame, machine->link, &link);
	const enum whereabouts of_pointer = find_register(frame, (int)machine->frame_pointer, &pointer);

	if (of_link == REG_UNCHANGED && of_pointer == REG_UNCHANGED)
		return ELF_FRAME_ON_TOP;
	if (of_link != REG_SAVED || of_pointer != REG_SAVED || link != pointer + (int64_t)machine->word)
		return ELF_FRAME_ELSEWHERE;
	if (base->number == machine->frame_pointer)
		return base->distance == -pointer ? ELF_FRAME_BY_POINTER : ELF_FRAME_ELSEWHERE;
	return base->number == machine->stack_pointer ? kind_by_code(function) : ELF_FRAME_ELSEWHERE;
}

static enum elf_frame_kind kind_of(const struct function *function, Dwarf_Frame *frame)
{
	struct frame_base base;

	if (is_outermost(frame))
		return ELF_FRAME_OUTERMOST;
	if (!find_base(frame, &base))
		return ELF_FRAME_ELSEWHERE;
	if (function->machine->link)
		return kind_by_link(function, frame, &base);
	return kind_on_stack(function->machine, &base);
}

enum elf_frame_kind elf_cfi__frame(struct elf_file *file, uint64_t address)
{
	const struct elf_machine *machine = machine_of(&file->object);
	const struct tables *tables = machine ? tables_of(file) : NULL;
	Dwarf_Frame *frame = tables ? frame_at(tables, address) : NULL;
	const struct function function = { &file->object, machine, tables, address };
	enum elf_frame_kind kind = frame ? kind_of(&function, frame) : ELF_FRAME_UNKNOWN;

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

static bool find_frame_address(Dwarf_Frame *frame, const struct elf_machine *machine,
			       const struct elf_registers *registers, uint64_t *address)
{
	struct frame_base base;

	if (!find_base(frame, &base) ||
	    (base.number != machine->stack_pointer && base.number != machine->frame_pointer))
		return false;
	*address = (uint64_t)base.distance + (base.number == machine->stack_pointer ? registers->sp : registers->bp);
	return true;
}

/* A register of the caller; `now`: what it is here. */
static bool read_register(Dwarf_Frame *frame, int number, const struct elf_stack *stack,
			  uint64_t frame_address, uint64_t now, uint64_t *value)
{
	int64_t distance;

	switch (find_register(frame, number, &distance)) {
	case REG_UNCHANGED:
		*value = now;
		return true;
	case REG_SAVED:
		return read_word(stack, frame_address + (uint64_t)distance, value);
	default:
		return false;
	}
}

/* Where the caller goes on. A register with that is good for the innermost function alone. */
static bool find_return(Dwarf_Frame *frame, const struct elf_machine *machine, const struct elf_stack *stack,
			uint64_t frame_address, struct elf_registers *registers)
{
	const int returns = dwarf_frame_info(frame, NULL, NULL, NULL);
	uint64_t address;

	if (returns < 0 || is_outermost(frame) ||
	    !read_register(frame, returns, stack, frame_address, registers->link, &address))
		return false;
	registers->link = 0;
	registers->ip = machine->return_bits ? address & machine->return_bits : address;
	return registers->ip;
}

bool elf_cfi__step(struct elf_file *file, uint64_t address, const struct elf_stack *stack,
		   struct elf_registers *registers)
{
	const struct elf_machine *machine = machine_of(&file->object);
	const struct tables *tables = machine && machine->word == sizeof(uint64_t) ? tables_of(file) : NULL;
	Dwarf_Frame *frame = tables ? frame_at(tables, address) : NULL;
	struct elf_registers next = *registers;
	bool found;

	/* A function without a frame has the stack pointer of its caller: if a register says where that goes on. */
	found = frame && find_frame_address(frame, machine, registers, &next.sp) &&
		next.sp >= registers->sp + (registers->link ? 0 : machine->word) &&
		find_return(frame, machine, stack, next.sp, &next) &&
		read_register(frame, (int)machine->frame_pointer, stack, next.sp, registers->bp, &next.bp);
	free(frame);
	if (found)
		*registers = next;
	return found;
}
