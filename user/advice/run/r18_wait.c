// SPDX-License-Identifier: GPL-2.0-or-later
/* R18: the command sleeps in calls: for a server, a lock, its input or until a timer ends. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_waits.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

/* Where so many children, or more, wait one after another, fewer of them wait less often. */
enum { CHILDREN_LEAST = 5 };

/* " for 127.0.0.1:53", or nothing; to be freed. */
static char *object_of(const struct wait *wait)
{
	static const char *const nameless[] = {
		[WAIT_TIMER] = "",
		[WAIT_LOOKING] = "",
		[WAIT_REAP] = "",
		[WAIT_SOCKET] = " for a socket",
		[WAIT_LOCK] = " for a lock",
		[WAIT_INPUT] = " for its input",
	};
	const bool is_pipe = !strncmp(wait->object, "pipe:", strlen("pipe:"));

	if (is_pipe || !*wait->object)
		return text__of("%s%s", nameless[wait->what], is_pipe ? ", a pipe from outside of the command" : "");
	return text__of(" for %s%s", wait->what == WAIT_LOCK ? "the lock of " : "", wait->object);
}

/* To be freed. */
static char *timeouts_of(const struct run_wait *wait)
{
	if (!wait->timed_out)
		return text__of("%s", "");
	if (wait->timed_out < wait->calls)
		return text__of(": %" PRIu64 " of them end by their timeout", wait->timed_out);
	return text__of("%s", ": nothing comes until the timeout ends");
}

static bool is_name_server(const struct wait *wait)
{
	const char *port = strrchr(wait->object, ':');

	return *wait->object != '/' && port && !strcmp(port, ":53");
}

/* To be freed. */
static char *waiter_of(const struct run_wait *wait)
{
	if (wait->executed)
		return text__of("%s waits", wait->program);
	return wait->children == 1 ? text__of("A child of %s waits", wait->program)
				   : text__of("%" PRIu64 " children of %s wait", wait->children, wait->program);
}

/* To be freed. */
static char *action_of(const struct wait *wait, bool of_many)
{
	const char *server = *wait->object ? wait->object : "that server";

	switch (wait->what) {
	case WAIT_SOCKET:
		if (is_name_server(wait))
			return text__of("name another server first in /etc/resolv.conf than %s, if that answers "
					"late or not at all; or look up fewer names", server);
		return text__of("ask %s less often, keep what it says, or find out why it answers late", server);
	case WAIT_LOCK:
		return text__of("%s", "hold the lock for less time: lslocks(8) shows who holds it");
	case WAIT_INPUT:
		return text__of("%s", "have its input written sooner");
	default:
		return text__of("%ssleep for less, or wait for the event itself",
				of_many ? "let each child do more work before it ends (a pool has a limit of tasks "
					  "or requests for each), " : "");
	}
}

bool rule__r18_wait(const struct run_subject *subject, struct advice *advice)
{
	const struct run_wait wait = run_wait__longest(subject, false);
	autofree char *object = NULL, *share = NULL, *timeouts = NULL, *waiter = NULL;

	if (!wait.first || wait.ns < WAITS_SHARE_LEAST * subject->wall_ns || wait.first->what == WAIT_LOOKING ||
	    !strcmp(wait.program, "sleep")) /* R11 */
		return false;
	object = object_of(wait.first);
	share = run_subject__share(subject, wait.ns);
	timeouts = timeouts_of(&wait);
	waiter = waiter_of(&wait);
	advice->evidence = text__of("%s %s in %s of %s()%s%s.", waiter, share,
				    quantity__count(wait.calls, "call", "calls").text, wait.first->call, object,
				    timeouts);
	advice->action = action_of(wait.first, !wait.executed && wait.children >= CHILDREN_LEAST);
	advice->predicted_ns = estimate__at_most(wait.ns);
	return true;
}
