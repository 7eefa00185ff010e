/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instructions of a program can be reached, if certain memory is constant. Registers alone are followed: what is
 * kept on the stack is unknown. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_REACHED_CODE_H
#define FORKTAX_SOURCE_EBPF_REACHED_CODE_H

#include <stdbool.h>

#include "source/ebpf/program_code.h"

enum reached {
	NOT_REACHED,
	REACHED, /* and so is what may follow */
	NEVER_JUMPS,
	ALWAYS_JUMPS,
};

/* These are asked of each instruction several times, so they are inline. Is it one to another of the same function? */
static inline bool insn__is_jump(const struct bpf_insn *insn)
{
	const int class = BPF_CLASS(insn->code), operation = BPF_OP(insn->code);

	return (class == BPF_JMP || class == BPF_JMP32) && operation != BPF_CALL && operation != BPF_EXIT;
}

/* Does it take two places? */
static inline bool insn__is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static inline size_t insn__places(const struct bpf_insn *insn)
{
	return insn__is_wide(insn) ? 2 : 1;
}

/* Does it name a function of this program: does it call it, or take its address? */
static inline bool insn__names_function(const struct bpf_insn *insn)
{
	return insn__is_wide(insn) ? insn->src_reg == BPF_PSEUDO_FUNC
				   : insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL;
}

/* Of instruction `at`, a jump or a call: where it leads. */
static inline size_t insn__target(const struct program_code *code, size_t at)
{
	const struct bpf_insn *insn = &code->insns[at];

	return at + 1 + (insn__is_jump(insn) ? insn->off : insn->imm);
}

/* For each instruction one of enum reached; to be freed. The second place of a wide one is not reached. */
unsigned char *reached_code__find(const struct program_code *code, const struct constants *constants);

#endif
