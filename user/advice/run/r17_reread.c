// SPDX-License-Identifier: GPL-2.0-or-later
/* R17: a program opens and reads the same file again and again. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { OPENED_LEAST = 20, EACH_LEAST = 4096 /* bytes: less may be a state that changes */ };
static const double SHARE_LEAST = 0.1;

static bool is_again(const struct start_files *files)
{
	return files->again && files->again_opened >= OPENED_LEAST && strncmp(files->again, "/dev/", 5) != 0 &&
	       files->again_bytes >= files->again_opened * EACH_LEAST;
}

/* The one with most of the time; NULL: none. */
static const struct start_files *find_again(const struct start *start)
{
	const struct start_files *most = NULL;

	for (size_t i = 0; i < start->file_count; i++)
		if (is_again(&start->files[i]) && (!most || start->files[i].again_ns > most->again_ns))
			most = &start->files[i];
	return most;
}

bool rule__r17_reread(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	const struct start_files *most = run->start && !run->start->missed ? find_again(run->start) : NULL;
	autofree char *share = NULL;
	double ns;

	if (!most)
		return false;
	ns = run_subject__untraced(subject, (double)most->again_ns);
	ns -= ns / (double)most->again_opened; /* once remains */
	if (ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, ns);
	advice->evidence = text__of("%s opens %s %" PRIu64 " times and reads %s of it: again and again that takes %s.",
				    run_subject__name(subject, run->processes[0].images[0].exe), most->again,
				    most->again_opened, quantity__size((double)most->again_bytes).text, share);
	advice->action = text__of("read %s once and keep what it says, where it stays the same meanwhile",
				  text__file_name(most->again));
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}
