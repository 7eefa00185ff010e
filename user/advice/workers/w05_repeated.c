// SPDX-License-Identifier: GPL-2.0-or-later
/* W5: memory that every worker fills alike, and pages that every worker copies soon after its fork. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/workers/rules_workers.h"
#include "base/autofree.h"
#include "base/quantity.h"

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

bool rule__w05_repeated(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const uint64_t born = subject->flow ? born_while_watched(subject->flow) : 0;
	const uint64_t new = with_perhaps(0, state->repeated_bytes), repeated = new < subject->worth ? 0 : new;
	uint64_t each;
	const uint64_t common = common_of(subject, born, &each);

	if (!repeated && !common)
		return false;
	advice->evidence = text__of("%s", "");
	if (repeated)
		text__replace(&advice->evidence, "%s of new memory of workers hold what another worker has at the same "
			      "address, too: each has filled it by itself. ", quantity__size(repeated).text);
	if (common)
		text__replace(&advice->evidence,
			      "%sEach of %" PRIu64 " workers that were born while the pool was watched copied the "
			      "same %s in its first second. Whether they write the same there was not compared.",
			      advice->evidence, born, quantity__size(each).text);
	advice->action = action_of(subject);
	advice->predicted_bytes = saving__up_to((double)repeated + common);
	advice->predicted_bytes.value = repeated;
	return true;
}
