// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel half has to know of each call. */
#include "source/ebpf/calls/call_kinds.h"

#include "forktax.h"
#include "model/files/file_calls.h"
#include "model/words/syscall_names.h"

static uint16_t kind_of(const struct file_call *call)
{
	return call->path | call->other << 3 | call->pair << 6 | CALL_KIND_FILES |
	       (call->effect == EFFECT_EXEC ? CALL_KIND_EXEC : 0);
}

static bool concerns_files(const struct file_call *call)
{
	return call->use != FILE_USE_COUNT || call->effect != EFFECT_NONE;
}

uint16_t call_kind__of(enum abi abi, int32_t nr, bool all)
{
	const char *name = syscall_name(abi, nr);
	const struct file_call *call = name ? file_call__find(name) : NULL;

	return call && (all || concerns_files(call)) ? kind_of(call) : 0;
}
