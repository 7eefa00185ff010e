// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/rows/fields.h"

struct baseline *baseline__new(void)
{
	return checked_calloc(1, sizeof(struct baseline));
}

void baseline__free(struct baseline *baseline)
{
	shape__free(&baseline_shape, baseline);
}

void baseline_check__release(struct baseline_check *check)
{
	shape__release(&baseline_check_shape, check);
	*check = (struct baseline_check){ 0 };
}

void baseline_context__release(struct baseline_context *context)
{
	shape__release(&baseline_context_shape, context);
	*context = (struct baseline_context){ 0 };
}

struct baseline_check *baseline__find(const struct baseline *baseline, const char *name)
{
	for (size_t i = 0; i < baseline->check_count; i++)
		if (!strcmp(baseline->checks[i].name, name))
			return &baseline->checks[i];
	return NULL;
}

struct baseline_context *baseline_check__context(const struct baseline_check *check,
						 const struct baseline_context *like)
{
	for (size_t i = 0; i < check->context_count; i++)
		if (!baseline_context__compare(&check->contexts[i], like))
			return &check->contexts[i];
	return NULL;
}

void baseline__put(struct baseline *baseline, struct baseline_check *check)
{
	struct baseline_check *found = baseline__find(baseline, check->name);

	if (found) {
		baseline_check__release(found);
	} else {
		/* One at a time: those of a file that was loaded have no room to spare. */
		baseline->checks = checked(reallocarray(baseline->checks, baseline->check_count + 1,
							sizeof(*baseline->checks)));
		found = &baseline->checks[baseline->check_count++];
	}
	*found = *check;
	*check = (struct baseline_check){ 0 };
}

void baseline_check__put(struct baseline_check *check, struct baseline_context *context)
{
	struct baseline_context *found = baseline_check__context(check, context);

	if (found) {
		baseline_context__release(found);
	} else {
		check->contexts = checked(reallocarray(check->contexts, check->context_count + 1,
						       sizeof(*check->contexts)));
		found = &check->contexts[check->context_count++];
	}
	*found = *context;
	*context = (struct baseline_context){ 0 };
}

char *baseline_context__words(const struct baseline_context *context)
{
	return text__of("%s, Linux %s, %s, huge pages: %s, %s", context->arch, context->kernel,
			context->libc, context->huge_pages, context->source);
}

char *baseline_metric__words(const struct baseline_metric *metric)
{
	const char *words = baseline_kinds[metric->kind].words, *name = strstr(words, "%s");

	return text__of("%.*s%s%s", (int)(name - words), words, metric->name, name + strlen("%s"));
}

const struct baseline_metric *baseline_context__like(const struct baseline_context *context,
						     const struct baseline_metric *metric)
{
	return context->metric_count ? bsearch(metric, context->metrics, context->metric_count,
					       sizeof(*metric), baseline_metric__compare)
				     : NULL;
}

const struct baseline_metric *baseline_context__metric(const struct baseline_context *context, const char *of,
						       enum baseline_kind kind, const char *name)
{
	const struct baseline_metric wanted = { .of = (char *)of, .kind = kind, .name = (char *)name };

	return baseline_context__like(context, &wanted);
}
