// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs before and after: what is left does the same, and is what can be reached. */
#include <stdbool.h>

#include "source/ebpf/dead_code.h"
#include "unit.h"

#define MAP 5
#define REGISTERS 11

#define INSN(op, to, from, by, number)                                                             \
	((struct bpf_insn){ .code = op, .dst_reg = to, .src_reg = from, .off = by, .imm = number })
#define SET(to, number) INSN(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number)
#define COPY(to, from) INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define CONSTANT(to, at) INSN(BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_MAP_VALUE, 0, MAP), INSN(0, 0, 0, 0, at)
#define LOAD(size, to, from, at) INSN(BPF_LDX | BPF_MEM | size, to, from, at, 0)
#define JUMP_IF(op, to, number, by) INSN(BPF_JMP | op | BPF_K, to, 0, by, number)
#define JUMP(by) JUMP_IF(BPF_JA, 0, 0, by)
#define HELPER(number) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, number)
#define CALL(by) INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, by)
#define FUNCTION(to, by) INSN(BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_FUNC, 0, by), INSN(0, 0, 0, 0, 0)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static const unsigned char data[8] = { 0, 1, 7, 0, 0xff, 0xff, 0xff, 0xff };
static const struct constants constants = { MAP, data, sizeof(data) };

enum { OFF = 0, ON = 1, SEVEN = 2, MINUS = 4 }; /* places in `data` */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check(struct bpf_insn *insns, size_t count, const struct bpf_insn *wanted, size_t left)
{
	struct program_code code = { .insns = insns, .insn_count = count };

	dead_code__drop(&code, &constants);
	assert_int_equal(code.insn_count, left);
	assert_memory_equal(insns, wanted, left * sizeof(*insns));
}

#define CHECK(insns, wanted) check(insns, COUNT(insns), wanted, COUNT(wanted))

static void what_is_switched_off_goes(void **state)
{
	struct bpf_insn insns[] = { CONSTANT(2, OFF), LOAD(BPF_B, 2, 2, 0), JUMP_IF(BPF_JEQ, 2, 0, 1), HELPER(1),
				    SET(0, 0),	      EXIT };
	const struct bpf_insn wanted[] = { SET(0, 0), EXIT };

	(void)state;
	CHECK(insns, wanted);
}

static void what_is_switched_on_stays(void **state)
{
	struct bpf_insn insns[] = { CONSTANT(6, 0),	       LOAD(BPF_B, 6, 6, ON), JUMP_IF(BPF_JNE, 6, 0, 2), HELPER(1),
				    JUMP(1),		       HELPER(2),	      SET(0, 0),
				    JUMP_IF(BPF_JEQ, 7, 0, -3), EXIT };
	const struct bpf_insn wanted[] = { HELPER(2), SET(0, 0), JUMP_IF(BPF_JEQ, 7, 0, -3), EXIT };

	(void)state;
	CHECK(insns, wanted);
}

/* The program may change its other maps, and does not say what is on its stack. */
static void nothing_else_is_constant(void **state)
{
	struct bpf_insn insns[] = { CONSTANT(2, OFF), LOAD(BPF_B, 2, 2, 0), JUMP_IF(BPF_JEQ, 2, 0, 1), HELPER(1),
				    SET(0, 0),	      EXIT };
	struct bpf_insn before[COUNT(insns)];

	(void)state;
	insns[0].imm = MAP + 1;
	memcpy(before, insns, sizeof(insns));
	CHECK(insns, before);
	insns[0].imm = MAP;
	insns[1].imm = before[1].imm = sizeof(data);
	memcpy(before, insns, sizeof(insns));
	CHECK(insns, before);
}

/* One path brings 0, the other one 1: only what both agree on is known. */
static void paths_that_meet(void **state)
{
	struct bpf_insn insns[] = { SET(6, 0),		       SET(7, 4), JUMP_IF(BPF_JEQ, 1, 0, 1), SET(6, 1),
				    JUMP_IF(BPF_JEQ, 6, 0, 1), HELPER(1), JUMP_IF(BPF_JEQ, 7, 4, 1), HELPER(2),
				    SET(0, 0),		       EXIT };
	const struct bpf_insn wanted[] = { SET(6, 0),		      JUMP_IF(BPF_JEQ, 1, 0, 1), SET(6, 1),
					   JUMP_IF(BPF_JEQ, 6, 0, 1), HELPER(1), SET(0, 0),  EXIT };

	(void)state;
	CHECK(insns, wanted);
}

/* The value of the first pass is not that of the others. */
static void loops(void **state)
{
	struct bpf_insn insns[] = { SET(6, 0), JUMP_IF(BPF_JEQ, 6, 0, 1), HELPER(1), SET(6, 1), HELPER(2),
				    JUMP_IF(BPF_JEQ, 0, 0, -5), SET(0, 0), EXIT };
	struct bpf_insn before[COUNT(insns)];

	(void)state;
	memcpy(before, insns, sizeof(insns));
	CHECK(insns, before);
}

