// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/watching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/process_tree.h"
#include "base/text.h"
#include "source/cgroup_paths.h"
#include "source/cgroups.h"
#include "source/copy_log.h"
#include "source/source.h"
#include "source/unit_table.h"

struct watching {
	const struct source *source;
	const struct trace_request *request;
	struct source_request asked;
	struct cgroups cgroups; /* that are watched */
	int32_t *pids; /* that were counted when counting stopped: the parents that were asked for may have ended */
	size_t pid_count;
	struct run *run; /* for notes of the source */
	struct tracing *tracing; /* NULL: it has stopped */
	enum watch_level level;
	struct unit_table table;
	struct copy_log copies; /* if the request has call stacks: since they were forgotten last */
	struct cgroup_paths paths;
	struct cgroup_paths old_paths; /* as they were read before: with those that are gone since */
	double paths_at; /* when they were read: seconds of the clock that is never set ... */
	double paths_took; /* ... and the CPU time that it took */
	bool paths_are_new;
	double began_at; /* seconds since the epoch */
	struct watch_events passed, passed_before; /* until now, and until counting began again */
	uint64_t gaps;
	double gap_seconds;
	uint64_t doubts; /* of the source: something may not be counted */
	char *doubt; /* the first one that nobody has read yet, and how many there are; NULL: none */
	uint64_t unread_doubts;
};

static double epoch_seconds(void)
{
	return clock__ns(CLOCK_REALTIME) / 1e9;
}

/* Those that were born while nothing counted, too. */
static int32_t *find_descendants(size_t *count, void *context)
{
	const struct watching *watching = context;
	int32_t *pids = process_tree__below(watching->pids, watching->pid_count, count);

	for (size_t i = 0; i < *count; i++)
		if (pids[i] == getpid()) /* forktax does not watch itself */
			pids[i--] = pids[--*count];
	return pids;
}

static struct source_request needs_of(struct watching *watching)
{
	const struct trace_request *request = watching->request;
	struct source_request asked = {
		.abilities = 1u << ABILITY_UNITS | 1u << ABILITY_ATTACH,
		.pids = request->pids,
		.pid_count = request->pid_count,
		.whole_machine = request->whole_machine,
		.cgroups = &watching->cgroups,
		.more_pids = request->more_pids,
		.more_context = request->more_context,
		.copies = request->stacks && watching->level == WATCH_CLASSES,
		.forks_alone = watching->level == WATCH_FORKS,
	};

