// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/reached_code.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define REGISTERS 11

/* What a register holds. It only ever becomes less known, so that following the code comes to an end. */
struct value {
	enum { UNSEEN, NUMBER, CONSTANT_ADDRESS, UNKNOWN } kind;
	uint64_t number; /* of an address: from the beginning of the constants */
};

struct registers {
	struct value at[REGISTERS];
};

/* A place where paths meet: the target of a jump, or the beginning of a function. */
struct meeting {
	size_t insn;
	struct registers registers;
	bool waits; /* to be followed from here */
};

struct walk {
	const struct program_code *code;
	const struct constants *constants;
	unsigned char *reached;
	uint32_t *meeting_of; /* by instruction; 0: none */
	struct meeting *meetings; /* from 1 on */
	uint32_t meeting_count;
	uint32_t *waiting, waiting_count; /* numbers of meetings */
};

static const struct value unknown = { .kind = UNKNOWN };

static struct value number(uint64_t of)
{
	return (struct value){ NUMBER, of };
}

/* What the instruction leaves in its register, both operands being known. */
static struct value calculate(const struct bpf_insn *insn, uint64_t left, uint64_t right)
{
	const bool wide = BPF_CLASS(insn->code) == BPF_ALU64;
	const uint64_t mask = wide ? ~0ull : 0xffffffff;
	const unsigned int shift = right & (wide ? 63 : 31);

	left &= mask;
	right &= mask;
	switch (BPF_OP(insn->code)) {
	case BPF_MOV: return number(right);
	case BPF_ADD: return number((left + right) & mask);
	case BPF_SUB: return number((left - right) & mask);
	case BPF_AND: return number(left & right);
	case BPF_OR: return number(left | right);
	case BPF_XOR: return number(left ^ right);
	case BPF_LSH: return number(left << shift & mask);
	case BPF_RSH: return number(left >> shift);
	default: return unknown;
	}
}

static struct value source_of(const struct registers *registers, const struct bpf_insn *insn)
{
	if (BPF_SRC(insn->code) == BPF_K)
		return number((int64_t)insn->imm);
	return registers->at[insn->src_reg];
}

static struct value arithmetic(const struct registers *registers, const struct bpf_insn *insn)
{
	const struct value left = registers->at[insn->dst_reg], right = source_of(registers, insn);
	const int operation = BPF_OP(insn->code);

	if (insn->off) /* a division or a move with a sign */
		return unknown;
	if (right.kind == NUMBER && (left.kind == NUMBER || operation == BPF_MOV))
		return calculate(insn, left.number, right.number);
	if (BPF_CLASS(insn->code) != BPF_ALU64)
		return unknown;
	if (operation == BPF_MOV)
		return right;
	if (operation == BPF_ADD && left.kind == CONSTANT_ADDRESS && right.kind == NUMBER)
		return (struct value){ CONSTANT_ADDRESS, left.number + right.number };
	return unknown;
}

static struct value immediate(const struct constants *constants, const struct bpf_insn *insn)
{
	if (!insn->src_reg)
		return number((uint64_t)(uint32_t)insn[1].imm << 32 | (uint32_t)insn[0].imm);
	if (insn->src_reg == BPF_PSEUDO_MAP_VALUE && insn->imm == constants->map)
		return (struct value){ CONSTANT_ADDRESS, (uint32_t)insn[1].imm };
	return unknown;
}

static size_t width_of(const struct bpf_insn *insn)
{
	switch (BPF_SIZE(insn->code)) {
	case BPF_B: return 1;
	case BPF_H: return 2;
	case BPF_W: return 4;
	default: return 8;
	}
}

/* Both machines have the lowest byte first, as the constants do. */
static struct value load(const struct constants *constants, const struct registers *registers,
			 const struct bpf_insn *insn)
{
	const struct value base = registers->at[insn->src_reg];
	const uint64_t at = base.number + (int64_t)insn->off;
	const size_t width = width_of(insn);
	uint64_t loaded = 0;

	if (BPF_MODE(insn->code) != BPF_MEM || base.kind != CONSTANT_ADDRESS || at > constants->size ||
	    constants->size - at < width)
		return unknown;
	memcpy(&loaded, (const char *)constants->data + at, width);
	return number(loaded);
}

static void forget(struct registers *registers, int from, int to)
{
	for (int i = from; i <= to; i++)
		registers->at[i] = unknown;
}

/* What the instruction does to the registers. */
static void step(const struct constants *constants, struct registers *registers, const struct bpf_insn *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		registers->at[insn->dst_reg] = arithmetic(registers, insn);
		break;
	case BPF_LD:
		registers->at[insn->dst_reg] = immediate(constants, insn);
		break;
	case BPF_LDX:
		registers->at[insn->dst_reg] = load(constants, registers, insn);
		break;
	case BPF_STX: /* an atomic one may bring the old value back, here or there */
		if (BPF_MODE(insn->code) == BPF_ATOMIC)
			registers->at[0] = registers->at[insn->src_reg] = unknown;
		break;
	case BPF_JMP:
		if (BPF_OP(insn->code) == BPF_CALL)
			forget(registers, 0, 5);
		break;
	}
}

