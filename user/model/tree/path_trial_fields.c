// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of a command with a directory first in PATH: schema forktax/1. */
#include <inttypes.h>

#include "base/text.h"
#include "model/run/run_fields.h"

static const struct words output_words = WORDS_OF(path_output_keys);

#define S struct missed_program
static const struct field missed_fields[] = {
	TEXT("path", path, .note = "as executed"),
	COUNT("starts", starts),
	BOOL("is_there", is_there, .note = "the directory has a program of that name"),
};
static const struct shape missed_shape = SHAPE_OF(missed, .note = "a program that was started from elsewhere");
#undef S

#define S struct path_side
static const struct field side_fields[] = {
	COUNT("processes", processes, .note = "of the traced run"),
	COUNT("faults", faults, .note = "of the traced run"),
	FIGURE("wall_ns", wall_ns, .note = "the median of the timed runs"),
	FIGURE("cpu_ns", cpu_ns, .note = "the median of the timed runs"),
};
static const struct shape side_shape = SHAPE_OF(side, .note = "the command in one of the two ways");
#undef S

static char *trial_law(const struct scope *scope)
{
	const struct path_trial *trial = scope->self;
	uint64_t missed = 0;

	for (size_t i = 0; i < trial->missed_count; i++)
		missed += trial->missed[i].starts;
	if (trial->taken + missed != trial->starts)
		return text__of("%" PRIu64 " starts of the directory and %" PRIu64 " others are not %" PRIu64,
				trial->taken, missed, trial->starts);
	if ((trial->difference != NULL) !=
	    (trial->output == PATH_OUTPUT_DIFFERS || trial->output == PATH_OUTPUT_VARIES))
		return text__of("output is \"%s\", and a difference is %s", path_output_keys[trial->output],
				trial->difference ? "named" : "not named");
	return NULL;
}

#define S struct path_trial
static const struct field trial_fields[] = {
	TEXT("directory", directory),
	COUNT("scripts", scripts,
	      .note = "files in it that can be executed and are no ELF files: starts count as those of interpreters"),
	COUNT("starts", starts, .note = "of programs, without that of the command itself, of the traced run"),
	COUNT("taken", taken, .note = "of these: of a program of the directory"),
	LIST("missed", missed, missed_count, missed_shape, .note = "the other programs"),
	KEY("output", output, output_words,
	    .note = "stdout, stderr and exit status, with it and without; varies: they differ without it, too"),
	TEXT("difference", difference, NULLABLE, .note = "what differs"),
	COUNT("bytes", bytes, .note = "written by each run, if all have written the same"),
	OBJECT("without", without, side_shape),
	OBJECT("with", with, side_shape),
	FIGURE("saved_wall_ns", saved_wall_ns),
	FIGURE("saved_cpu_ns", saved_cpu_ns),
};
const struct shape path_trial_shape = SHAPE_OF(trial, .law = trial_law,
	.note = "the command with a directory first in PATH (explain --path-first)");
#undef S
