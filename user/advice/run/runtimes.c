// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/runtimes.h"

#include <stddef.h>
#include <string.h>

static const struct runtime runtimes[] = {
#define RUNTIME(program, files, way, remedy) { program, files, way, remedy },
#include "model/advice/runtimes.def"
#undef RUNTIME
};

static bool is_of(const struct runtime *runtime, const char *program)
{
	return !strncmp(program, runtime->program, strlen(runtime->program));
}

const struct runtime *runtime__of(const char *program, const char *files)
{
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (runtimes[i].remedy && is_of(&runtimes[i], program) && strstr(files, runtimes[i].files))
			return &runtimes[i];
	return NULL;
}

bool runtime__takes(const char *program, const char *option)
{
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (runtimes[i].way && !strcmp(runtimes[i].way, option) && is_of(&runtimes[i], program))
			return true;
	return false;
}
