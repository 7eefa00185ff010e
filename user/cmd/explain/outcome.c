// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launch/child.h"

/* What a run left behind. */
struct outcome {
	int files[2]; /* what it wrote to stdout and stderr; -1: none */
	int status, signal;
};

static void release_outcome(struct outcome *outcome)
{
	for (int i = 0; i < 2; i++)
		if (outcome->files[i] >= 0)
			close(outcome->files[i]);
}

/* False: it could not be run, or a signal has ended it. */
static bool run_once(const struct way *way, struct interrupt *interrupt, struct outcome *outcome)
{
	struct child_request request = { .path = way->path, .argv = way->argv, .environment = way->environment,
					 .stdio = CHILD_TO_FILES };
	struct child_result result;
	char *reason = NULL;

	*outcome = (struct outcome){ .files = { memfd_create("stdout", MFD_CLOEXEC),
						memfd_create("stderr", MFD_CLOEXEC) } };
	memcpy(request.files, outcome->files, sizeof(request.files));
	if (outcome->files[0] < 0 || outcome->files[1] < 0)
		return false;
	if (child__run(&request, interrupt, &result, &reason)) {
		free(reason);
		return false;
	}
	outcome->status = result.status;
	outcome->signal = result.signal;
	child_result__free(&result);
	return !result.interrupted;
}

static bool same_bytes(int one, int other, uint64_t *bytes)
{
	char a[4096], b[4096];
	off_t at = 0;

	for (;;) {
		const ssize_t got = pread(one, a, sizeof(a), at), theirs = pread(other, b, sizeof(b), at);

		if (got < 0 || got != theirs || memcmp(a, b, (size_t)got))
			return false;
		if (!got)
			break;
		at += got;
	}
	*bytes += (uint64_t)at;
	return true;
}

/* What differs first; NULL: nothing. */
static const char *difference(const struct outcome *one, const struct outcome *other, uint64_t *bytes)
{
	*bytes = 0;
	if (one->status != other->status || one->signal != other->signal)
		return "exit status";
	if (!same_bytes(one->files[0], other->files[0], bytes))
		return "stdout";
	return same_bytes(one->files[1], other->files[1], bytes) ? NULL : "stderr";
}

/* Runs it once more, and compares that with the first run in the first way. */
static void compare_run(const struct way *way, bool is_first_way, const struct outcome *first,
			struct interrupt *interrupt, struct outcome_comparison *comparison)
{
	struct outcome other;
	const char *differs = NULL;
	uint64_t bytes = 0;
	const bool ran = run_once(way, interrupt, &other);

	if (ran)
		differs = difference(first, &other, &bytes);
	if (!ran) {
		comparison->output = PATH_OUTPUT_NOT_COMPARED;
	} else if (differs) {
		comparison->output = is_first_way ? PATH_OUTPUT_VARIES : PATH_OUTPUT_DIFFERS;
		comparison->difference = differs;
	} else if (comparison->output == PATH_OUTPUT_SAME) {
		comparison->bytes = bytes;
	}
	release_outcome(&other);
}

/* After a difference one more run shows whether the first way differs from itself. */
struct outcome_comparison outcome__compare(const struct way ways[2], struct interrupt *interrupt)
{
	struct outcome_comparison comparison = { .output = PATH_OUTPUT_SAME };
	struct outcome first;

	if (!run_once(&ways[0], interrupt, &first))
		comparison.output = PATH_OUTPUT_NOT_COMPARED;
	for (int i = 1; i < 2 * EACH_WAY; i++) {
		if (comparison.output != PATH_OUTPUT_SAME && (comparison.output != PATH_OUTPUT_DIFFERS || i % 2))
			break;
		compare_run(&ways[i % 2], i % 2 == 0, &first, interrupt, &comparison);
	}
	release_outcome(&first);
	return comparison;
}
