// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_ksm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "base/text.h"
#include "launch/interrupt.h"
#include "model/rows/absent.h"

enum { GET_MEMORY_MERGE = 68 }; /* PR_GET_MEMORY_MERGE, Linux 6.4; older headers do not have it */
/* 100,000 pages a second; the kernel's default is 5,000. */
enum { PAGES_TO_SCAN = 2000, SLEEP_MS = 20 };
/* A page is merged if two scans found the same contents. */
enum { LOOKS_LEAST = 3, LOCK_MOST_MS = 60000, STEP_MS = 100, QUIET_MS = 1000 };
enum { KSM_STOP, KSM_RUN, KSM_UNMERGE };

static const char base[] = "/sys/kernel/mm/ksm/", run_file[] = "/sys/kernel/mm/ksm/run";

/* -1: cannot be read. */
static int64_t setting(const char *name)
{
	char path[64];
	int64_t value = -1;
	FILE *stream;

	snprintf(path, sizeof(path), "%s%s", base, name);
	stream = fopen(path, "re");
	if (!stream)
		return -1;
	if (fscanf(stream, "%" SCNd64, &value) != 1)
		value = -1;
	fclose(stream);
	return value;
}

static bool set(const char *name, int64_t value)
{
	char path[64];
	FILE *stream;
	bool good;

	snprintf(path, sizeof(path), "%s%s", base, name);
	stream = fopen(path, "we");
	if (!stream)
		return false;
	good = fprintf(stream, "%" PRId64, value) > 0;
	return !fclose(stream) && good;
}

char *pool_ksm__refusal(void)
{
	if (setting("run") < 0)
		return text__of("this kernel does not merge pages (no %s; CONFIG_KSM)", base);
	if (prctl(GET_MEMORY_MERGE, 0, 0, 0, 0) < 0)
		return text__of("this kernel does not merge all memory of a process "
				"(PR_SET_MEMORY_MERGE, Linux 6.4)");
	if (access(run_file, W_OK))
		return text__of("%s may not be written: run forktax as root", run_file);
	return NULL;
}

/* Another forktax needs a minute at most, as a rule. */
static bool wait_for_lock(int lock, struct interrupt *interrupt)
{
	struct pollfd signal = { .fd = interrupt->fd, .events = POLLIN };

	for (int waited = 0; flock(lock, LOCK_EX | LOCK_NB); waited += STEP_MS) {
		if (errno != EWOULDBLOCK || waited >= LOCK_MOST_MS || interrupt__came(interrupt))
			return false;
		poll(&signal, 1, STEP_MS);
		errno = EWOULDBLOCK;
	}
	return true;
}

int pool_ksm__remember(struct pool_ksm *ksm, struct interrupt *interrupt, char **reason)
{
	int lock = open(run_file, O_RDONLY | O_CLOEXEC);

	if (lock < 0 || !wait_for_lock(lock, interrupt)) {
		error__set(reason, "%s: %s", run_file,
			   errno == EWOULDBLOCK ? "another forktax is testing same-page merging" :
						   strerror(errno));
		close(lock);
		return -1;
	}
	*ksm = (struct pool_ksm){
		.run = setting("run"),
		.pages_to_scan = setting("pages_to_scan"),
		.sleep_millisecs = setting("sleep_millisecs"),
		.smart_scan = setting("smart_scan"),
		.had_merged = setting("pages_shared") > 0,
		.lock = lock,
	};
	return 0;
}

void pool_ksm__release(struct pool_ksm *ksm)
{
	close(ksm->lock);
}

int pool_ksm__begin(const struct pool_ksm *ksm, char **reason)
{
	/* With an advisor the kernel chooses the number of pages itself, and refuses ours. */
	if (ksm->pages_to_scan < PAGES_TO_SCAN)
		set("pages_to_scan", PAGES_TO_SCAN);
	if (ksm->sleep_millisecs > SLEEP_MS)
		set("sleep_millisecs", SLEEP_MS);
	/* Since Linux 6.7 scans leave out pages that were not merged eight times in a row. It seems to rest then. */
	if (ksm->smart_scan > 0)
		set("smart_scan", 0);
	if (!set("run", KSM_RUN))
		return error__set(reason, "%s cannot be set to 1: %s", run_file, strerror(errno));
	return 0;
}

enum pool_ksm_end pool_ksm__wait(struct interrupt *interrupt, double most_ns)
{
	const double end = clock__now_ns() + most_ns;
	struct pollfd signal = { .fd = interrupt->fd, .events = POLLIN };
	const int64_t first = setting("full_scans");
	int64_t merged = -1;
	int quiet = 0;

	while (clock__now_ns() < end && !interrupt__came(interrupt)) {
		int64_t now = setting("pages_sharing");

		if (setting("run") != KSM_RUN)
			return KSM_SWITCHED_OFF;
		quiet = now == merged ? quiet + STEP_MS : 0;
		merged = now;
		if (setting("full_scans") >= first + LOOKS_LEAST && quiet >= QUIET_MS)
			return KSM_RESTS;
		poll(&signal, 1, STEP_MS);
	}
	return KSM_TOO_LONG;
}

void pool_ksm__pause(void)
{
	set("run", KSM_STOP);
}

void pool_ksm__restore(const struct pool_ksm *ksm)
{
	if (ksm->run == KSM_STOP && !ksm->had_merged)
		set("run", KSM_UNMERGE); /* nothing had been merged before us: not of others, either */
	set("run", ksm->run);
	if (setting("pages_to_scan") != ksm->pages_to_scan)
		set("pages_to_scan", ksm->pages_to_scan);
	if (setting("sleep_millisecs") != ksm->sleep_millisecs)
		set("sleep_millisecs", ksm->sleep_millisecs);
	if (ksm->smart_scan > 0)
		set("smart_scan", ksm->smart_scan);
}

/* The thread of that name whose parent is kthreadd, 2. */
static pid_t find_ksmd(void)
{
	size_t count;
	int32_t *pids = procfs__pids(&count), found = 0;

	for (size_t i = 0; i < count && !found; i++) {
		FILE *stream = procfs__open(pids[i], "stat");
		char name[20] = "";
		int parent = 0;

		if (stream && fscanf(stream, "%*d %19s %*c %d", name, &parent) == 2 &&
		    !strcmp(name, "(ksmd)") && parent == 2)
			found = pids[i];
		if (stream)
			fclose(stream);
	}
	free(pids);
	return found;
}

uint64_t pool_ksm__cpu_ns(void)
{
	pid_t pid = find_ksmd();
	FILE *stream = pid ? procfs__open(pid, "schedstat") : NULL;
	uint64_t ns = ABSENT;

	if (stream && fscanf(stream, "%" SCNu64, &ns) != 1)
		ns = ABSENT;
	if (stream)
		fclose(stream);
	return ns;
}
