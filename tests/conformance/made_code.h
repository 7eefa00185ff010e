/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A function that belongs to no file, and is named "made here" in /tmp/perf-PID.map, as JIT compilers do it.
 */
#ifndef FORKTAX_MADE_CODE_H
#define FORKTAX_MADE_CODE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes to a byte. It has a frame, of which no table tells. */
typedef void made_code(char *byte);

static inline made_code *make_code(void)
{
	/* push %rbp; mov %rsp,%rbp; movb $5,(%rdi); pop %rbp; ret */
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xc6, 0x07, 0x05, 0x5d, 0xc3 };
	enum { PAGE_BYTES = 4096, INDENT = 64 };
	char *memory = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *made = memory + INDENT;
	char path[64];
	FILE *map;

	if (memory == MAP_FAILED)
		abort();
	memcpy(made, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	fprintf(map, "%lx %zx made here\n", (unsigned long)(void *)made, sizeof(code));
	fclose(map);
	return (made_code *)(void *)made;
}

#endif
