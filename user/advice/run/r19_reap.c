// SPDX-License-Identifier: GPL-2.0-or-later
/* R19: a parent looks from time to time whether a child has ended, and sleeps on when it has. */
#include "advice/run/rules_run.h"
#include "advice/run/run_waits.h"
#include "base/autofree.h"
#include "base/text.h"

bool rule__r19_reap(const struct run_subject *subject, struct advice *advice)
{
	const struct run_wait wait = run_wait__longest(subject, true);
	autofree char *share = NULL;

	if (!wait.first || wait.ns < WAITS_SHARE_LEAST * subject->wall_ns)
		return false;
	share = run_subject__share(subject, wait.ns);
	advice->evidence = text__of("%s sleeps, and looks in between whether a child has ended (wait4() with WNOHANG): "
				    "up to %s, %s had ended already.", wait.program, share,
				    wait.calls == 1 ? "the child" : "the child that it waited for");
	advice->action = text__of("%s", "wait for the child itself: wait4() without WNOHANG, or a pidfd in poll()");
	advice->predicted_ns = estimate__at_most(wait.ns);
	return true;
}
