// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/rollup.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/procfs.h"
#include "model/rows/absent.h"

#include "base/page.h"

enum { QUICK_MOST = 96 << 20 }; /* bytes; a GiB takes up to 48 ms */

static void take_sum(void *context, const char *line)
{
	struct rollup *rollup = context;

	procfs__bytes(line, "Pss_Anon:", &rollup->pss_anon);
	procfs__bytes(line, "Pss_File:", &rollup->pss_file);
	procfs__bytes(line, "Pss_Shmem:", &rollup->pss_shmem);
	procfs__bytes(line, "SwapPss:", &rollup->swap_pss);
	procfs__bytes(line, "AnonHugePages:", &rollup->huge);
}

static void read_lines(pid_t pid, const char *name, void (*take)(void *context, const char *line), void *context)
{
	FILE *file = procfs__open(pid, name);
	char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0)
		take(context, line);
	free(line);
	if (file)
		fclose(file);
}

struct rollup rollup__none(void)
{
	return (struct rollup){ ABSENT, ABSENT, ABSENT, ABSENT, ABSENT };
}

void rollup__read(struct rollup *rollup, pid_t pid)
{
	*rollup = rollup__none();
	read_lines(pid, "smaps_rollup", take_sum, rollup);
}

static void take_counter(void *context, const char *line)
{
	struct rss *rss = context;
	uint64_t bytes;

	procfs__bytes(line, "RssAnon:", &rss->anon);
	if (procfs__bytes(line, "RssFile:", &bytes) || procfs__bytes(line, "RssShmem:", &bytes))
		rss->beside = rss->beside == ABSENT ? bytes : rss->beside + bytes;
}

struct rss rss__of(pid_t pid)
{
	struct rss rss = { ABSENT, ABSENT };

	read_lines(pid, "status", take_counter, &rss);
	return rss;
}

bool rollup__is_quick(const struct rss *rss, uint64_t pages_most)
{
	uint64_t most = pages_most * page_bytes < rss->anon ? pages_most * page_bytes : rss->anon;

	return most <= QUICK_MOST && rss->beside <= QUICK_MOST;
}
