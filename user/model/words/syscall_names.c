// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/words/syscall_names.h"

#include <stddef.h>

#define X32_BIT 0x40000000
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The .inc files are made at build time from the kernel's headers: rows of [nr] = "name". */
static const char *const names_x86_64[] = {
#include "syscalls_64.inc"
};
static const char *const names_i386[] = {
#include "syscalls_32.inc"
};
static const char *const names_x32[] = {
#include "syscalls_x32.inc"
};

static const char *newer(int32_t nr)
{
	switch (nr) {
#define NEWER(number, name)                                                                        \
	case number:                                                                               \
		return name;
#include "syscall_names_newer.def"
#undef NEWER
	default:
		return NULL;
	}
}

static const char *find(const char *const *names, size_t count, int32_t nr)
{
	if (nr >= 0 && (size_t)nr < count && names[nr])
		return names[nr];
	return newer(nr);
}

const char *syscall_name(enum abi abi, int32_t nr)
{
	switch (abi) {
	case ABI_X86_64:
		return find(names_x86_64, COUNT(names_x86_64), nr);
	case ABI_I386:
		return find(names_i386, COUNT(names_i386), nr);
	case ABI_X32:
		return find(names_x32, COUNT(names_x32), nr & ~X32_BIT);
	default:
		return NULL;
	}
}
