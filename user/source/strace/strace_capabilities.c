// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/strace/strace.h"
#include "source/strace/tracer.h"

static enum capability_state try_installed(const void *subject, char *why, size_t size)
{
	char *reason = NULL;
	unsigned int version = tracer__version(&reason);

	if (version)
		return CAPABILITY_THERE;
	snprintf(why, size, "%s", reason);
	free(reason);
	return CAPABILITY_MISSING;
}

/* 0 where there is no Yama, or it restricts nothing. */
static int yama_scope(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (file && fscanf(file, "%d", &scope) != 1)
		scope = 0;
	if (file)
		fclose(file);
	return scope;
}

const char *strace_capabilities__remedy(void)
{
	static const char *const remedies[] = {
		"the process must be yours and not traced already, and no seccomp filter (as of a "
		"container) may forbid ptrace",
		"kernel.yama.ptrace_scope is 1: forktax may trace only programs that it starts; run it "
		"as root",
		"kernel.yama.ptrace_scope is 2: only root may trace",
		"kernel.yama.ptrace_scope is 3: nobody may use ptrace until the next boot",
	};
	int scope = yama_scope();

	return remedies[scope >= 0 && scope <= 3 ? scope : 0];
}

static enum capability_state try_attach(const void *subject, char *why, size_t size)
{
	int scope = yama_scope();

	if (try_installed(subject, why, size) != CAPABILITY_THERE)
		return CAPABILITY_UNTRIED;
	if (!scope)
		return CAPABILITY_THERE;
	snprintf(why, size, "kernel.yama.ptrace_scope is %d", scope);
	return CAPABILITY_MISSING;
}

static const struct capability capabilities[] = {
	{ "strace", true, try_installed, NULL, "nothing can be traced by it",
	  "install the package strace", "sudo apt-get install strace" },
	{ "a trace of `true` by strace", true, NULL, NULL, "nothing can be traced by it",
	  "mount /proc; allow ptrace(2): kernel.yama.ptrace_scope below 2, no seccomp filter of a container", NULL },
	{ "-p by strace", false, try_attach, NULL,
	  "processes that forktax has not started cannot be traced by an ordinary user",
	  "run as root, or allow it to everybody", "sudo sysctl kernel.yama.ptrace_scope=0" },
};

const struct capability *strace_capabilities__list(size_t *count)
{
	*count = sizeof(capabilities) / sizeof(capabilities[0]);
	return capabilities;
}
