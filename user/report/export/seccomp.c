// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The system calls of a run as a seccomp profile that container engines load (OCI runtime specification,
 * config-linux, "Seccomp"). It allows what was seen, with any arguments, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "model/run/run.h"
#include "report/export/exports.h"

static const char *const architectures[ABI_COUNT] = {
	[ABI_X86_64] = "SCMP_ARCH_X86_64", [ABI_I386] = "SCMP_ARCH_X86", [ABI_X32] = "SCMP_ARCH_X32",
	[ABI_AARCH64] = "SCMP_ARCH_AARCH64", [ABI_ARM] = "SCMP_ARCH_ARM",
};

/* Of a call: not "unknown(500)", nor what somebody has written into a saved run. */
static bool has_name(const struct syscall_row *row)
{
	return *row->name && !row->name[strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* A log does not say on which machine it was made. */
static void write_architectures(const struct run *run, FILE *stream)
{
	const char *separator = "";

	if (!run->machine.arch || !*run->machine.arch)
		return;
	fputs("  \"architectures\": [", stream);
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		size_t i = 0;

		while (i < run->table.count && (int)run->table.rows[i].abi != abi)
			i++;
		if (i == run->table.count)
			continue;
		fprintf(stream, "%s\"%s\"", separator, architectures[abi]);
		separator = ", ";
	}
	fputs("],\n", stream);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Each once: calls of two ABIs may have one name. */
static void write_names(const struct run *run, FILE *stream)
{
	autofree const char **names = checked_calloc(run->table.count, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < run->table.count; i++)
		if (has_name(&run->table.rows[i]))
			names[count++] = run->table.rows[i].name;
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(names[i], names[i - 1]) != 0)
			fprintf(stream, "%s\n        \"%s\"", i ? "," : "", names[i]);
}

void export__seccomp(const struct run *run, FILE *stream)
{
	fputs("{\n  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n  \"defaultErrnoRet\": 1,\n", stream);
	write_architectures(run, stream);
	fputs("  \"syscalls\": [\n    {\n      \"names\": [", stream);
	write_names(run, stream);
	fprintf(stream,
		"\n      ],\n      \"action\": \"SCMP_ACT_ALLOW\",\n"
		"      \"comment\": \"seen in one run%s by forktax; other inputs and failures may "
		"take other calls, and a container engine needs some of its own before the "
		"program starts\"\n    }\n  ]\n}\n",
		run->integrity.exact ? "" : " that was NOT EXACT");
}
