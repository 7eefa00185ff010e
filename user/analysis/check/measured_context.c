// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/measured_context.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/run_metrics.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/unite.h"

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
		.arch = machine__words(&run->machine),
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

/* Widens the range. */
static void join_metrics(void *kept, void *more)
{
	struct baseline_metric *metric = kept, *other = more;

	metric->least = other->least < metric->least ? other->least : metric->least;
	metric->most = other->most > metric->most ? other->most : metric->most;
	metric->by_ldso = other->by_ldso > metric->by_ldso ? other->by_ldso : metric->by_ldso;
	metric->runs += other->runs;
	baseline_metric__release(other);
}

static void join_places(void *kept, void *more)
{
	struct baseline_place *place = kept, *other = more;

	place->occurrences.vary |= place->faults != other->faults || text__compare(place->pages, other->pages);
	place->occurrences.runs += other->occurrences.runs;
	baseline_place__release(other);
}

static void join_files(void *kept, void *more)
{
	struct baseline_file *file = kept, *other = more;

	file->occurrences.vary |= memcmp(file->calls, other->calls, sizeof(file->calls)) != 0;
	file->occurrences.runs += other->occurrences.runs;
	baseline_file__release(other);
}

/* The lists of two contexts in one, which is returned; both lists are taken over. */
static void *append(void *list, size_t *count, void *more, size_t more_count, size_t size)
{
	list = checked(reallocarray(list, *count + more_count + 1, size));
	if (more_count)
		memcpy((char *)list + *count * size, more, more_count * size);
	*count += more_count;
	free(more);
	return list;
}

static void add_run(struct baseline_context *all, struct baseline_context *run)
{
	all->metrics = append(all->metrics, &all->metric_count, run->metrics, run->metric_count,
			      sizeof(*all->metrics));
	all->places = append(all->places, &all->place_count, run->places, run->place_count,
			     sizeof(*all->places));
	all->files = append(all->files, &all->file_count, run->files, run->file_count,
			    sizeof(*all->files));
	all->runs += run->runs;
	run->metric_count = run->place_count = run->file_count = 0;
	run->metrics = NULL;
	run->places = NULL;
	run->files = NULL;
	baseline_context__release(run);
}

/*
 * Of what explains metrics: is it kept? What only some runs had varies; if a single run had it, its name may be
 * that run's alone.
 */
static bool settle(struct baseline_occurrences *occurrences, uint64_t runs)
{
	occurrences->vary |= occurrences->runs < runs;
	return !occurrences->vary || occurrences->runs > 1;
}

/* Counts of what varies are those of one run, and so nobody's. */
static void settle_places(struct baseline_context *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->place_count; i++) {
		struct baseline_place *place = &context->places[i];

		if (!settle(&place->occurrences, context->runs)) {
			baseline_place__release(place);
			continue;
		}
		if (place->occurrences.vary) {
			free(place->pages);
			place->pages = NULL;
			place->faults = 0;
		}
		context->places[kept++] = *place;
	}
	context->place_count = kept;
}

static void settle_files(struct baseline_context *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->file_count; i++) {
		struct baseline_file *file = &context->files[i];

		if (!settle(&file->occurrences, context->runs)) {
			baseline_file__release(file);
			continue;
		}
		if (file->occurrences.vary)
			memset(file->calls, 0, sizeof(file->calls));
		context->files[kept++] = *file;
	}
	context->file_count = kept;
}

static void unite_runs(struct baseline_context *all)
{
	all->metric_count =
		unite(all->metrics, all->metric_count, sizeof(*all->metrics), baseline_metric__compare, join_metrics);
	all->place_count =
		unite(all->places, all->place_count, sizeof(*all->places), baseline_place__compare, join_places);
	all->file_count = unite(all->files, all->file_count, sizeof(*all->files), baseline_file__compare, join_files);
	for (size_t i = 0; i < all->metric_count; i++) /* where a run lacks it, it is 0 */
		if (all->metrics[i].runs < all->runs)
			all->metrics[i].least = 0;
	settle_places(all);
	settle_files(all);
}

/* The same in all runs, as they had one environment. */
static void add_settings(struct baseline_context *context, char *const *settings)
{
	const size_t count = text__list_length(settings), before = context->metric_count;

	context->metrics = checked(reallocarray(context->metrics, before + count + 1, sizeof(*context->metrics)));
	for (size_t i = 0; i < count; i++)
		context->metrics[context->metric_count++] = (struct baseline_metric){
			.of = checked_strdup(OF_RUN), .kind = BASELINE_SETTING,
			.name = checked_strdup(settings[i]), .least = 1, .most = 1,
		};
	qsort(context->metrics, context->metric_count, sizeof(*context->metrics), baseline_metric__compare);
}

struct baseline_context measured_context__of(struct run *const *runs, size_t count, const struct check_machine *machine)
{
	struct baseline_context context = measure(runs[0], machine);

	for (size_t i = 1; i < count; i++) {
		struct baseline_context more = measure(runs[i], machine);

		add_run(&context, &more);
	}
	unite_runs(&context);
	add_settings(&context, machine->settings);
	return context;
}

static bool is_of_processes(enum baseline_kind kind)
{
	return kind == BASELINE_LINE || kind == BASELINE_PROGRAM || kind == BASELINE_LIFE;
}

void measured_context__keep_processes(struct baseline_context *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < context->metric_count; i++) {
		struct baseline_metric *metric = &context->metrics[i];

		if (is_of_processes(metric->kind))
			context->metrics[kept++] = *metric;
		else
			baseline_metric__release(metric);
	}
	context->metric_count = kept;
	while (context->place_count)
		baseline_place__release(&context->places[--context->place_count]);
	while (context->file_count)
		baseline_file__release(&context->files[--context->file_count]);
}
