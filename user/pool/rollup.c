// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/rollup.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/procfs.h"
#include "model/absent.h"

static void take(struct rollup *rollup, const char *line)
{
	procfs__bytes(line, "Pss_Anon:", &rollup->pss_anon);
	procfs__bytes(line, "Pss_File:", &rollup->pss_file);
	procfs__bytes(line, "Pss_Shmem:", &rollup->pss_shmem);
	procfs__bytes(line, "SwapPss:", &rollup->swap_pss);
	procfs__bytes(line, "AnonHugePages:", &rollup->huge);
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