	if (watching->pid_count) {
		asked.pids = watching->pids;
		asked.pid_count = watching->pid_count;
		asked.more_pids = find_descendants;
		asked.more_context = watching;
	}
	if (request->cgroup_count || request->whole_machine)
		asked.abilities |= 1u << ABILITY_CGROUPS;
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
	err = source->watch_pids(watching->tracing, message);
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

static void end(struct watching *watching)
{
	if (watching->tracing)
		watching->source->close(watching->tracing);
	run__free(watching->run);
	watching->tracing = NULL;
	watching->run = NULL;
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
	if (!(request->pid_count && targets__check(request->pids, request->pid_count, message)) &&
	    !cgroups__find(&watching->cgroups, request->cgroups, request->cgroup_count, message) &&
	    !cgroups__choose(&watching->cgroups, request->chosen_cgroups, request->chosen_count, message) &&
	    !start(watching, message))
		return watching;
	watching__close(watching);
	return NULL;
}

void watching__close(struct watching *watching)
{
	end(watching);
	cgroups__free(&watching->cgroups);
	unit_table__release(&watching->table);
	copy_log__release(&watching->copies);
	cgroup_paths__release(&watching->paths);
	cgroup_paths__release(&watching->old_paths);
	free(watching->pids);
	free(watching->doubt);
	free(watching);
}

enum { ROOT_ID = 1 }; /* of the kernel's root cgroup */

/* Level `classes` counts the faults of some units only. */
static bool chooses(const struct watching *watching)
{
	return watching->cgroups.chooses;
}

static bool meets(const struct watching *watching, enum watch_meeting meeting)
{
	switch (meeting) {
	case WATCH_COUNTED:
		return watching->level != WATCH_CLASSES || chooses(watching);
	case WATCH_CLASSIFIED:
		return watching->level == WATCH_CLASSES;
	case WATCH_PASSED:
		return !watching->request->whole_machine;
	default:
		return true;
	}
}

bool watching__set_trial(struct watching *watching, enum watch_meeting meeting)
{
	static const enum unit_trial trials[WATCH_MEETINGS + 1] = {
		[WATCH_COUNTED] = TRIAL_COUNTED,
		[WATCH_CLASSIFIED] = TRIAL_CLASSIFIED,
		[WATCH_PASSED] = TRIAL_PASSED,
	};

	if (!meets(watching, meeting))
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

static bool is_chosen(void *context, const char *path)
{
	const struct watching *watching = context;

	return cgroups__is_chosen(&watching->cgroups, path);
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

static void take_in_copies(struct watching *watching, const struct unit_counter *counter)
{
	for (size_t i = 0; i < counter->reading->copies_count; i++) {
		struct unit_copies *copies = &counter->reading->copies[i];
		const char *unit = unit_table__add_copies(&watching->table, counter, copies->key.unit,
							  copies->key.birth, copies->copies);

		copy_log__add(&watching->copies, unit, copies);
	}
}

/* How long a cgroup may be gone unnoticed; longer where there are so many that a walk takes long. */
enum { PATHS_SECONDS = 10, PATHS_PATIENCE = 500 };

/* Counted by the kernel half since it began to count. */
static void add_passed(struct watching *watching, const uint64_t *passed)
{
	const struct watch_events *before = &watching->passed_before;

	watching->passed = (struct watch_events){
		.calls = before->calls + passed[PASSED_CALLS],
		.faults = before->faults + passed[PASSED_FAULTS],
		.forks = before->forks + passed[PASSED_FORKS],
	};
}

static void take_pids(struct watching *watching, struct unit_reading *reading)
{
	free(watching->pids);
	watching->pids = reading->pids;
	watching->pid_count = reading->pid_count;
	reading->pids = NULL;
}

static int take_in_counts(struct watching *watching, bool has_ended, char **message)
{
	struct unit_reading reading = { 0 };
	int err = watching->source->read_units(watching->tracing, &reading);
	struct unit_counter counter = {
		.reading = &reading,
		.time = epoch_seconds(),
		.now = clock__now_s(),
		.has_ended = has_ended,
		.path = find_path,
		.old_path = find_old_path,
		.is_chosen = is_chosen,
		.take_unit = take_unit,
		.take_kind = take_kind,
		.context = watching,
	};

	watching->paths_are_new = false;
	if (clock__now_s() - watching->paths_at >= fmax(PATHS_SECONDS, PATHS_PATIENCE * watching->paths_took))
		read_paths(watching);
	counter.may_forget = watching->paths_are_new && !has_ended;
	if (!err) {
		take_in_copies(watching, &counter);
		unit_table__take_in(&watching->table, &counter);
		add_passed(watching, reading.passed);
	}
	take_doubts(watching);
	if (reading.pid_count)
		take_pids(watching, &reading);
	unit_reading__release(&reading);
	return err ? error__set(message, "cannot read what has been counted: %s", strerror(-err)) : 0;
}

struct watch_sample *watching__sample(struct watching *watching, char **message)
{
	struct watch_sample *sample;

	if (watching->tracing && take_in_counts(watching, false, message))
		return NULL;
	sample = checked_calloc(1, sizeof(*sample));
	sample->time = epoch_seconds();
	sample->began_at = watching->began_at;
	sample->level = watching->level;
	sample->gaps = watching->gaps;
	sample->gap_seconds = watching->gap_seconds;
	sample->passed = watching->passed;
	unit_table__copy(&watching->table, sample);
	sample->doubts = watching->doubts;
	sample->is_exact = !sample->lost_events && !sample->doubts;
	return sample;
}

int watching__stop(struct watching *watching, char **message)
{
	int err = take_in_counts(watching, false, message);

	watching->source->stop(watching->tracing);
	if (!err)
		err = take_in_counts(watching, true, message);
	end(watching);
	return err;
}

int watching__change_level(struct watching *watching, enum watch_level level, char **message)
{
	double stopped = clock__now_s();

	if (watching__stop(watching, message))
		return -1;
	watching->passed_before = watching->passed;
	watching->level = level;
	watching->gaps++;
	if (start(watching, message)) {
		end(watching);
		return -1;
	}
	watching->gap_seconds += clock__now_s() - stopped;
	return 0;
}

bool watching__is_over(const struct watching *watching)
{
	return !source_request__awaits(&watching->asked) && !watching->source->live(watching->tracing);
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

struct copy_profile *watching__copies(const struct watching *watching)
{
	return copy_log__profile(&watching->copies);
}

void watching__forget_copies(struct watching *watching)
{
	copy_log__release(&watching->copies);
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
