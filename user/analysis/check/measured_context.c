// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/measured_context.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/run_metrics.h"
#include "base/memory.h"
#include "base/text.h"

/* "6.1" of "6.1.0-18-amd64" */
static char *kernel_version(const char *release)
{
	const size_t major = strcspn(release, "."), number = strspn(release + major, ".0123456789");
	const char *end = release[major] ? strchr(release + major + 1, '.') : NULL;

	return strndup(release, end && end < release + major + number ? end - release : major + number);
}

/* As of that run alone. */
static struct baseline_context measure(const struct run *run, const struct check_machine *machine)
{
	struct check_names names = check_names__of(run, machine->here);
	struct baseline_context context = {
		.arch = checked_strdup(run->arch),
		.kernel = checked(kernel_version(run->kernel)),
		.libc = checked_strdup(machine->libc),
		.huge_pages = checked_strdup(machine->huge_pages),
		.source = checked_strdup(run->source),
		.runs = 1,
	};

	run_metrics__take(&names, &context);
	run_places__take(&names, &context);
	run_files__take(&names, &context);
	check_names__release(&names);
	return context;
}

/*
 * Widens the ranges by those of another run, and takes over what only that one has. Both lists are
 * sorted; a metric that one of them lacks is 0 there.
 */
static void join_metrics(struct baseline_context *context, struct baseline_context *more)
{
	const size_t count = context->metric_count + more->metric_count;
	struct baseline_metric *joined = checked_calloc(count, sizeof(*joined));
	size_t left = 0, right = 0, kept = 0;

	while (left < context->metric_count || right < more->metric_count) {
		struct baseline_metric *a = &context->metrics[left], *b = &more->metrics[right];
		const int order = left == context->metric_count ? 1 :
				  right == more->metric_count	? -1 :
								  baseline_metric__compare(a, b);

		joined[kept] = order <= 0 ? *a : *b;
		left += order <= 0;
		right += order >= 0;
		if (order) {
			joined[kept].least = 0;
		} else {
			joined[kept].least = a->least < b->least ? a->least : b->least;
			joined[kept].most = a->most > b->most ? a->most : b->most;
			joined[kept].by_ldso = a->by_ldso > b->by_ldso ? a->by_ldso : b->by_ldso;
			baseline_metric__release(b);
		}
		kept++;
	}
	free(context->metrics);
	context->metrics = joined;
	context->metric_count = kept;
	more->metric_count = 0;
}

static bool same_text(const char *left, const char *right)
{
	return left && right ? !strcmp(left, right) : left == right;
}

static bool same_place(const void *left, const void *right)
{
	const struct baseline_place *a = left, *b = right;

	return a->faults == b->faults && same_text(a->pages, b->pages);
}

static bool same_file(const void *left, const void *right)
{
	const struct baseline_file *a = left, *b = right;

	return !memcmp(a->calls, b->calls, sizeof(a->calls));
}

static struct baseline_occurrences *occurrences_of_place(void *place)
{
	return &((struct baseline_place *)place)->occurrences;
}

static struct baseline_occurrences *occurrences_of_file(void *file)
{
	return &((struct baseline_file *)file)->occurrences;
}

/* Its counts are those of one run, and so nobody's. */
static void empty_place(void *item)
{
	struct baseline_place *place = item;

	free(place->pages);
	place->pages = NULL;
	place->faults = 0;
}

static void empty_file(void *item)
{
	memset(((struct baseline_file *)item)->calls, 0, sizeof(((struct baseline_file *)item)->calls));
}

static void release_place(void *place)
{
	baseline_place__release(place);
}

static void release_file(void *file)
{
	baseline_file__release(file);
}

/* What explains metrics: both lists are treated alike. */
struct list_kind {
	size_t size;
	int (*compare)(const void *left, const void *right);
	bool (*is_same)(const void *left, const void *right);
	struct baseline_occurrences *(*occurrences)(void *item);
	void (*empty)(void *item);
	void (*release)(void *item);
};

static const struct list_kind places = { sizeof(struct baseline_place), baseline_place__compare, same_place,
					 occurrences_of_place, empty_place, release_place };
static const struct list_kind files = { sizeof(struct baseline_file), baseline_file__compare, same_file,
					occurrences_of_file, empty_file, release_file };

/* Of two sorted lists makes one, which is returned; what only one of them has varies. */
static void *merge(const struct list_kind *kind, char *left, size_t left_count, char *right,
		   size_t right_count, size_t *count)
{
	char *merged = checked_calloc(left_count + right_count, kind->size), *at = merged;
	char *left_end = left + left_count * kind->size, *right_end = right + right_count * kind->size;

	for (char *a = left, *b = right; a < left_end || b < right_end; at += kind->size) {
		const int order = a == left_end ? 1 : b == right_end ? -1 : kind->compare(a, b);

		memcpy(at, order <= 0 ? a : b, kind->size);
		kind->occurrences(at)->vary |= order || !kind->is_same(a, b);
		if (!order) {
			kind->occurrences(at)->runs += kind->occurrences(b)->runs;
			kind->release(b);
		}
		a += order <= 0 ? kind->size : 0;
		b += order >= 0 ? kind->size : 0;
	}
	free(left);
	*count = (size_t)(at - merged) / kind->size;
	return merged;
}

/* What varies has no counts; if a single run had it, its name may be that run's alone. */
static size_t settle(const struct list_kind *kind, char *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		char *item = list + i * kind->size;

		if (kind->occurrences(item)->vary && kind->occurrences(item)->runs < 2) {
			kind->release(item);
			continue;
		}
		if (kind->occurrences(item)->vary)
			kind->empty(item);
		memmove(list + kept++ * kind->size, item, kind->size);
	}
	return kept;
}

static void join(struct baseline_context *context, struct baseline_context *more)
{
	join_metrics(context, more);
	context->places = merge(&places, (char *)context->places, context->place_count,
				(char *)more->places, more->place_count, &context->place_count);
	more->place_count = 0;
	context->files = merge(&files, (char *)context->files, context->file_count,
			       (char *)more->files, more->file_count, &context->file_count);
	more->file_count = 0;
	context->runs += more->runs;
	baseline_context__release(more);
}

/* The same in all runs, as they had one environment. */
static void add_settings(struct baseline_context *context, char *const *settings)
{
	const size_t count = text__list_length(settings), before = context->metric_count;

	context->metrics = checked(reallocarray(context->metrics, before + count + 1,
						sizeof(*context->metrics)));
	for (size_t i = 0; i < count; i++)
		context->metrics[context->metric_count++] = (struct baseline_metric){
			.of = checked_strdup(OF_RUN), .kind = BASELINE_SETTING,
			.name = checked_strdup(settings[i]), .least = 1, .most = 1,
		};
	qsort(context->metrics, context->metric_count, sizeof(*context->metrics),
	      baseline_metric__compare);
}

struct baseline_context measured_context__of(struct run *const *runs, size_t count,
					     const struct check_machine *machine)
{
	struct baseline_context context = measure(runs[0], machine);

	for (size_t i = 1; i < count; i++) {
		struct baseline_context more = measure(runs[i], machine);

		join(&context, &more);
	}
	context.place_count = settle(&places, (char *)context.places, context.place_count);
	context.file_count = settle(&files, (char *)context.files, context.file_count);
	add_settings(&context, machine->settings);
	return context;
}
