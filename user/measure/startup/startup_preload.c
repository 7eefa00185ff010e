// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/startup_preload.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "launch/environment.h"
#include "measure/loop/loop_cells.h"

static int add_preload(const struct startup_wanted *wanted, struct preload *preload, const char *name,
	       uint64_t copies, char **reason, char **remedy)
{
	char *library;
	int status;

	if (!copies)
		return 0;
	library = loops__find(wanted->loops, wanted->linkage, name, reason, remedy);
	if (!library)
		return -1;
	status = preload__add(preload, library, copies, reason);
	free(library);
	return status;
}

/* ld.so says on stderr what it cannot load, and goes on without it. */
static int try_preload(const char *path, const char *variable, char **reason)
{
	const char *more[] = { variable, NULL };
	char *argv[] = { (char *)path, NULL };
	char **environment = environment__changed(more);
	const struct child_request request = {
		.path = path, .argv = argv, .environment = environment,
	};
	struct child_result result;
	int status = loop_cell__ask(&request, &result, reason);

	text__free_list(environment);
	if (status)
		return -1;
	if (*result.errors) {
		result.errors[strcspn(result.errors, "\n")] = '\0';
		*reason = checked_strdup(result.errors);
		status = -1;
	}
	child_result__free(&result);
	return status;
}

struct preload *startup_preload__new(const struct startup_wanted *wanted, struct bench_cell *cell)
{
	char *reason = NULL, *remedy = NULL, *name;
	struct preload *preload;

	if (!wanted->libraries && !wanted->relocations)
		return NULL;
	if (linkages[wanted->linkage].is_static) {
		bench_cell__set_state(cell, BENCH_UNAVAILABLE,
				      "a static program loads no libraries", NULL);
		return NULL;
	}
	name = text__of("librelocations-%" PRIu64 ".so", wanted->relocations);
	preload = preload__new(&reason);
	if (!preload ||
	    add_preload(wanted, preload, "libextra.so", wanted->libraries, &reason, &remedy) ||
	    add_preload(wanted, preload, name, wanted->relocations > 0, &reason, &remedy) ||
	    try_preload(wanted->path, preload__variable(preload), &reason)) {
		loop_cell__refuse(cell, reason, remedy);
		preload__free(preload);
		preload = NULL;
	}
	free(name);
	return preload;
}
