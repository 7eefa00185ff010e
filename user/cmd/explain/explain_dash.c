// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/explain_dash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/lines/bashisms.h"
#include "analysis/series.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/explain/outcome.h"
#include "cmd/explain/timed_runs.h"
#include "cmd/variants.h"
#include "launch/gate.h"
#include "resolve/lines/script_text.h"

enum { SCRIPT_MOST = 1 << 20 };

/* The two ways to run it. */
struct shells {
	char *script, *dash; /* paths */
	char **argv; /* of dash; the array is owned */
};

/* The text of a file; NULL: none, or it is too long, or has zeros. To be freed. */
static char *read_script(const char *path)
{
	FILE *stream = fopen(path, "re");
	char *text = stream ? checked_calloc(SCRIPT_MOST + 1, 1) : NULL;
	const size_t length = stream ? fread(text, 1, SCRIPT_MOST + 1, stream) : 0;

	if (stream)
		fclose(stream);
	if (length && length <= SCRIPT_MOST && strlen(text) == length)
		return text;
	free(text);
	return NULL;
}

/*
 * The command is "bash SCRIPT ...", or "SCRIPT ..." whose first line names a shell, and dash may understand it. Another
 * shell may do something else with it: its author says that it is for any sh, or the user that it may be tried.
 */
static bool find_shells(const struct explain_job *job, struct shells *shells)
{
	const char *name = text__file_name(job->argv[0]);
	const bool by_shell = !strcmp(name, "bash") || !strcmp(name, "sh");
	const char *script = by_shell ? job->argv[1] : job->path;
	const size_t count = text__list_length(job->argv), from = by_shell ? 2 : 1;
	autofree char *text = script && *script != '-' ? read_script(script) : NULL;

	if (!text || bashism__in(text))
		return false;
	if (!script_text__names(text, "sh") && !(job->try_dash && (by_shell || script_text__names(text, "bash"))))
		return false;
	shells->dash = gate__find("dash");
	if (!shells->dash)
		return false;
	shells->script = checked_strdup(script);
	shells->argv = checked_calloc(count + 3, sizeof(*shells->argv));
	shells->argv[0] = (char *)"dash";
	shells->argv[1] = shells->script;
	for (size_t i = from; i < count; i++)
		shells->argv[2 + i - from] = job->argv[i];
	return true;
}

static void release_shells(struct shells *shells)
{
	free(shells->script);
	free(shells->dash);
	free(shells->argv);
}

/* Does dash read it without a complaint (it executes nothing), and do both write the same, and end in the same way? */
static bool end_alike(const struct explain_job *job, const struct shells *shells, struct interrupt *interrupt,
		      uint64_t *bytes)
{
	char *const reading[] = { (char *)"dash", (char *)"-n", shells->script, NULL };
	const struct way reads = { .path = shells->dash, .argv = reading };
	const struct way ways[2] = { { .path = job->path, .argv = job->argv },
				     { .path = shells->dash, .argv = shells->argv } };
	struct outcome_comparison comparison;

	if (!outcome__is_good(&reads, interrupt))
		return false;
	comparison = outcome__compare(ways, interrupt);
	*bytes = comparison.bytes;
	return comparison.output == PATH_OUTPUT_SAME;
}

static void advise(struct run *run, const struct shells *shells, const struct variant variants[2], uint64_t bytes)
{
	const struct series before = variant__cpu(&variants[0]), after = variant__cpu(&variants[1]);
	const uint64_t forks[2] = { variants[0].runs[0]->totals[LIFE_FORKS], variants[1].runs[0]->totals[LIFE_FORKS] };
	struct script_lines *lines = run->lines;
	struct advice advice = {
		.rule = checked_strdup("L15"),
		.title = checked_strdup("run it by dash"),
		.group = NO_GROUP,
		.place = checked_strdup(shells->script),
		.measured_ns = series__difference(&before, &after, PAIRED),
	};

	if (estimate__shows(&advice.measured_ns, 0) == SHOWN_MORE && forks[1] <= forks[0]) {
		advice.evidence =
			text__of("bash executes a script that dash understands. In %d runs by each, both wrote the "
				 "same %" PRIu64 " bytes and ended in the same way. It created %" PRIu64
				 " processes by bash, and %" PRIu64 " by dash.",
				 EACH_WAY, bytes, forks[0], forks[1]);
		advice.action = text__of("Start it by dash, or write #!/bin/sh in its first line where sh is dash, "
					 "after a test with other input.");
		advice.not_for = checked_strdup("Parts of the script that these runs did not reach, and values with "
						"backslashes, which echo of dash replaces.");
		advice.tried = text__of("dash: CPU time of %zu runs each way, alternating", variants[0].sample_count);
		lines->advice = checked_grow(lines->advice, lines->advice_count, sizeof(advice));
		memmove(lines->advice + 1, lines->advice, lines->advice_count++ * sizeof(advice));
		lines->advice[0] = advice;
		return;
	}
	free(advice.rule);
	free(advice.title);
	free(advice.place);
}

static int measure(struct explain_job *job, struct run *run, const struct shells *shells, uint64_t bytes, int *signal)
{
	struct variant variants[2] = { { .label = job->argv[0], .path = job->path, .argv = job->argv },
				       { .label = "dash", .path = shells->dash, .argv = shells->argv } };
	struct rounds rounds = job->rounds;
	int status;

	rounds.timed = timed_runs__of_pair(job, (double)run->wall_ns);
	rounds.traced = 1;
	rounds.ignore_failure = true; /* both fail in the same way */
	status = variants__measure(variants, 2, &rounds, signal);
	if (!status && !*signal && variants[0].run_count && variants[1].run_count && variants[0].sample_count)
		advise(run, shells, variants, bytes);
	for (int i = 0; i < 2; i++)
		variant__release(&variants[i]);
	return status;
}

int explain__try_dash(struct explain_job *job, struct run *run, int *signal)
{
	struct shells shells = { 0 };
	struct interrupt interrupt;
	uint64_t bytes = 0;
	bool alike;
	int status = 0;

	if (job->no_try || !job->rounds.timed || !job->argv || !run->lines || !script_lines__has_known(run->lines))
		return 0;
	if (find_shells(job, &shells)) {
		interrupt__begin(&interrupt);
		alike = end_alike(job, &shells, &interrupt, &bytes);
		*signal = interrupt__came(&interrupt);
		interrupt__end(&interrupt);
		if (alike && !*signal)
			status = measure(job, run, &shells, bytes, signal);
	}
	release_shells(&shells);
	return status;
}
