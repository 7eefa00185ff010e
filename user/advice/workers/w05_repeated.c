// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * W5: memory that every worker fills alike, pages that every worker copies soon after its fork, and libraries that
 * every worker loads: then the code of the application is loaded after the fork, too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/workers/rules_workers.h"
#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quantity.h"

/* Memory that changes by more than one part in so many while it is read is at work. */
enum { LIBRARIES_LEAST = 5, CHANGE_PARTS = 100 };

static uint64_t born_while_watched(const struct workers_flow *flow)
{
	uint64_t born = 0;

	for (size_t i = 0; i < flow->member_count; i++)
		born += workers_flow__is_worker(flow, i) && flow->members[i].born_ns != ABSENT;
	return born;
}

/* How each runtime does it. */
static const struct {
	const char *program; /* how the name begins that the kernel has for the master */
	const char *way;
} ways[] = {
	/* uwsgi-docs, "The Art of Graceful Reloading": preforking vs lazy-apps vs lazy */
	{ "uwsgi", "uwsgi without lazy-apps, and imports at the top of the module that it loads, not in the "
		   "function that answers" },
	{ "gunicorn", "gunicorn --preload" }, /* docs.gunicorn.org, Settings: preload_app */
	{ "puma", "puma --preload, or preload_app! in its configuration" }, /* puma, README: clustered mode */
	{ "starman", "starman --preload-app" }, /* starman(1) */
	{ "unicorn", "preload_app true in its configuration" }, /* Unicorn::Configurator, preload_app */
	/* docs.python.org, multiprocessing: Contexts and start methods, set_forkserver_preload() */
	{ "python", "import and load before Process or Pool is called; with a fork server by "
		    "multiprocessing.set_forkserver_preload()" },
};

static char *action_of(const struct pool_subject *subject)
{
	char *text = text__of("Let the master do, before it forks, what each worker does first: load code and data, "
			      "fill caches, compile templates");

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (subject->program && !strncmp(subject->program, ways[i].program, strlen(ways[i].program)))
			text__replace(&text, "%s (%s)", text, ways[i].way);
	text__replace(&text, "%s.", text);
	return text;
}

/* Bytes of the same pages that all workers that were born during the watch copied. */
static uint64_t common_of(const struct pool_subject *subject, uint64_t born, uint64_t *each)
{
	size_t count = 0;
	autofree size_t *common = subject->flow ? workers_flow__common(subject->flow, &count) : NULL;

	*each = count * subject->state->machine.page_bytes;
	return common && *each * born >= subject->worth ? *each * born : 0;
}

/* A library, by the workers that have loaded it since their fork. */
struct library {
	const char *name;
	size_t workers, last; /* how many; the last of these, from 1 on */
	bool inherited; /* some worker has pages of it that the master had */
};

/* The data that ld.so writes to are the worker's own where the master has none. Name services load what they need. */
static bool is_library(const char *path)
{
	return path && *path == '/' && text__names_library(path) &&
	       strncmp(text__file_name(path), "libnss_", strlen("libnss_")) != 0;
}

static void add_mapping(struct library *library, const struct worker_pages *pages, size_t number)
{
	const struct page_classes *unshared = &pages->unshared;

	library->inherited |= pages->shared || pages->unknown_origin || unshared->identical || unshared->few_words ||
			      unshared->different;
	if (!pages->file_private || library->last == number)
		return;
	library->last = number;
	library->workers++;
}

/* How many libraries all workers have loaded since their fork; stores the name of one. */
static size_t loaded_by_all(const struct workers *state, const char **name)
{
	autofree struct library *libraries = checked_calloc(state->mapping_count + 1, sizeof(*libraries));
	struct hash numbers = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < state->worker_count; i++)
		for (size_t k = 0; k < state->workers[i].mapping_count; k++) {
			const struct worker_mapping *mapping = &state->workers[i].mappings[k];
			const char *path = state->mappings[mapping->mapping].name;
			struct library *library;

			if (!is_library(path))
				continue;
			library = &libraries[hash__number(&numbers, path, strlen(path))];
			library->name = path;
			add_mapping(library, &mapping->pages, i + 1);
		}
	for (size_t i = 0; i < numbers.count; i++)
		if (libraries[i].workers == state->worker_count && !libraries[i].inherited) {
			*name = text__file_name(libraries[i].name);
			count++;
		}
	hash__release(&numbers);
	return count;
}

/* The least that any worker has of new memory. */
static uint64_t least_new(const struct workers *state)
{
	uint64_t least = state->worker_count ? UINT64_MAX : 0;

	for (size_t i = 0; i < state->worker_count; i++)
		least = state->workers[i].pages.new < least ? state->workers[i].pages.new : least;
	return least * state->machine.page_bytes;
}

/*
 * What could exist once, as all of them have loaded so much code: new memory, and the copies that loading has made.
 * 0: it shows no such thing. Nor does it while memory changes: then they work, each at something else.
 */
static uint64_t loaded_of(const struct workers *state, char **words)
{
	const char *name = NULL;
	const size_t libraries = state->worker_count > 1 ? loaded_by_all(state, &name) : 0;
	const uint64_t least = least_new(state), change = workers__change(state);

	if (libraries < LIBRARIES_LEAST || (change != ABSENT && CHANGE_PARTS * change > workers__pss_anon(state)))
		return 0;
	*words = text__of("Each of %zu workers has loaded %zu libraries since its fork, such as %s, and has %s of new "
			  "memory or more. ", state->worker_count, libraries, name, quantity__size(least).text);
	return least * (state->worker_count - 1) + state->extra_bytes + state->perhaps_extra_bytes;
}

bool rule__w05_repeated(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const uint64_t born = subject->flow ? born_while_watched(subject->flow) : 0;
	const uint64_t repeated = state->repeated_bytes < subject->worth ? 0 : state->repeated_bytes;
	uint64_t each;
	const uint64_t common = common_of(subject, born, &each);
	autofree char *loading = NULL;
	uint64_t loaded = loaded_of(state, &loading);

	loaded = loaded < subject->worth || loaded < repeated ? 0 : loaded;
	/* What a script of PHP makes ends with its request; what is equal then are remains of equal requests. */
	if (subject->php || (!repeated && !common && !loaded))
		return false;
	advice->evidence = text__of("%s", loaded ? loading : "");
	if (repeated)
		text__replace(&advice->evidence,
			      "%s%s of new memory of workers hold what another worker has at the same address, too: "
			      "each has filled it by itself. ", advice->evidence, quantity__size(repeated).text);
	if (common)
		text__replace(&advice->evidence,
			      "%sEach of %" PRIu64 " workers that were born while the pool was watched copied the "
			      "same %s in its first second. Whether they write the same there was not compared.",
			      advice->evidence, born, quantity__size(each).text);
	advice->action = action_of(subject);
	advice->predicted_bytes = saving__up_to((double)(loaded ? loaded : repeated) + common);
	advice->predicted_bytes.value = repeated;
	return true;
}
