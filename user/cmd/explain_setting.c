// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/explain_trials.h"

static const char tunables[] = "GLIBC_TUNABLES=";

/* Of two tunables of a name the last one counts, so ours goes behind what the user has set. */
static char *merge(const char *entry)
{
	const char *set = getenv("GLIBC_TUNABLES");
	char *merged;

	if (strncmp(entry, tunables, strlen(tunables)) || !set || !*set)
		return checked_strdup(entry);
	if (asprintf(&merged, "%s%s:%s", tunables, set, entry + strlen(tunables)) < 0)
		merged = NULL;
	return checked(merged);
}

void setting__make(struct setting *setting, const char *entry)
{
	size_t name = (size_t)(strchr(entry, '=') - entry) + 1, count = 0, kept = 0;

	while (environ[count])
		count++;
	setting->entry = merge(entry);
	setting->environment = checked_calloc(count + 2, sizeof(*setting->environment));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], entry, name))
			setting->environment[kept++] = environ[i];
	setting->environment[kept] = setting->entry;
}

void setting__release(struct setting *setting)
{
	free(setting->environment);
	free(setting->entry);
	*setting = (struct setting){ 0 };
}
