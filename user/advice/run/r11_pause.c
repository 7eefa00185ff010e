// SPDX-License-Identifier: GPL-2.0-or-later
/* R11: sleep(1) is started to wait for something that happens earlier, or may. */
#include <string.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/text.h"

static const double SHARE_LEAST = 0.15;

struct pause {
	double ns; /* on the critical path */
	const struct path_step *longest; /* NULL: there is none */
};

/* The command itself may be sleep: then nobody waits in vain. */
static struct pause find_pause(const struct run_subject *subject)
{
	const struct critical_path *path = subject->path;
	struct pause pause = { 0 };

	for (size_t i = 0; i < path->step_count; i++) {
		const struct path_step *step = &path->steps[i];
		const uint64_t ns = step->ns[PATH_PART_DEVICE];

		if (!ns || step->process <= 1 || strcmp(run_subject__name(subject, step->exe), "sleep"))
			continue;
		pause.ns += (double)ns;
		if (!pause.longest || ns > pause.longest->ns[PATH_PART_DEVICE])
			pause.longest = step;
	}
	return pause;
}

/* " in entry.sh:5", or nothing; to be freed. */
static char *place_of(const struct critical_path *path, const struct path_step *step)
{
	const struct path_line *line = step->line < path->line_count ? &path->lines[step->line] : NULL;
	autofree char *place = line && line->file ? script_place__text(line->file, line->line) : NULL;

	return place ? text__of(" in %s", place) : text__of("%s", "");
}

bool rule__r11_pause(const struct run_subject *subject, struct advice *advice)
{
	const struct pause pause = subject->path ? find_pause(subject) : (struct pause){ 0 };
	const double ns = pause.longest ? run_subject__path(subject, pause.ns) : 0;
	autofree char *place = NULL, *share = NULL;

	if (!pause.longest || ns < SHARE_LEAST * subject->wall_ns)
		return false;
	place = place_of(subject->path, pause.longest);
	share = run_subject__share(subject, ns);
	advice->evidence = text__of("The run waits for a timer: sleep%s takes %s.", place, share);
	advice->action = text__of("make the pause%s shorter, or wait for the event itself (wait, a pipe, inotify)",
				  place);
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}
