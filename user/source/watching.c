// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/watching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/cgroup_paths.h"
#include "source/cgroups.h"
#include "source/source.h"
#include "source/unit_table.h"

struct watching {
	const struct source *source;
	const struct trace_request *request;
	struct source_request asked;
	struct cgroups cgroups; /* that are watched */
	struct run *run; /* for notes of the source */
	struct tracing *tracing;
	enum watch_level level;
	struct unit_table table;
	struct cgroup_paths paths;
	struct cgroup_paths old_paths; /* as they were read before: with those that are gone since */
	double paths_at; /* when they were read: seconds of the clock that is never set ... */
	double paths_took; /* ... and the CPU time that it took */
	bool paths_are_new;
	double began_at; /* seconds since the epoch */
	struct watch_events passed; /* until now */
	uint64_t lost[UNIT_LOSSES], said[UNIT_LOSSES]; /* until now; and what of that was said */
	uint64_t doubts; /* of the source: something may not be counted */
	char *doubt; /* the first one that nobody has read yet, and how many there are; NULL: none */
	uint64_t unread_doubts;
};

static double epoch_seconds(void)
{
	return clock__ns(CLOCK_REALTIME) / 1e9;
}

static struct source_request needs_of(struct watching *watching)
{
	struct source_request asked = {
		.abilities = 1u << ABILITY_UNITS | 1u << ABILITY_ATTACH | 1u << ABILITY_CGROUPS,
		.whole_machine = watching->request->whole_machine,
		.cgroups = &watching->cgroups,
	};

	if (watching->level == WATCH_CLASSES)
		asked.abilities |= 1u << ABILITY_FAULT_CLASSES;
	return asked;
}

static int start(struct watching *watching, char **message)
{
	const struct source *source = watching->source;
	int err;

	*message = NULL;
	watching->asked = needs_of(watching);
	watching->run = run__new();
	watching->tracing = source->open(&watching->asked, watching->run, message);
	if (!watching->tracing)
		return -1;
	err = source->trace_pids(watching->tracing, message);
	run__forget_notes(watching->run); /* of processes that ended before counting began */
	if (!err)
		return 0;
	if (!*message)
		*message = text__of("cannot mark the processes to watch: %s", strerror(-err));
	return -1;
}

static void take_doubts(struct watching *watching)
{
	const struct integrity *integrity = &watching->run->integrity;

	if (integrity->doubts && !watching->doubt)
		watching->doubt = checked_strdup(integrity->notes[0]);
	watching->doubts += integrity->doubts;
	watching->unread_doubts += integrity->doubts;
	run__forget_notes(watching->run);
}

static void read_paths(struct watching *watching)
{
	const double begin = clock__ns(CLOCK_THREAD_CPUTIME_ID) / 1e9;

	cgroup_paths__release(&watching->old_paths);
	watching->old_paths = watching->paths;
	watching->paths = cgroup_paths__read();
	watching->paths_at = clock__now_s();
	watching->paths_took = clock__ns(CLOCK_THREAD_CPUTIME_ID) / 1e9 - begin;
	watching->paths_are_new = true;
}

struct watching *watching__by(const struct source *source, const struct trace_request *request,
			      enum watch_level level, char **message)
{
	struct watching *watching = checked_calloc(1, sizeof(*watching));

	watching->source = source;
	watching->request = request;
	watching->level = level;
	watching->began_at = epoch_seconds();
	read_paths(watching); /* of those that may be gone before the first sample; later ones the source notes */
	if (!cgroups__find(&watching->cgroups, request->cgroups, request->cgroup_count, message) &&
	    !start(watching, message))
		return watching;
	watching__close(watching);
	return NULL;
}

void watching__close(struct watching *watching)
{
	if (watching->tracing)
		watching->source->close(watching->tracing);
	run__free(watching->run);
	cgroups__free(&watching->cgroups);
	unit_table__release(&watching->table);
	cgroup_paths__release(&watching->paths);
	cgroup_paths__release(&watching->old_paths);
	free(watching->doubt);
	free(watching);
}

enum { ROOT_ID = 1 }; /* of the kernel's root cgroup */

bool watching__set_trial(struct watching *watching, enum watch_meeting meeting)
{
	static const enum unit_trial trials[WATCH_MEETINGS + 1] = {
		[WATCH_COUNTED] = TRIAL_COUNTED,
		[WATCH_PASSED] = TRIAL_PASSED,
	};

	if (meeting == WATCH_PASSED && watching->request->whole_machine)
		return false;
	watching->source->set_trial(watching->tracing, trials[meeting]);
	return true;
}

static char *find_old_path(void *context, uint64_t cgroup)
{
	const struct watching *watching = context;
	const char *old = cgroup_paths__find(&watching->old_paths, cgroup);
	char path[4096];

	if (old)
		return checked_strdup(old);
	if (!watching->source->unit_path(watching->tracing, cgroup, path, sizeof(path)))
		return NULL;
	return checked_strdup(path);
}

