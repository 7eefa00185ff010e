// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cgroups the kernel half watches, and which it shall watch once they are created. */
#include "source/ebpf/watch_cgroups.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "forktax.skel.h"
#include "source/cgroups.h"

/* Of all that are there at once; and as PROCESS_CALLS, where all processes of a machine may be counted. */
enum { WATCHED_MOST = 1 << 16, PLACES_MOST = 1 << 14, WATCHED_CALLS_MOST = 1 << 18 };
/* One that was being created when forktax began, and was neither seen nor announced, can be seen after that time. */
enum { SECOND_LOOK_NS = 100000000 };
/* Further looks find what no event has shown, and what is gone. */
static const double LOOK_EVERY_NS = 10e9, LOOK_PATIENCE = 500;

void tracing__configure_cgroups(const struct tracing *tracing, struct forktax_bpf *skeleton)
{
	const struct cgroups *cgroups = tracing->request->cgroups;

	if (!tracing__asks(tracing, ABILITY_UNITS))
		bpf_map__set_max_entries(skeleton->maps.process_calls, WATCHED_CALLS_MOST);
	if (!cgroups->root)
		return;
	bpf_map__set_max_entries(skeleton->maps.watched_cgroups, WATCHED_MOST);
	bpf_map__set_max_entries(skeleton->maps.cgroup_places, PLACES_MOST);
	if (cgroups->globs.count)
		bpf_map__set_max_entries(skeleton->maps.cgroup_globs, cgroups->globs.count);
}

static int list_globs(const struct tracing *tracing)
{
	const struct cgroup_globs *globs = &tracing->request->cgroups->globs;
	int err = 0;

	for (uint32_t i = 0; !err && i < globs->count; i++)
		err = bpf_map__update_elem(tracing->skeleton->maps.cgroup_globs, &i, sizeof(i),
					   &globs->list[i], sizeof(globs->list[i]), BPF_ANY);
	return err;
}

/* With the first number that the directory has free. */
static int list_place(const struct tracing *tracing, const struct cgroup_place *place)
{
	struct cgroup_place_key key = { .cgroup = place->directory.id };
	const uint32_t glob = place->glob;
	int err = -EEXIST;

	for (; err == -EEXIST && key.number < CGROUP_PLACES; key.number++)
		err = bpf_map__update_elem(tracing->skeleton->maps.cgroup_places, &key, sizeof(key), &glob,
					   sizeof(glob), BPF_NOEXIST);
	return err == -EEXIST ? -E2BIG : err;
}

static int list_cgroup(const struct tracing *tracing, const struct cgroup *cgroup)
{
	const uint8_t yes = 1;

	return bpf_map__update_elem(tracing->skeleton->maps.watched_cgroups, &cgroup->id, sizeof(cgroup->id), &yes,
				    sizeof(yes), BPF_ANY);
}

/* What is new in the request. */
static int list_new(struct tracing *tracing)
{
	const struct cgroups *cgroups = tracing->request->cgroups;
	struct cgroup_watch *watch = &tracing->cgroups;
	int err = 0;

	for (; !err && watch->placed < cgroups->place_count; watch->placed++)
		err = list_place(tracing, &cgroups->places[watch->placed]);
	for (; !err && watch->listed < cgroups->count; watch->listed++)
		err = list_cgroup(tracing, &cgroups->list[watch->listed]);
	return err;
}

/*
 * What was created before the kernel half knew its directory is found by looking there again: until nothing is found.
 */
static int list_all(struct tracing *tracing)
{
	struct cgroups *cgroups = tracing->request->cgroups;
	int err;

	do {
		err = list_new(tracing);
		if (!err)
			cgroups__find_more(cgroups, NULL);
	} while (!err && (tracing->cgroups.listed < cgroups->count || tracing->cgroups.placed < cgroups->place_count));
	return err;
}

