// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/measured_context.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/run_metrics.h"
#include "base/memory.h"
#include "base/text.h"

/* Of one run. */
struct measured {
	struct baseline_metric *metrics;
	size_t metric_count;
	struct baseline_place *places;
	size_t place_count;
	struct baseline_file *files;
	size_t file_count;
};

static struct measured measure(const struct run *run, const char *here)
{
	struct check_names names = check_names__of(run, here);
	struct measured measured;

	measured.metrics = run_metrics__of(&names, &measured.metric_count);
	measured.places = run_places__of(&names, &measured.place_count);
	measured.files = run_files__of(&names, &measured.file_count);
	check_names__release(&names);
	return measured;
}

/* "6.1" of "6.1.0-18-amd64" */
static char *kernel_version(const char *release)
{
	const size_t major = strcspn(release, "."), number = strspn(release + major, ".0123456789");
	const char *end = release[major] ? strchr(release + major + 1, '.') : NULL;

	return strndup(release, end && end < release + major + number ? end - release : major + number);
}

/*
 * Widens the ranges by those of one more run, `before` of which were seen. Both lists are sorted; a
 * metric that one of them lacks is 0 there.
 */
static void join_metrics(struct baseline_context *context, struct measured *more, uint64_t before)
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
		if (order < 0 || (order > 0 && before))
			joined[kept].least = 0;
		if (order == 0) {
			joined[kept].least = a->least < b->least ? a->least : b->least;
			joined[kept].most = a->most > b->most ? a->most : b->most;
			joined[kept].by_ldso = a->by_ldso > b->by_ldso ? a->by_ldso : b->by_ldso;
			free(b->of);
			free(b->name);
		}
		kept++;
	}
	free(context->metrics);
	free(more->metrics);
	context->metrics = joined;
	context->metric_count = kept;
}

static bool same_text(const char *left, const char *right)
{
	return left && right ? !strcmp(left, right) : left == right;
}

static bool same_place(const struct baseline_place *left, const struct baseline_place *right)
{
	return !baseline_place__compare(left, right) && left->faults == right->faults &&
	       same_text(left->pages, right->pages);
}

static bool same_file(const struct baseline_file *left, const struct baseline_file *right)
{
	return !baseline_file__compare(left, right) &&
	       !memcmp(left->calls, right->calls, sizeof(left->calls));
}

/* Leaves those of `context` that the other run has just so. */
static void keep_places(struct baseline_context *context, const struct measured *more)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->place_count; i++) {
		struct baseline_place *place = &context->places[i];
		const struct baseline_place *found =
			bsearch(place, more->places, more->place_count, sizeof(*place),
				baseline_place__compare);
		struct baseline_place last = *place;

		if (found && same_place(found, place)) {
			context->places[i] = context->places[kept];
			context->places[kept++] = last;
		}
	}
	for (size_t i = kept; i < context->place_count; i++) {
		free(context->places[i].of);
		free(context->places[i].object);
		free(context->places[i].section);
		free(context->places[i].pages);
	}
	context->place_count = kept;
}

static void keep_files(struct baseline_context *context, const struct measured *more)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->file_count; i++) {
		struct baseline_file file = context->files[i];
		const struct baseline_file *found = bsearch(&file, more->files, more->file_count,
							    sizeof(file), baseline_file__compare);

		if (found && same_file(found, &file)) {
			context->files[i] = context->files[kept];
			context->files[kept++] = file;
		}
	}
	for (size_t i = kept; i < context->file_count; i++) {
		free(context->files[i].of);
		free(context->files[i].path);
	}
	context->file_count = kept;
}

static void join(struct baseline_context *context, struct measured *more)
{
	join_metrics(context, more, context->runs);
	if (!context->runs) {
		context->places = more->places;
		context->place_count = more->place_count;
		context->files = more->files;
		context->file_count = more->file_count;
	} else {
		keep_places(context, more);
		keep_files(context, more);
		baseline_places__free(more->places, more->place_count);
		baseline_files__free(more->files, more->file_count);
	}
	context->runs++;
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
	struct baseline_context context = {
		.arch = checked_strdup(runs[0]->arch),
		.kernel = checked(kernel_version(runs[0]->kernel)),
		.libc = checked_strdup(machine->libc),
		.huge_pages = checked_strdup(machine->huge_pages),
		.source = checked_strdup(runs[0]->source),
	};

	for (size_t i = 0; i < count; i++) {
		struct measured one = measure(runs[i], machine->here);

		join(&context, &one);
	}
	add_settings(&context, machine->settings);
	return context;
}