/*
 * A cgroup that is not known may have been created since. If the source does not know where, all are read again, once
 * for each reading.
 */
static const char *find_path(void *context, uint64_t cgroup)
{
	struct watching *watching = context;
	const char *path = cgroup_paths__find(&watching->paths, cgroup);
	autofree char *old = NULL;

	if (path || watching->paths_are_new)
		return path;
	old = find_old_path(context, cgroup);
	if (old && cgroup_paths__add(&watching->paths, cgroup, old))
		return cgroup_paths__find(&watching->paths, cgroup);
	/* Where the root that we see is that of the kernel, one that is not where it was is gone. */
	if (!old || !cgroup_paths__find(&watching->paths, ROOT_ID))
		read_paths(watching);
	return cgroup_paths__find(&watching->paths, cgroup);
}

static bool take_unit(void *context, uint64_t cgroup, struct unit_value *value)
{
	const struct watching *watching = context;

	return watching->source->take_unit(watching->tracing, cgroup, value);
}

static bool take_kind(void *context, const struct unit_child_key *key, uint64_t *children)
{
	const struct watching *watching = context;

	return watching->source->take_kind(watching->tracing, key, children);
}

/* How long a cgroup may be gone unnoticed; longer where there are so many that a walk takes long. */
enum { PATHS_SECONDS = 10, PATHS_PATIENCE = 500 };

static int take_in_counts(struct watching *watching, char **message)
{
	struct unit_reading reading = { 0 };
	int err = watching->source->read_units(watching->tracing, &reading);
	struct unit_counter counter = {
		.reading = &reading,
		.time = epoch_seconds(),
		.now = clock__now_s(),
		.path = find_path,
		.old_path = find_old_path,
		.take_unit = take_unit,
		.take_kind = take_kind,
		.context = watching,
	};

	watching->paths_are_new = false;
	if (clock__now_s() - watching->paths_at >= fmax(PATHS_SECONDS, PATHS_PATIENCE * watching->paths_took))
		read_paths(watching);
	counter.may_forget = watching->paths_are_new;
	if (!err) {
		unit_table__take_in(&watching->table, &counter);
		memcpy(watching->lost, reading.lost, sizeof(watching->lost));
		watching->passed = (struct watch_events){
			.calls = reading.passed[PASSED_CALLS],
			.faults = reading.passed[PASSED_FAULTS],
			.forks = reading.passed[PASSED_FORKS],
		};
	}
	take_doubts(watching);
	unit_reading__release(&reading);
	return err ? error__set(message, "cannot read what has been counted: %s", strerror(-err)) : 0;
}

struct watch_sample *watching__sample(struct watching *watching, char **message)
{
	struct watch_sample *sample;

	if (take_in_counts(watching, message))
		return NULL;
	sample = checked_calloc(1, sizeof(*sample));
	sample->time = epoch_seconds();
	sample->began_at = watching->began_at;
	sample->level = watching->level;
	sample->passed = watching->passed;
	unit_table__copy(&watching->table, sample);
	sample->lost_events = unit_losses__sum(watching->lost);
	sample->doubts = watching->doubts;
	sample->is_exact = !sample->lost_events && !sample->doubts;
	return sample;
}

int watching__stop(struct watching *watching, char **message)
{
	const int err = take_in_counts(watching, message); /* how many processes run */

	watching->source->stop(watching->tracing);
	return err;
}

int watching__event_fd(const struct watching *watching)
{
	return watching->source->event_fd(watching->tracing);
}

void watching__take_in(struct watching *watching)
{
	watching->source->consume(watching->tracing);
}

char **watching__cgroups(const struct watching *watching, const char *unit)
{
	size_t count, known = 0;
	autofree uint64_t *ids = unit_table__cgroups(&watching->table, unit, &count);
	char **paths = checked_calloc(count + 1, sizeof(*paths));

	for (size_t i = 0; i < count; i++) {
		const char *path = cgroup_paths__find(&watching->paths, ids[i]);

		if (path)
			paths[known++] = checked_strdup(path);
	}
	return paths;
}

char *watching__take_loss(struct watching *watching)
{
	return unit_losses__say(watching->lost, watching->said);
}

char *watching__take_doubt(struct watching *watching, uint64_t *count)
{
	char *doubt = watching->doubt;

	*count = watching->unread_doubts;
	watching->doubt = NULL;
	watching->unread_doubts = 0;
	return doubt;
}

bool watching__set_pool(struct watching *watching, const char *unit, const struct watch_pool *pool)
{
	struct watch_pool *place = unit_table__pool(&watching->table, unit);

	if (place)
		*place = *pool;
	return place != NULL;
}
