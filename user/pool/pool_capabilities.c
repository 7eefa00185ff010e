// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "pool/frames.h"
#include "pool/page_scan.h"

static enum capability_state missing(char *why, size_t size, const char *reason)
{
	snprintf(why, size, "%s", reason);
	return CAPABILITY_MISSING;
}

/* All of it is read from /proc. */
#define NO_PROC "/proc is not mounted"

static enum capability_state try_open(const void *subject, char *why, size_t size)
{
	int fd = open(subject, O_RDONLY | O_CLOEXEC), error = errno;

	if (fd < 0)
		return missing(why, size, procfs__is_there() ? strerror(error) : NO_PROC);
	close(fd);
	return CAPABILITY_THERE;
}

static enum capability_state try_frames(const void *subject, char *why, size_t size)
{
	struct frames frames;

	if (!procfs__is_there())
		return missing(why, size, NO_PROC);
	frames__open(&frames);
	frames__close(&frames);
	return frames.seen ? CAPABILITY_THERE : missing(why, size, "the page map does not show them");
}

static enum capability_state try_scan(const void *subject, char *why, size_t size)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	bool there = fd >= 0 && page_scan__is_there(fd);

	if (fd >= 0)
		close(fd);
	if (fd < 0 && !procfs__is_there())
		return missing(why, size, NO_PROC);
	return there ? CAPABILITY_THERE : missing(why, size, "the kernel does not know it");
}

static const struct capability capabilities[] = {
	{ "numbers of page frames", false, try_frames, NULL,
	  "\"shared\" goes by the page map's bit, which is wrong for huge pages; no cross-check",
	  "run as root (CAP_SYS_ADMIN)", NULL },
	{ "mappings of page frames", false, try_open, "/proc/kpagecount", "no cross-check",
	  "run as root", NULL },
	{ "flags of page frames", false, try_open, "/proc/kpageflags",
	  "merged pages look inherited", "run as root", NULL },
	{ "PAGEMAP_SCAN", false, try_scan, NULL,
	  "slower in memory that is only reserved; huge pages are counted by process only; without numbers "
	  "of frames the zero page looks shared", "it needs Linux 6.7", NULL },
};

const struct capability *pool_capabilities__list(size_t *count)
{
	*count = sizeof(capabilities) / sizeof(capabilities[0]);
	return capabilities;
}
