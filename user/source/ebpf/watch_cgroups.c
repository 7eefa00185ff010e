// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cgroups the kernel half watches, and which it shall watch once they are created. */
#include "source/ebpf/ebpf.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "forktax.skel.h"
#include "source/cgroups.h"

/* Of all that are there at once. */
enum { WATCHED_MOST = 1 << 16, PLACES_MOST = 1 << 14 };
/* One that was being created when forktax began, and was neither seen nor announced, can be seen after that time. */
enum { SECOND_LOOK_NS = 100000000 };

void tracing__configure_cgroups(const struct tracing *tracing, struct forktax_bpf *skeleton)
{
	const struct cgroups *cgroups = tracing->request->cgroups;

	if (!cgroups->root)
		return;
	bpf_map__set_max_entries(skeleton->maps.watched_cgroups, WATCHED_MOST);
	bpf_map__set_max_entries(skeleton->maps.chosen_cgroups, cgroups->chooses ? WATCHED_MOST : 1);
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

static struct bpf_map *map_of(const struct tracing *tracing, const struct cgroup *cgroup)
{
	return cgroup->chooses ? tracing->skeleton->maps.chosen_cgroups : tracing->skeleton->maps.watched_cgroups;
}

static int list_cgroup(const struct tracing *tracing, const struct cgroup *cgroup)
{
	const uint8_t yes = 1;

	return bpf_map__update_elem(map_of(tracing, cgroup), &cgroup->id, sizeof(cgroup->id), &yes, sizeof(yes),
				    BPF_ANY);
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
			cgroups__find_more(cgroups);
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

/* The kernel half watches it already. */
void tracing__take_cgroup(struct tracing *tracing, const struct cgroup_message *message)
{
	struct cgroups *cgroups = tracing->request->cgroups;

	if (message->glob == CGROUP_UNNAMED) {
		tracing->cgroups.look = true;
		return;
	}
	if (!memchr(message->name, '\0', sizeof(message->name)))
		return;
	cgroups__add(cgroups, message->parent, message->id, message->glob, message->name);
}

static bool is_known(const struct tracing *tracing, const struct cgroup *cgroup)
{
	uint8_t yes;

	return !bpf_map__lookup_elem(map_of(tracing, cgroup), &cgroup->id, sizeof(cgroup->id), &yes, sizeof(yes), 0);
}

/* The first of those from this one on that the kernel half does not know; NULL: it knows all of them. */
static const struct cgroup *first_unseen(const struct tracing *tracing, size_t first)
{
	const struct cgroups *cgroups = tracing->request->cgroups;

	for (size_t i = first; i < cgroups->count; i++)
		if (!is_known(tracing, &cgroups->list[i]))
			return &cgroups->list[i];
	return NULL;
}

bool tracing__find_cgroups(struct tracing *tracing)
{
	struct cgroups *cgroups = tracing->request->cgroups;
	struct cgroup_watch *watch = &tracing->cgroups;
	const size_t before = cgroups->count;
	const struct cgroup *unseen;

	if (!watch->look && (!watch->look_ns || clock__now_ns() < watch->look_ns))
		return false;
	watch->look = false;
	watch->look_ns = 0;
	cgroups__find_more(cgroups);
	unseen = first_unseen(tracing, before);
	if (!unseen)
		return false;
	run__doubt(tracing->run, "cgroup %s was created unseen: what ran in it before it was found is not counted",
		   unseen->path);
	watch->listed = before;
	return !list_all(tracing);
}
