// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "base/text.h"
#include "saved/check.h"

static char *context_contradiction(const struct baseline_context *context)
{
	for (size_t i = 1; i < context->metric_count; i++) {
		const struct baseline_metric *metric = &context->metrics[i];

		if (!baseline_metric__compare(metric - 1, metric))
			return text__of("\"%s\" of %s appears twice", metric->name, metric->of);
	}
	for (size_t i = 1; i < context->place_count; i++) {
		const struct baseline_place *place = &context->places[i];

		if (!baseline_place__compare(place - 1, place))
			return text__of("pages of %s of %s appear twice", place->section, place->of);
	}
	for (size_t i = 1; i < context->file_count; i++) {
		const struct baseline_file *file = &context->files[i];

		if (!baseline_file__compare(file - 1, file))
			return text__of("the file %s of %s appears twice", file->path, file->of);
	}
	return NULL;
}

static char *check_contradiction(const struct baseline_check *check)
{
	char *found = check->command_count ? NULL : text__of("there is no command");

	for (size_t i = 0; i < check->context_count && !found; i++) {
		found = context_contradiction(&check->contexts[i]);
		if (!found && i && !baseline_context__compare(&check->contexts[i - 1],
							      &check->contexts[i]))
			found = text__of("a context appears twice");
	}
	if (found)
		text__replace(&found, "%s: %s", check->name, found);
	return found;
}

char *baseline__contradiction(const struct baseline *baseline)
{
	char *found = NULL;

	for (size_t i = 0; i < baseline->check_count && !found; i++) {
		const struct baseline_check *check = &baseline->checks[i];

		found = check_contradiction(check);
		if (!found && i && !baseline_check__compare(check - 1, check))
			found = text__of("the name %s appears twice", check->name);
	}
	return found;
}
