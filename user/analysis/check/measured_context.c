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

static bool same_place(const void *left, const void *right)
{
	const struct baseline_place *a = left, *b = right;

	return a->faults == b->faults && !text__compare(a->pages, b->pages);
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
	/* Of an element that both lists have: takes over `more`. Of one that one of them has: `more` is NULL. */
	void (*join)(const struct list_kind *kind, void *kept, void *more);
	bool (*is_same)(const void *left, const void *right);
	struct baseline_occurrences *(*occurrences)(void *item);
	void (*empty)(void *item);
	void (*release)(void *item);
};

/* Widens the range by that of another run; where a run lacks it, it is 0. */
static void join_metrics(const struct list_kind *kind, void *kept, void *more)
{
	struct baseline_metric *metric = kept, *other = more;

	metric->least = !other ? 0 : other->least < metric->least ? other->least : metric->least;
	if (!other)
		return;
	metric->most = other->most > metric->most ? other->most : metric->most;
	metric->by_ldso = other->by_ldso > metric->by_ldso ? other->by_ldso : metric->by_ldso;
	baseline_metric__release(other);
}

/* What only one of the lists has varies. */
static void join_occurrences(const struct list_kind *kind, void *kept, void *more)
{
	struct baseline_occurrences *occurrences = kind->occurrences(kept);

	occurrences->vary |= !more || !kind->is_same(kept, more);
	if (!more)
		return;
	occurrences->runs += kind->occurrences(more)->runs;
	kind->release(more);
}

static const struct list_kind metrics = { .size = sizeof(struct baseline_metric),
					  .compare = baseline_metric__compare,
					  .join = join_metrics };
static const struct list_kind places = { sizeof(struct baseline_place), baseline_place__compare,
					 join_occurrences, same_place, occurrences_of_place,
					 empty_place, release_place };
static const struct list_kind files = { sizeof(struct baseline_file), baseline_file__compare,
					join_occurrences, same_file, occurrences_of_file, empty_file,
					release_file };

/* Of two sorted lists makes one, which is returned. */
static void *merge(const struct list_kind *kind, void *left, size_t *left_count, void *right,
		   size_t *right_count)
{
	char *merged = checked_calloc(*left_count + *right_count, kind->size), *at = merged;
	char *a = left, *a_end = a + *left_count * kind->size;
	char *b = right, *b_end = b + *right_count * kind->size;

	for (; a < a_end || b < b_end; at += kind->size) {
		const int order = a == a_end ? 1 : b == b_end ? -1 : kind->compare(a, b);

		memcpy(at, order <= 0 ? a : b, kind->size);
		kind->join(kind, at, order ? NULL : b);
		a += order <= 0 ? kind->size : 0;
		b += order >= 0 ? kind->size : 0;
	}
	free(left);
	*left_count = (size_t)(at - merged) / kind->size;
	*right_count = 0;
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
	context->metrics = merge(&metrics, context->metrics, &context->metric_count, more->metrics,
				 &more->metric_count);
	context->places = merge(&places, context->places, &context->place_count, more->places,
				&more->place_count);
	context->files = merge(&files, context->files, &context->file_count, more->files,
			       &more->file_count);
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
