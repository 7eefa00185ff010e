// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/serve/serve.h"

/* Something that is chosen by name from a table. */
struct choice {
	const char *noun;
	size_t count;
	const char *(*name)(size_t index);
	bool *chosen;
};

static const char *model_name(size_t index)
{
	return serve_models[index].key;
}

/* The names of the rows of other measurements hold spaces. */
static const char *linkage_name(size_t index)
{
	return linkages[index].environment ? "bind-now" : linkages[index].directory;
}

struct serve_settings serve_settings__default(void)
{
	struct serve_settings settings = {
		.workers = SERVE_WORKERS,
		.concurrency = SERVE_WORKERS,
		.linkages = { [LOOP_DYNAMIC] = true, [LOOP_NOW] = true,
			      [LOOP_STATIC] = true, [LOOP_DIET] = true },
	};

	memset(settings.models, true, sizeof(settings.models));
	return settings;
}

static void refuse_choice(const struct choice *choice, const char *name, char **reason)
{
	char *names = checked_strdup("all");

	for (size_t i = 0; i < choice->count; i++)
		text__replace(&names, "%s, %s", names, choice->name(i));
	text__wrong(reason, "no such %s: \"%s\"; there are %s", choice->noun, name, names);
	free(names);
}

static bool choose(const struct choice *choice, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < choice->count; i++) {
		if (strcmp(name, "all") != 0 && strcmp(name, choice->name(i)) != 0)
			continue;
		choice->chosen[i] = true;
		found = true;
	}
	return found;
}

static int take_choices(const struct choice *choice, const char *list, char **reason)
{
	char *names = checked_strdup(list), *rest = names, *name;
	int status = 0;

	memset(choice->chosen, false, choice->count);
	while (status == 0 && (name = strsep(&rest, ","))) {
		if (choose(choice, name))
			continue;
		refuse_choice(choice, name, reason);
		status = -1;
	}
	free(names);
	return status;
}

int serve_settings__take_models(struct serve_settings *settings, const char *list, char **reason)
{
	const struct choice choice = { "model", SERVE_MODEL_COUNT, model_name, settings->models };

	return take_choices(&choice, list, reason);
}

int serve_settings__take_linkages(struct serve_settings *settings, const char *list,
				  char **reason)
{
	const struct choice choice = { "linkage", LOOP_COUNT, linkage_name,
				       settings->linkages };

	return take_choices(&choice, list, reason);
}
