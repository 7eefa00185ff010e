// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/rollup.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/procfs.h"
#include "model/absent.h"

static void take(struct rollup *rollup, const char *line)
{
	static const struct {
		const char *key;
		size_t offset;
	} sums[] = {
		{ "Pss_Anon:", offsetof(struct rollup, pss_anon) },
		{ "Pss_File:", offsetof(struct rollup, pss_file) },
		{ "Pss_Shmem:", offsetof(struct rollup, pss_shmem) },
		{ "SwapPss:", offsetof(struct rollup, swap_pss) },
		{ "AnonHugePages:", offsetof(struct rollup, huge) },
	};
	uint64_t kib;

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		if (!strncmp(line, sums[i].key, strlen(sums[i].key)) &&
		    sscanf(line + strlen(sums[i].key), "%" SCNu64, &kib) == 1)
			*(uint64_t *)((char *)rollup + sums[i].offset) = kib * 1024;
}

void rollup__read(struct rollup *rollup, pid_t pid)
{
	FILE *file = procfs__open(pid, "smaps_rollup");
	char *line = NULL;
	size_t size = 0;

	*rollup = (struct rollup){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
	while (file && getline(&line, &size, file) > 0)
		take(rollup, line);
	free(line);
	if (file)
		fclose(file);
}