/* A helper leaves nothing of r1 to r5, and 32 bits are compared as such. */
static void registers_that_calls_destroy(void **state)
{
	struct bpf_insn insns[] = { SET(0, 0), SET(1, 0), SET(6, -1), HELPER(1), JUMP_IF(BPF_JEQ, 0, 0, 1), HELPER(2),
				    INSN(BPF_JMP32 | BPF_JEQ | BPF_K, 6, 0, 1, -1), HELPER(3), SET(0, 0), EXIT };
	const struct bpf_insn wanted[] = { SET(1, 0), HELPER(1), JUMP_IF(BPF_JEQ, 0, 0, 1), HELPER(2), SET(0, 0), EXIT };

	(void)state;
	CHECK(insns, wanted);
}

/*
 * The first function calls the second one only if it is switched on, and takes the address of the third: that stays,
 * used or not, as the kernel has to find each function.
 */
static void functions(void **state)
{
	struct bpf_insn insns[] = {
		CONSTANT(6, OFF), LOAD(BPF_B, 6, 6, 0), JUMP_IF(BPF_JEQ, 6, 0, 1), CALL(5), FUNCTION(7, 6),
		HELPER(1),	  SET(0, 0),		EXIT,
		SET(0, 1),	  EXIT, /* 10 */
		SET(6, 3),	  SET(0, 2),		EXIT, /* 12 */
	};
	const struct bpf_insn wanted[] = { FUNCTION(7, 4), HELPER(1), SET(0, 0), EXIT, SET(0, 2), EXIT };
	struct bpf_func_info infos[] = { { 0, 1 }, { 10, 2 }, { 12, 3 } };
	struct bpf_line_info lines[] = { { .insn_off = 0, .line_col = 1 },  { .insn_off = 4, .line_col = 2 },
					 { .insn_off = 5, .line_col = 3 },  { .insn_off = 10, .line_col = 4 },
					 { .insn_off = 12, .line_col = 5 }, { .insn_off = 14, .line_col = 6 } };
	struct program_code code = { insns, infos, lines, COUNT(insns), COUNT(infos), COUNT(lines) };

	(void)state;
	/* What the second one was called with: places of the whole program. */
	insns[4].imm = 10 - 4 - 1;
	insns[5].imm = 12 - 5 - 1;
	dead_code__drop(&code, &constants);
	assert_int_equal(code.insn_count, COUNT(wanted));
	assert_memory_equal(insns, wanted, sizeof(wanted));
	assert_int_equal(code.function_count, 2);
	assert_int_equal(infos[1].type_id, 3);
	assert_int_equal(infos[1].insn_off, 5);
	assert_int_equal(code.line_count, 3);
	assert_int_equal(lines[0].line_col, 3);
	assert_int_equal(lines[0].insn_off, 0);
	assert_int_equal(lines[1].line_col, 5);
	assert_int_equal(lines[1].insn_off, 5);
	assert_int_equal(lines[2].insn_off, 6);
}

/* What a program does, by running it. Programs of the test jump forwards only. */

static uint64_t operate(const struct bpf_insn *insn, uint64_t left, uint64_t right)
{
	const bool wide = BPF_CLASS(insn->code) == BPF_ALU64;
	uint64_t result = 0;

	switch (BPF_OP(insn->code)) {
	case BPF_MOV: result = right; break;
	case BPF_ADD: result = left + right; break;
	case BPF_SUB: result = left - right; break;
	case BPF_AND: result = left & right; break;
	case BPF_OR: result = left | right; break;
	case BPF_XOR: result = left ^ right; break;
	case BPF_MUL: result = left * right; break;
	case BPF_LSH: result = wide ? left << (right & 63) : (uint32_t)left << (right & 31); break;
	case BPF_RSH: result = wide ? left >> (right & 63) : (uint32_t)left >> (right & 31); break;
	default: fail();
	}
	return wide ? result : (uint32_t)result;
}

static bool jumps(const struct bpf_insn *insn, uint64_t left, uint64_t right)
{
	const bool wide = BPF_CLASS(insn->code) == BPF_JMP;
	const int64_t a = wide ? (int64_t)left : (int32_t)left, b = wide ? (int64_t)right : (int32_t)right;
	const uint64_t x = wide ? left : (uint32_t)left, y = wide ? right : (uint32_t)right;

	switch (BPF_OP(insn->code)) {
	case BPF_JA: return true;
	case BPF_JEQ: return x == y;
	case BPF_JNE: return x != y;
	case BPF_JGT: return x > y;
	case BPF_JGE: return x >= y;
	case BPF_JLT: return x < y;
	case BPF_JLE: return x <= y;
	case BPF_JSGT: return a > b;
	case BPF_JSGE: return a >= b;
	case BPF_JSLT: return a < b;
	case BPF_JSLE: return a <= b;
	case BPF_JSET: return x & y;
	default: fail();
	}
	return false;
}

