// SPDX-License-Identifier: GPL-2.0-or-later
/* The one file that knows every source, and chooses. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/ebpf/ebpf.h"
#include "source/source.h"
#include "source/strace/strace.h"
#include "source/trace.h"
#include "source/watching.h"

const struct source *const sources[] = { &source_ebpf, &source_strace, NULL };
const char *const source_words[] = { "auto", "ebpf", "strace", NULL };

static bool is_wanted(const struct trace_request *request, size_t index)
{
	return !request->source || request->source == index + 1;
}

static bool can(const struct source *source, const struct trace_request *request)
{
	autofree char *message = NULL;

	return trace__check(source, request, &message) == 0;
}

/* Is there another source after it whose privileges we have? */
static bool has_substitute(const struct trace_request *request, size_t index)
{
	for (size_t i = index + 1; sources[i]; i++)
		if (is_wanted(request, i) && can(sources[i], request) && !sources[i]->missing_privileges())
			return true;
	return false;
}

/* Adds a reason to those of earlier sources; frees it. */
static void add_reason(char **reasons, char *reason)
{
	text__replace(reasons, "%s%s%s", *reasons ? *reasons : "", *reasons ? "; " : "", reason);
	free(reason);
}

enum trace_result trace__run(const struct trace_request *request, struct run **run, char **message)
{
	char *reasons = NULL;

	for (size_t i = 0; sources[i]; i++) {
		const char *missing = sources[i]->missing_privileges();
		bool is_unusable = false;
		enum trace_result result;

		if (!is_wanted(request, i) || (reasons && !can(sources[i], request)))
			continue;
		if (missing && has_substitute(request, i)) {
			add_reason(&reasons, text__of("%s needs %s", sources[i]->title, missing));
			continue;
		}
		result = trace__try(sources[i], request, run, message, &is_unusable);
		if (result == TRACE_OK)
			(*run)->fallback_reason = reasons;
		else if (is_unusable)
			add_reason(&reasons, *message);
		else
			free(reasons);
		if (!is_unusable)
			return result;
	}
	*run = NULL;
	*message = reasons;
	return TRACE_FAILED;
}

const char *trace__missing_privileges(const struct trace_request *request)
{
	const char *missing = NULL;

	for (size_t i = 0; sources[i]; i++) {
		if (!is_wanted(request, i) || !can(sources[i], request))
			continue;
		if (!sources[i]->missing_privileges())
			return NULL;
		if (!missing)
			missing = sources[i]->missing_privileges();
	}
	return missing;
}

struct watching *watching__open(const struct trace_request *request, enum watch_level level, char **message)
{
	size_t i = 0;

	while (!sources[i]->read_units)
		i++;
	return watching__by(sources[i], request, level, message);
}
