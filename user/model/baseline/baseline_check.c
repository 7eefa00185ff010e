// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/baseline/baseline.h"

int baseline_metric__compare(const void *left, const void *right)
{
	const struct baseline_metric *a = left, *b = right;
	int of = strcmp(a->of, b->of);

	if (of)
		return of;
	return a->kind != b->kind ? (int)a->kind - (int)b->kind : strcmp(a->name, b->name);
}

int baseline_place__compare(const void *left, const void *right)
{
	const struct baseline_place *a = left, *b = right;
	int differ = strcmp(a->of, b->of);

	if (!differ)
		differ = (int)a->class - (int)b->class;
	if (!differ)
		differ = (int)a->actor - (int)b->actor;
	if (!differ)
		differ = text__compare(a->object, b->object);
	return differ ? differ : strcmp(a->section, b->section);
}

int baseline_file__compare(const void *left, const void *right)
{
	const struct baseline_file *a = left, *b = right;
	int of = strcmp(a->of, b->of);

	return of ? of : strcmp(a->path, b->path);
}

const char *baseline_context__part(const struct baseline_context *context, size_t part)
{
	const char *const parts[CONTEXT_PARTS] = { context->arch, context->kernel, context->libc,
						   context->huge_pages, context->source };

	return parts[part];
}

int baseline_context__compare(const void *left, const void *right)
{
	int differ = 0;

	for (size_t i = 0; i < CONTEXT_PARTS && !differ; i++)
		differ = strcmp(baseline_context__part(left, i), baseline_context__part(right, i));
	return differ;
}

static int baseline_check__compare(const void *left, const void *right)
{
	return strcmp(((const struct baseline_check *)left)->name, ((const struct baseline_check *)right)->name);
}

/* qsort() wants no NULL, not even for nothing. */
static void sort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	if (count)
		qsort(array, count, size, compare);
}

static void sort_context(struct baseline_context *context)
{
	sort(context->metrics, context->metric_count, sizeof(*context->metrics), baseline_metric__compare);
	sort(context->places, context->place_count, sizeof(*context->places), baseline_place__compare);
	sort(context->files, context->file_count, sizeof(*context->files), baseline_file__compare);
}

void baseline__sort(struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->check_count; i++) {
		struct baseline_check *check = &baseline->checks[i];

		for (size_t k = 0; k < check->context_count; k++)
			sort_context(&check->contexts[k]);
		sort(check->contexts, check->context_count, sizeof(*check->contexts), baseline_context__compare);
	}
	sort(baseline->checks, baseline->check_count, sizeof(*baseline->checks), baseline_check__compare);
}

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
		if (!found && i && !baseline_context__compare(&check->contexts[i - 1], &check->contexts[i]))
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