static bool compare(int operation, uint64_t left, uint64_t right, int64_t signed_left, int64_t signed_right)
{
	switch (operation) {
	case BPF_JEQ: return left == right;
	case BPF_JNE: return left != right;
	case BPF_JGT: return left > right;
	case BPF_JGE: return left >= right;
	case BPF_JLT: return left < right;
	case BPF_JLE: return left <= right;
	case BPF_JSGT: return signed_left > signed_right;
	case BPF_JSGE: return signed_left >= signed_right;
	case BPF_JSLT: return signed_left < signed_right;
	case BPF_JSLE: return signed_left <= signed_right;
	default: return left & right; /* BPF_JSET */
	}
}

/* REACHED: both ways are possible. */
static enum reached decide(const struct registers *registers, const struct bpf_insn *insn)
{
	const int operation = BPF_OP(insn->code);
	struct value left, right;
	bool jumps;

	if (operation == BPF_JA)
		return ALWAYS_JUMPS;
	left = registers->at[insn->dst_reg];
	right = source_of(registers, insn);
	if (left.kind != NUMBER || right.kind != NUMBER)
		return REACHED;
	if (BPF_CLASS(insn->code) == BPF_JMP32)
		jumps = compare(operation, (uint32_t)left.number, (uint32_t)right.number, (int32_t)left.number,
				(int32_t)right.number);
	else
		jumps = compare(operation, left.number, right.number, left.number, right.number);
	return jumps ? ALWAYS_JUMPS : NEVER_JUMPS;
}

/* A path with these registers comes to a meeting. */
static void meet(struct walk *walk, size_t insn, const struct registers *registers)
{
	struct meeting *meeting = &walk->meetings[walk->meeting_of[insn]];
	bool changed = false;

	for (int i = 0; i < REGISTERS; i++) {
		struct value *known = &meeting->registers.at[i];
		const struct value *comes = &registers->at[i];

		if (known->kind == UNKNOWN || (known->kind == comes->kind && known->number == comes->number))
			continue;
		*known = known->kind == UNSEEN ? *comes : unknown;
		changed = true;
	}
	if (!changed || meeting->waits)
		return;
	meeting->waits = true;
	walk->waiting[walk->waiting_count++] = walk->meeting_of[insn];
}

static void enter_function(struct walk *walk, size_t insn)
{
	struct registers registers;

	forget(&registers, 0, REGISTERS - 1);
	meet(walk, insn, &registers);
}

/* From a meeting to the next one, or to where the path ends. */
static void follow(struct walk *walk, size_t at, struct registers registers)
{
	const struct program_code *code = walk->code;

	for (bool first = true; at < code->insn_count; first = false) {
		const struct bpf_insn *insn = &code->insns[at];

		if (!first && walk->meeting_of[at]) {
			meet(walk, at, &registers);
			return;
		}
		walk->reached[at] = insn__is_jump(insn) ? decide(&registers, insn) : REACHED;
		if (insn__names_function(insn))
			enter_function(walk, insn__target(code, at));
		if (insn__is_jump(insn) && walk->reached[at] != NEVER_JUMPS)
			meet(walk, insn__target(code, at), &registers);
		if (walk->reached[at] == ALWAYS_JUMPS || insn->code == (BPF_JMP | BPF_EXIT))
			return;
		step(walk->constants, &registers, insn);
		at += insn__places(insn);
	}
}

static void add_meeting(struct walk *walk, size_t insn)
{
	if (!walk->meeting_of[insn])
		walk->meeting_of[insn] = ++walk->meeting_count;
}

static void find_meetings(struct walk *walk)
{
	const struct program_code *code = walk->code;

	add_meeting(walk, 0);
	for (size_t at = 0; at < code->insn_count; at += insn__places(&code->insns[at]))
		if (insn__is_jump(&code->insns[at]) || insn__names_function(&code->insns[at]))
			add_meeting(walk, insn__target(code, at));
	walk->meetings = checked_calloc(walk->meeting_count + 1, sizeof(*walk->meetings));
	walk->waiting = checked_calloc(walk->meeting_count, sizeof(*walk->waiting));
	for (size_t at = 0; at < code->insn_count; at++)
		walk->meetings[walk->meeting_of[at]].insn = at;
}

unsigned char *reached_code__find(const struct program_code *code, const struct constants *constants)
{
	struct walk walk = {
		.code = code,
		.constants = constants,
		.reached = checked_calloc(code->insn_count, sizeof(*walk.reached)),
		.meeting_of = checked_calloc(code->insn_count, sizeof(*walk.meeting_of)),
	};

	find_meetings(&walk);
	enter_function(&walk, 0);
	while (walk.waiting_count) {
		struct meeting *meeting = &walk.meetings[walk.waiting[--walk.waiting_count]];

		meeting->waits = false;
		follow(&walk, meeting->insn, meeting->registers);
	}
	free(walk.meeting_of);
	free(walk.meetings);
	free(walk.waiting);
	return walk.reached;
}