static uint64_t run(const struct bpf_insn *insns, size_t count, const uint64_t *begin)
{
	uint64_t registers[REGISTERS];

	memcpy(registers, begin, sizeof(registers));
	for (size_t at = 0; at < count; at++) {
		const struct bpf_insn *insn = &insns[at];
		uint64_t *to = &registers[insn->dst_reg];
		const uint64_t from = BPF_SRC(insn->code) == BPF_X ? registers[insn->src_reg] : (uint64_t)(int64_t)insn->imm;

		switch (BPF_CLASS(insn->code)) {
		case BPF_LD: *to = (uint64_t)(uintptr_t)data + insns[++at].imm; break;
		case BPF_LDX:
			*to = *(const unsigned char *)(uintptr_t)(registers[insn->src_reg] + insn->off); break;
		case BPF_JMP:
		case BPF_JMP32:
			if (BPF_OP(insn->code) == BPF_EXIT)
				return registers[0];
			at += jumps(insn, *to, from) ? insn->off : 0; break;
		default: *to = operate(insn, *to, from);
		}
	}
	fail();
	return 0;
}

static uint32_t chance(void)
{
	static uint32_t number = 1;

	number ^= number << 13;
	number ^= number >> 17;
	return number ^= number << 5;
}

static const int operations[] = { BPF_MOV, BPF_ADD, BPF_SUB, BPF_AND, BPF_OR, BPF_XOR, BPF_MUL, BPF_LSH, BPF_RSH };
static const int comparisons[] = { BPF_JA,  BPF_JEQ,  BPF_JNE,	BPF_JGT,  BPF_JGE,  BPF_JLT,
				   BPF_JLE, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET };

/* Numbers that are near each other, so that comparisons come out both ways. */
static int near(void)
{
	return (int)(chance() % 7) - 3;
}

static struct bpf_insn any_operation(void)
{
	const int operation = operations[chance() % COUNT(operations)];
	const bool shifts = operation == BPF_LSH || operation == BPF_RSH;

	return INSN((chance() % 2 ? BPF_ALU64 : BPF_ALU) | operation | (chance() % 2 ? BPF_X : BPF_K), chance() % 5,
		    chance() % 5, 0, shifts ? (int)(chance() % 31) : near());
}

enum { LENGTH = 60 };

/* Every sixth is a constant, every third a jump over up to five steps of three places each. */
static size_t make_program(struct bpf_insn *insns)
{
	size_t count = 0;

	for (int step = 0; step < LENGTH; step++) {
		const int left = LENGTH - 1 - step, to = chance() % 5, kind = chance() % 6;

		for (int place = 0; place < 3; place++)
			insns[count + place] = any_operation();
		if (kind == 0) {
			const struct bpf_insn loads[] = { CONSTANT(to, chance() % 4), LOAD(BPF_B, to, to, 0) };

			memcpy(&insns[count], loads, sizeof(loads));
		} else if (kind < 3) {
			insns[count + 2] = INSN((chance() % 2 ? BPF_JMP : BPF_JMP32) |
						comparisons[chance() % COUNT(comparisons)] | BPF_K, to, 0,
						3 * (left < 5 ? chance() % (left + 1) : chance() % 6), near());
			if (chance() % 2 && BPF_OP(insns[count + 2].code) != BPF_JA) {
				insns[count + 2].code |= BPF_X;
				insns[count + 2].src_reg = chance() % 5;
			}
			if (BPF_OP(insns[count + 2].code) == BPF_JA)
				insns[count + 2].code = BPF_JMP | BPF_JA;
		}
		count += 3;
	}
	insns[count++] = EXIT;
	return count;
}

static void what_is_left_does_the_same(void **state)
{
	size_t dropped = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct bpf_insn whole[3 * LENGTH + 1], less[3 * LENGTH + 1];
		struct program_code code = { .insns = less, .insn_count = make_program(whole) };
		const size_t count = code.insn_count;

		memcpy(less, whole, sizeof(whole));
		dead_code__drop(&code, &constants);
		dropped += count - code.insn_count;
		for (int j = 0; j < 5; j++) {
			uint64_t begin[REGISTERS];

			for (int k = 0; k < REGISTERS; k++)
				begin[k] = chance() % 2 ? (uint64_t)near() : chance();
			assert_int_equal(run(less, code.insn_count, begin), run(whole, count, begin));
		}
	}
	assert_true(dropped > 20000 * LENGTH / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_switched_off_goes), cmocka_unit_test(what_is_switched_on_stays),
		cmocka_unit_test(nothing_else_is_constant),  cmocka_unit_test(paths_that_meet),
		cmocka_unit_test(loops),		     cmocka_unit_test(registers_that_calls_destroy),
		cmocka_unit_test(functions),		     cmocka_unit_test(what_is_left_does_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
