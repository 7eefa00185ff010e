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

/* Of instruction `at`, a jump or a call: where it leads. */
size_t insn__target(const struct program_code *code, size_t at);

/* Is it one to another instruction of the same function? */
bool insn__is_jump(const struct bpf_insn *insn);
/* Does it name a function of this program: does it call it, or take its address? */
bool insn__names_function(const struct bpf_insn *insn);
bool insn__is_wide(const struct bpf_insn *insn); /* takes two places */
size_t insn__places(const struct bpf_insn *insn);

/* For each instruction one of enum reached; to be freed. The second place of a wide one is not reached. */
unsigned char *reached_code__find(const struct program_code *code, const struct constants *constants);

#endif
