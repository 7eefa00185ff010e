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
static void keep_places(struct baseline_context *context, const struct baseline_context *more)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->place_count; i++) {
		struct baseline_place place = context->places[i];
		const struct baseline_place *found =
			bsearch(&place, more->places, more->place_count, sizeof(place),
				baseline_place__compare);

		if (found && same_place(found, &place))
			context->places[kept++] = place;
		else
			baseline_place__release(&place);
	}
	context->place_count = kept;
}

static void keep_files(struct baseline_context *context, const struct baseline_context *more)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->file_count; i++) {
		struct baseline_file file = context->files[i];
		const struct baseline_file *found = bsearch(&file, more->files, more->file_count,
							    sizeof(file), baseline_file__compare);

		if (found && same_file(found, &file))
			context->files[kept++] = file;
		else
			baseline_file__release(&file);
	}
	context->file_count = kept;
}

static void join(struct baseline_context *context, struct baseline_context *more)
{
	join_metrics(context, more);
	keep_places(context, more);
	keep_files(context, more);
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
	add_settings(&context, machine->settings);
	return context;
}
