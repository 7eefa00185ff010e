// SPDX-License-Identifier: GPL-2.0-or-later
/* R20: what a program keeps of its files is not there, so it makes it again at each start. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/runtimes.h"
#include "base/autofree.h"
#include "base/text.h"

enum { SOURCES_LEAST = 10, SUFFIXES = 4 };
static const double SHARE_LEAST = 0.1;

/* Suffixes of the files that keep it, and of those that it is made of. The remedy is in model/advice/runtimes.def. */
static const struct cache {
	const char *kept, *shown; /* the beginning of their suffix, and what they are called */
	const char *sources[SUFFIXES + 1];
	bool of_each; /* one for each source; false: for many */
} caches[] = {
	{ ".pyc", ".pyc", { ".py" }, true }, /* PEP 3147 */
	{ ".cache-", "of fontconfig", { ".ttf", ".otf", ".ttc", ".pfb" }, false }, /* fonts-conf(5), cachedir */
};

struct remade {
	uint64_t missing, opened; /* files that keep it; sources */
	uint64_t ns; /* of the sources, as traced */
	const char *suffix; /* of most of them */
	uint64_t most;
};

static struct remade find(const struct start *start, const struct cache *cache)
{
	struct remade remade = { 0 };

	for (size_t i = 0; i < start->file_count; i++) {
		const struct start_files *files = &start->files[i];

		if (!strncmp(files->suffix, cache->kept, strlen(cache->kept)))
			remade.missing += files->missing;
		if (!text__is_any(files->suffix, cache->sources))
			continue;
		remade.opened += files->opened;
		remade.ns += files->ns;
		if (files->opened > remade.most) {
			remade.most = files->opened;
			remade.suffix = files->suffix;
		}
	}
	return remade;
}

/* What keeps such files in the runtime of the command; NULL: it makes none of them again that would take long. */
static const struct runtime *runtime_of(const struct run_subject *subject, const struct cache *cache,
					const struct remade *remade)
{
	const uint64_t missing_least = cache->of_each ? remade->opened / 2 : 1;
	const char *file = text__file_name(exe__file(run__first_exe(subject->run)));
	autofree char *files = NULL;

	if (remade->opened < SOURCES_LEAST || remade->missing < missing_least ||
	    run_subject__untraced(subject, (double)remade->ns) < SHARE_LEAST * run_subject__busy(subject))
		return NULL;
	files = text__of(" %s ", remade->suffix);
	return runtime__of(file, files);
}

static bool speak(const struct run_subject *subject, const struct cache *cache, struct advice *advice)
{
	const struct remade remade = find(subject->run->start, cache);
	const struct runtime *runtime = runtime_of(subject, cache, &remade);
	const double ns = run_subject__untraced(subject, (double)remade.ns);
	autofree char *share = NULL;

	if (!runtime)
		return false;
	share = run_subject__share(subject, ns);
	advice->evidence = text__of("%s opens %" PRIu64 " %s files, as files that keep what it makes of them are "
				    "missing (%" PRIu64 " %s): that takes %s.",
				    run_subject__name(subject, subject->run->processes[0].images[0].exe), remade.opened,
				    remade.suffix, remade.missing, cache->shown, share);
	advice->action = text__copy(runtime->remedy);
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}

bool rule__r20_cache(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;

	if (!run->start || run->start->missed || !run__first_exe(run) || !exe__file(run__first_exe(run)))
		return false;
	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
		if (speak(subject, &caches[i], advice))
			return true;
	return false;
}

bool r20_cache__says(const struct run_subject *subject, const struct start_files *files)
{
	for (size_t i = 0; files && i < sizeof(caches) / sizeof(caches[0]); i++) {
		const struct remade remade = find(subject->run->start, &caches[i]);

		if (text__is_any(files->suffix, caches[i].sources) && runtime_of(subject, &caches[i], &remade))
			return true;
	}
	return false;
}