int tracing__list_cgroups(struct tracing *tracing)
{
	int err;

	if (!tracing->request->cgroups->root)
		return 0;
	err = list_globs(tracing);
	if (!err)
		err = list_all(tracing);
	tracing->cgroups.look_ns = clock__now_ns() + SECOND_LOOK_NS;
	return err;
}

static void add_unnamed(struct cgroup_watch *watch, uint64_t id)
{
	watch->unnamed = checked_grow(watch->unnamed, watch->unnamed_count, sizeof(*watch->unnamed));
	watch->unnamed[watch->unnamed_count++] = id;
}

/* The kernel half watches it already. */
void tracing__take_cgroup(struct tracing *tracing, const struct cgroup_message *message)
{
	struct cgroups *cgroups = tracing->request->cgroups;

	if (message->glob == CGROUP_UNNAMED) {
		add_unnamed(&tracing->cgroups, message->id);
		return;
	}
	if (!memchr(message->name, '\0', sizeof(message->name)))
		return;
	cgroups__add(cgroups, message->parent, message->id, message->glob, message->name);
}

static bool is_known(const struct tracing *tracing, const struct cgroup *cgroup)
{
	uint8_t yes;

	return !bpf_map__lookup_elem(tracing->skeleton->maps.watched_cgroups, &cgroup->id, sizeof(cgroup->id), &yes,
				     sizeof(yes), 0);
}

/* One may have been removed since it was found; what is there has been created unseen. */
static bool doubt_unseen(struct tracing *tracing, size_t first)
{
	const struct cgroups *cgroups = tracing->request->cgroups;
	bool any = false;

	for (size_t i = first; i < cgroups->count; i++) {
		if (is_known(tracing, &cgroups->list[i]) || !cgroups__exists(cgroups, &cgroups->list[i]))
			continue;
		run__doubt(tracing->run,
			   "cgroup %s was created unseen: what ran in it before it was found is not "
			   "counted",
			   cgroups->list[i].path);
		any = true;
	}
	return any;
}

/* Those that were announced without a name, and that nobody has met since, may have matched. */
static void doubt_unnamed(struct tracing *tracing, const struct hash *seen)
{
	struct cgroup_watch *watch = &tracing->cgroups;
	size_t gone = 0;

	for (size_t i = 0; i < watch->unnamed_count; i++)
		gone += !hash__find(seen, &watch->unnamed[i], sizeof(watch->unnamed[i]));
	if (gone)
		run__doubt(tracing->run,
			   "%zu %s created and removed before forktax knew the name: what ran there may "
			   "not be counted",
			   gone, number__plural((double)gone, "cgroup was", "cgroups were"));
	free(watch->unnamed);
	watch->unnamed = NULL;
	watch->unnamed_count = 0;
}

/* Looking takes at most a 500th of the time. */
static double next_look(double began)
{
	const double now = clock__now_ns();

	return now + fmax(LOOK_EVERY_NS, LOOK_PATIENCE * (now - began));
}

bool tracing__find_cgroups(struct tracing *tracing)
{
	struct cgroups *cgroups = tracing->request->cgroups;
	struct cgroup_watch *watch = &tracing->cgroups;
	const size_t known = cgroups ? cgroups->count : 0, placed = cgroups ? cgroups->place_count : 0;
	const double began = clock__now_ns();
	struct hash seen = { 0 };
	bool found = false;

	if (!watch->unnamed_count && (!watch->look_ns || began < (double)watch->look_ns))
		return false;
	cgroups__find_more(cgroups, &seen);
	doubt_unnamed(tracing, &seen);
	if (doubt_unseen(tracing, known)) {
		watch->listed = known;
		found = !list_all(tracing);
	}
	if (watch->listed == cgroups->count && watch->placed == cgroups->place_count) {
		cgroups__forget(cgroups, known, placed, &seen);
		watch->listed = cgroups->count;
		watch->placed = cgroups->place_count;
	}
	hash__release(&seen);
	watch->look_ns = (uint64_t)next_look(began);
	return found;
}
