// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/elf_facts.h"

#include <stdlib.h>

const char *const elf_linkage_keys[LINKAGE_COUNT] = {
	[LINKAGE_DYNAMIC] = "dynamic",	     [LINKAGE_DYNAMIC_NOW] = "dynamic-now",
	[LINKAGE_STATIC] = "static",	     [LINKAGE_STATIC_PIE] = "static-pie",
	[LINKAGE_LIBRARY] = "shared object", [LINKAGE_OBJECT] = "not executable",
	[LINKAGE_SCRIPT] = "script",	     [LINKAGE_NOT_ELF] = "not ELF",
};

const char *const elf_libc_keys[LIBC_COUNT] = {
	[LIBC_UNKNOWN] = "unknown",   [LIBC_GLIBC] = "glibc",	[LIBC_MUSL] = "musl",
	[LIBC_DIETLIBC] = "dietlibc", [LIBC_UCLIBC] = "uClibc", [LIBC_BIONIC] = "bionic",
	[LIBC_OTHER] = "other",
};

const char *const elf_relro_keys[RELRO_COUNT] = {
	[RELRO_NONE] = "none",
	[RELRO_PARTIAL] = "partial",
	[RELRO_FULL] = "full",
};

void elf_facts__free(struct elf_facts *facts)
{
	if (!facts || facts->holders--)
		return;
	for (size_t i = 0; i < facts->needed_count; i++)
		free(facts->needed[i]);
	for (size_t i = 0; i < facts->library_count; i++) {
		free(facts->libraries[i].name);
		free(facts->libraries[i].path);
	}
	free(facts->needed);
	free(facts->libraries);
	free(facts->interp);
	free(facts);
}

size_t elf_facts__missing(const struct elf_facts *facts)
{
	size_t missing = 0;

	for (size_t i = 0; i < facts->library_count; i++)
		missing += !facts->libraries[i].path;
	return missing;
}
