// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/rollup.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/procfs.h"
#include "model/rows/absent.h"

#include "base/page.h"

/* Bytes. A GiB of small pages takes 17 to 48 ms, one of huge pages 4. */
static const uint64_t quick_most = 1ull << 30, sums_most = 32ull << 30;

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

	procfs__bytes(line, "RssAnon:", &rss->anon);
	procfs__bytes(line, "RssFile:", &rss->file);
	procfs__bytes(line, "RssShmem:", &rss->shmem);
}

struct rss rss__of(pid_t pid)
{
	struct rss rss = { ABSENT, ABSENT, ABSENT };

	read_lines(pid, "status", take_counter, &rss);
	return rss;
}

bool rollup__is_quick(const struct rss *rss, uint64_t pages_most)
{
	uint64_t most = pages_most * page_bytes < rss->anon ? pages_most * page_bytes : rss->anon;

	return most <= quick_most && rss->file <= quick_most && rss->shmem <= quick_most;
}

bool rollup__is_much(uint64_t rss_bytes)
{
	return rss_bytes > sums_most;
}

uint64_t rss__all(const struct rss *rss)
{
	if (rss->anon == ABSENT || rss->file == ABSENT || rss->shmem == ABSENT)
		return ABSENT;
	return rss->anon + rss->file + rss->shmem;
}
