// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/dead_code.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "source/ebpf/reached_code.h"

/* What each instruction becomes. */
struct plan {
	unsigned char *reached; /* enum reached */
	bool *kept;
	uint16_t *live; /* registers whose values are used from here on: bits */
	uint32_t *moved; /* where it, or what is kept after it, will stand */
};

#define BIT(number) (1u << (number))
#define ARGUMENTS (BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5))

/* Does it nothing but set its register? */
static bool only_computes(const struct bpf_insn *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX: return true;
	default: return insn__is_wide(insn) && !insn__names_function(insn); /* each function has to be named */
	}
}

static unsigned int uses_of(const struct bpf_insn *insn)
{
	const unsigned int dst = BIT(insn->dst_reg), src = BIT(insn->src_reg);

	switch (BPF_CLASS(insn->code)) {
	case BPF_LD: return 0;
	case BPF_LDX: return src;
	case BPF_ST: return dst;
	case BPF_STX: return dst | src | (BPF_MODE(insn->code) == BPF_ATOMIC ? BIT(0) : 0);
	case BPF_ALU:
	case BPF_ALU64: return (BPF_OP(insn->code) == BPF_MOV ? 0 : dst) | (BPF_SRC(insn->code) == BPF_X ? src : 0);
	}
	switch (BPF_OP(insn->code)) {
	case BPF_EXIT: return BIT(0);
	case BPF_CALL: return ARGUMENTS;
	case BPF_JA: return 0;
	default: return dst | (BPF_SRC(insn->code) == BPF_X ? src : 0);
	}
}

/* Registers that are used at an instruction or after it, by what follows. */
static unsigned int live_at(const struct program_code *code, const struct plan *plan, size_t at)
{
	const struct bpf_insn *insn = &code->insns[at];
	const size_t next = at + insn__places(insn);
	unsigned int after = 0;

	if (plan->reached[at] != ALWAYS_JUMPS && insn->code != (BPF_JMP | BPF_EXIT) && next < code->insn_count)
		after = plan->live[next];
	if (insn__is_jump(insn) && plan->reached[at] != NEVER_JUMPS)
		after |= plan->live[insn__target(code, at)];
	if (insn__is_jump(insn) && plan->reached[at] != REACHED)
		return after;
	if (only_computes(insn))
		return after & BIT(insn->dst_reg) ? (after & ~BIT(insn->dst_reg)) | uses_of(insn) : after;
	if (insn->code == (BPF_JMP | BPF_CALL))
		after &= ~(ARGUMENTS | BIT(0));
	return after | uses_of(insn);
}

/* Loops need more than one pass. */
static void find_live(const struct program_code *code, struct plan *plan)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t at = code->insn_count; at-- > 0;) {
			const unsigned int live = plan->reached[at] ? live_at(code, plan, at) : 0;

			changed |= live != plan->live[at];
			plan->live[at] = live;
		}
	}
}

static bool is_needed(const struct program_code *code, const struct plan *plan, size_t at)
{
	const struct bpf_insn *insn = &code->insns[at];

	if (plan->reached[at] == NOT_REACHED || plan->reached[at] == NEVER_JUMPS)
		return false;
	if (plan->reached[at] == ALWAYS_JUMPS) {
		size_t target = insn__target(code, at), next = at + 1;

		while (next < target && !plan->kept[next])
			next++;
		return next != target;
	}
	return !only_computes(insn) || plan->live[at + insn__places(insn)] & BIT(insn->dst_reg);
}

/* Backwards: a jump over nothing that is kept is not kept either. */
static void choose(const struct program_code *code, struct plan *plan)
{
	for (size_t at = code->insn_count; at-- > 0;) {
		plan->kept[at] = is_needed(code, plan, at);
		if (plan->kept[at] && insn__is_wide(&code->insns[at]))
			plan->kept[at + 1] = true;
	}
	for (size_t at = 0, kept = 0; at < code->insn_count; at++) {
		plan->moved[at] = kept;
		kept += plan->kept[at];
	}
}

static void move_insns(struct program_code *code, const struct plan *plan)
{
	size_t count = 0;

	for (size_t at = 0; at < code->insn_count; at++) {
		struct bpf_insn insn = code->insns[at];

		if (!plan->kept[at])
			continue;
		if (plan->reached[at] == ALWAYS_JUMPS)
			insn = (struct bpf_insn){ .code = BPF_JMP | BPF_JA, .off = insn.off };
		if (plan->reached[at] && insn__is_jump(&insn))
			insn.off = plan->moved[insn__target(code, at)] - plan->moved[at] - 1;
		else if (plan->reached[at] && insn__names_function(&insn))
			insn.imm = plan->moved[insn__target(code, at)] - plan->moved[at] - 1;
		code->insns[count++] = insn;
	}
	code->insn_count = count;
}

static void move_functions(struct program_code *code, const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < code->function_count; i++) {
		struct bpf_func_info function = code->functions[i];

		if (!plan->reached[function.insn_off])
			continue;
		function.insn_off = plan->moved[function.insn_off];
		code->functions[count++] = function;
	}
	code->function_count = count;
}

/* Of an instruction that is dropped, the line goes to the next one, unless that has its own. */
static void move_lines(struct program_code *code, const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < code->line_count; i++) {
		struct bpf_line_info line = code->lines[i];

		if (!plan->reached[line.insn_off])
			continue;
		line.insn_off = plan->moved[line.insn_off];
		if (count && code->lines[count - 1].insn_off == line.insn_off)
			count--;
		code->lines[count++] = line;
	}
	code->line_count = count;
}

void dead_code__drop(struct program_code *code, const struct constants *constants)
{
	struct plan plan = {
		.reached = reached_code__find(code, constants),
		.kept = checked_calloc(code->insn_count, sizeof(*plan.kept)),
		.live = checked_calloc(code->insn_count + 1, sizeof(*plan.live)),
		.moved = checked_calloc(code->insn_count, sizeof(*plan.moved)),
	};

	find_live(code, &plan);
	choose(code, &plan);
	move_functions(code, &plan);
	move_lines(code, &plan);
	move_insns(code, &plan);
	free(plan.reached);
	free(plan.kept);
	free(plan.live);
	free(plan.moved);
}
