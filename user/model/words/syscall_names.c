// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/words/syscall_names.h"

#include <stddef.h>

#include "base/text.h"

#define X32_BIT 0x40000000
#define ARM_PRIVATE 0xf0000
#define NUMBERS 1024 /* more than any table has */
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define CALL(number, name) [number] = #name,

static const char *const names_x86_64[] = {
#include "calls_x86_64.def"
};
static const char *const names_i386[] = {
#include "calls_i386.def"
};
static const char *const names_x32[] = {
#include "calls_x32.def"
};
static const char *const names_aarch64[] = {
#include "calls_aarch64.def"
};
static const char *const names_arm[] = {
#include "calls_arm.def"
};
static const char *const names_arm_private[] = {
#include "calls_arm_private.def"
};
static const char *const names_common[] = {
#include "calls_common.def"
};

static const struct {
	const char *const *names;
	size_t count;
} tables[ABI_COUNT] = {
	[ABI_X86_64] = { names_x86_64, COUNT(names_x86_64) }, [ABI_I386] = { names_i386, COUNT(names_i386) },
	[ABI_X32] = { names_x32, COUNT(names_x32) },	      [ABI_AARCH64] = { names_aarch64, COUNT(names_aarch64) },
	[ABI_ARM] = { names_arm, COUNT(names_arm) },
};

const char *syscall_name(enum abi abi, int32_t nr)
{
	if (abi >= ABI_COUNT)
		return NULL;
	if (abi == ABI_X32)
		nr &= ~X32_BIT;
	if (abi == ABI_ARM && nr >= ARM_PRIVATE)
		return (size_t)nr - ARM_PRIVATE < COUNT(names_arm_private) ? names_arm_private[nr - ARM_PRIVATE] : NULL;
	if (nr >= 0 && (size_t)nr < tables[abi].count && tables[abi].names[nr])
		return tables[abi].names[nr];
	return nr >= 0 && (size_t)nr < COUNT(names_common) ? names_common[nr] : NULL;
}

int32_t syscall_number(enum abi abi, const char *name)
{
	static const int32_t firsts[] = { 0, ARM_PRIVATE };

	for (size_t i = 0; i < COUNT(firsts); i++)
		for (int32_t nr = firsts[i]; nr < firsts[i] + NUMBERS; nr++)
			if (!text__compare(syscall_name(abi, nr), name))
				return nr;
	return -1;
}
