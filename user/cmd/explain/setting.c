// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "base/text.h"
#include "cmd/explain/explain_trials.h"
#include "launch/environment.h"

static const char tunables[] = "GLIBC_TUNABLES=";

/* Of two tunables of a name the last one counts, so ours goes behind what the user has set. */
static char *merge(const char *entry)
{
	const char *set = getenv("GLIBC_TUNABLES");

	if (strncmp(entry, tunables, strlen(tunables)) || !set || !*set)
		return checked_strdup(entry);
	return text__of("%s%s:%s", tunables, set, entry + strlen(tunables));
}

void setting__make(struct setting *setting, const char *entry)
{
	const char *changes[] = { NULL, NULL };

	setting->entry = merge(entry);
	changes[0] = setting->entry;
	setting->environment = environment__changed(changes);
}

void setting__release(struct setting *setting)
{
	text__free_list(setting->environment);
	free(setting->entry);
	*setting = (struct setting){ 0 };
}
