// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/image_reasons.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "resolve/bindnow/file_way.h"

/* "(dynamic)", behind the path; "": the name has no linkage. */
static const char *linkage_in(const char *name)
{
	const char *linkage = strrchr(name, '(');

	return linkage ? linkage : name + strlen(name);
}

static bool have_one_path(const char *name, const char *other)
{
	const size_t length = (size_t)(linkage_in(name) - name);

	return (size_t)(linkage_in(other) - other) == length && !strncmp(name, other, length);
}

/* How the executable of that path was linked otherwise before; NULL: it is new, or as before. */
static const char *linkage_before(const struct baseline_context *then, const char *name)
{
	for (size_t i = 0; i < then->metric_count; i++) {
		const struct baseline_metric *metric = &then->metrics[i];

		if (metric->kind == BASELINE_IMAGE && have_one_path(metric->name, name) &&
		    strcmp(metric->name, name) != 0)
			return linkage_in(metric->name);
	}
	return NULL;
}

/* Its file; NULL: not known. */
static const char *file_of(const struct check_names *names, const char *name)
{
	const char *file = NULL;

	for (uint32_t i = 0; names && i < names->run->exe_count && !file; i++) {
		char *image = check_names__image(names, i);

		if (!strcmp(image, name))
			file = exe__file(&names->run->exes[i]);
		free(image);
	}
	return file;
}

static enum bindnow_way way_of(const struct check_names *names, const char *name)
{
	const char *file = file_of(names, name);

	return file ? bindnow_way__of_program(file) : WAY_UNKNOWN;
}

bool image__loses_nothing(const struct baseline_context *then, const char *name, const struct check_names *names)
{
	static const char *const linked[] = { "(dynamic)", "(dynamic-now)", "(static-pie)", NULL };
	static const char *const bound[] = { "(dynamic)", "(dynamic-now)", NULL };
	const char *before = linkage_before(then, name), *now = linkage_in(name);
	enum bindnow_way way;

	if (!before)
		return false;
	if (!strcmp(before, "(dynamic)"))
		return true;
	if (!strcmp(now, "(static)"))
		return text__is_any(before, linked);
	if (!strcmp(now, "(static-pie)"))
		return text__is_any(before, bound);
	if (strcmp(now, "(dynamic)") != 0 || strcmp(before, "(dynamic-now)") != 0)
		return false;
	way = way_of(names, name);
	return way == WAY_MUSL || way == WAY_NO_SLOTS;
}

bool image__is_linked_worse(const struct check_result *result, const char *name)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (finding->kind == BASELINE_IMAGE && check_finding__fails(finding) &&
		    have_one_path(finding->name, name))
			return true;
	}
	return false;
}

static bool is_gone(const struct check_result *result, const char *name, const char *linkage)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (finding->kind == BASELINE_IMAGE && !finding->now_most &&
		    have_one_path(finding->name, name) && !strcmp(linkage_in(finding->name), linkage))
			return true;
	}
	return false;
}

bool image__lost_bind_now(const struct check_result *result, const char *object, const struct check_names *names)
{
	autofree char *name = text__of("%s (dynamic)", object);
	bool lost = is_gone(result, name, "(dynamic-now)");

	/* Executed by another name than that of the file itself: a link, say. */
	for (uint32_t i = 0; names && i < names->run->exe_count && !lost; i++) {
		const char *path = exe__file(&names->run->exes[i]);
		char *file = path ? check_names__path(names, path) : NULL;
		char *image = check_names__image(names, i);

		lost = file && !strcmp(file, object) && is_gone(result, image, "(dynamic-now)");
		free(file);
		free(image);
	}
	return lost;
}

bool context__binds_now(const struct baseline_context *context)
{
	static const char begin[] = "LD_BIND_NOW=";

	for (size_t i = 0; i < context->metric_count; i++)
		if (context->metrics[i].kind == BASELINE_SETTING &&
		    !strncmp(context->metrics[i].name, begin, strlen(begin)) && context->metrics[i].name[strlen(begin)])
			return true;
	return false;
}

/* Do children bind symbols of that object? */
static bool is_bound_by_children(const struct check_result *result, const char *path)
{
	const size_t length = strlen(path);

	for (size_t i = 0; i < result->now.metric_count; i++) {
		const struct baseline_metric *metric = &result->now.metrics[i];
		const size_t size = strlen(metric->name);

		if (metric->kind == BASELINE_BOUND && size > length && !strcmp(metric->name + size - length, path))
			return true;
	}
	return false;
}

static void say_lazy(struct check_finding *finding, const struct check_result *result, const struct check_names *names)
{
	const char *file = file_of(names, finding->name), *more = "";
	autofree char *path = file ? check_names__path(names, file) : text__of("%s", "");

	if (context__binds_now(&result->now))
		more = "; LD_BIND_NOW binds all of them at start all the same";
	else if (is_bound_by_children(result, path))
		more = ", by children again";
	check_finding__say(finding, "it was linked with -z now, and no longer is: each function is bound "
				    "at its first call%s", more);
}

void image_reasons__add(struct check_finding *finding, const struct check_result *result,
			const struct check_names *names)
{
	const char *before = linkage_before(result->then, finding->name);

	if (!before)
		check_finding__say(finding, "it was not executed before");
	else if (!strcmp(before, "(dynamic-now)") && way_of(names, finding->name) == WAY_LAZY)
		say_lazy(finding, result, names);
	else
		check_finding__say(finding, "it was linked otherwise: %s", before);
}
