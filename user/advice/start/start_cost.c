// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/start_cost.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"

/* A call that takes that many times as long as usual has waited: for a CPU, or for a disk. */
enum { WAITED = 10 };

/* The sum of these times without waiting. */
static double without_waiting(const double *times, size_t count)
{
	const double most = count ? WAITED * quantile__median(times, count) : 0;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += fmin(times[i], most);
	return sum;
}

struct start_cost start_cost__of(const struct start *start, bool (*concerns)(const struct start_call *call))
{
	double *times = checked_calloc(start->call_count + 1, sizeof(*times));
	struct start_cost cost = { 0 };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (!concerns(call))
			continue;
		times[cost.calls++] = call->ns == ABSENT ? 0 : (double)call->ns;
		cost.failed += start_call__errno(call) != 0;
		cost.ns += call->ns == ABSENT ? 0 : call->ns;
	}
	cost.waited_ns = fmax(0, (double)cost.ns - without_waiting(times, cost.calls));
	free(times);
	return cost;
}

bool start_subject__has_glibc(const struct start_subject *subject)
{
	for (size_t i = 0; i < subject->start->call_count; i++) {
		const struct start_call *call = &subject->start->calls[i];

		if (call->reason == REASON_OPEN_LIBRARY && !strcmp(text__file_name(call->path), "libc.so.6"))
			return true;
	}
	return false;
}

void start_cost__predict(const struct start_cost *cost, const struct start_subject *subject, struct advice *advice)
{
	const double ns = (double)cost->ns, least = subject->syscall->low * (double)cost->calls;

	advice->predicted_ns = estimate__of(ns - cost->waited_ns);
	estimate__widen(&advice->predicted_ns, subject->syscall->known ? fmin(least, ns) : 0, ns);
}

bool start_call__misses(const struct start_call *call)
{
	static const char *const changing[] = { "unlink", "unlinkat", "rmdir", "rename", "renameat",
						"renameat2", "mkdir", "mkdirat", "link", "linkat",
						"symlink", "symlinkat", NULL };
	const int32_t error = start_call__errno(call);

	if (text__is_any(call->name, changing)) /* it is to be gone, or a directory is missing */
		return false;
	return call->path && *call->path && (error == ENOENT || error == ENOTDIR);
}
