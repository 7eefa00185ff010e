// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax doctor: what this kernel, these privileges and this machine allow. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "model/doctor/doctor.h"
#include "pool/pool_capabilities.h"
#include "report/words.h"
#include "source/source.h"

static const char placeholder[] = "FORKTAX"; /* for this program, at the end of a command */

/* The path of this program, as a shell reads it; without /proc its name. */
static char *own_path(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		return checked_strdup("forktax");
	path[length] = '\0';
	return words__command((char *[]){ path, NULL });
}

static char *command_of(const struct capability *capability)
{
	const char *found = capability->command ? strstr(capability->command, placeholder) : NULL;
	char *path, *command;

	if (!found)
		return capability->command ? checked_strdup(capability->command) : NULL;
	path = own_path();
	command = text__of("%.*s%s", (int)(found - capability->command), capability->command, path);
	free(path);
	return command;
}

/* Is it there, or can it be done without? `source` NULL: it belongs to none. */
static bool examine(struct doctor *doctor, const struct source *source, const char *of,
		    const struct capability *capability)
{
	char why[256] = "";
	struct doctor_row row = {
		.state = source__try(source, capability, why, sizeof(why)),
		.needed = capability->needed,
		.trial = !capability->try,
		.of = checked_strdup(of),
		.name = checked_strdup(capability->name),
		.reason = *why ? checked_strdup(why) : NULL,
		.effect = checked_strdup(capability->cost),
		.fix = checked_strdup(capability->remedy),
		.command = command_of(capability),
	};

	doctor->rows = checked_grow(doctor->rows, doctor->count, sizeof(row));
	doctor->rows[doctor->count++] = row;
	return row.state == CAPABILITY_THERE || !row.needed;
}

static bool examine_source(struct doctor *doctor, const struct source *source)
{
	size_t count;
	const struct capability *capabilities = source->capabilities(&count);
	bool able = true;

	for (size_t i = 0; i < count; i++)
		able &= examine(doctor, source, source->title, &capabilities[i]);
	return able;
}

static void examine_workers(struct doctor *doctor)
{
	size_t count;
	const struct capability *capabilities = pool_capabilities__list(&count);

	for (size_t i = 0; i < count; i++)
		examine(doctor, NULL, "workers", &capabilities[i]);
}

static struct doctor *examine_all(void)
{
	struct doctor *doctor = checked_calloc(1, sizeof(*doctor));
	struct utsname machine;

	uname(&machine);
	doctor->version = checked_strdup(FORKTAX_VERSION);
	doctor->kernel = checked_strdup(machine.release);
	doctor->arch = checked_strdup(machine.machine);
	for (size_t i = 0; sources[i]; i++) {
		if (!examine_source(doctor, sources[i]) || doctor->source)
			continue;
		doctor->source = checked_strdup(sources[i]->title);
		doctor->lost = i ? checked_strdup(sources[i]->cost) : NULL;
	}
	examine_workers(doctor);
	return doctor;
}

static int check(void *settings, char **operands)
{
	return *operands ? print_error("doctor", EXIT_USAGE, "takes no arguments") : 0;
}

static int examine_and_print(void *settings, char **operands, int *signal)
{
	struct doctor *found = examine_all();
	int status = print_doctor("doctor", found, settings, stdout);

	if (!status && !found->source)
		status = EXIT_FORKTAX;
	doctor__free(found);
	return status;
}

#define DISPLAY(member) FIELD(struct report_options, member)

static const struct option_row doctor_rows[] = {
	OPTION('o', "output", "FILE", &option_file, DISPLAY(path), "write to FILE instead; - is stdout"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "print everything as JSON (`forktax report FILE` reads it)"),
	{ 0 },
};

static const struct option_set doctor_sets[] = { { NULL, doctor_rows, 0 }, { 0 } };

const struct command doctor_command = {
	.name = "doctor",
	.summary = "what forktax can measure on this machine, and how to get the rest",
	.synopsis = "[OPTIONS]",
	.about = "Says whether forktax can trace commands on this machine. Tries everything that "
		 "forktax needs from the kernel, the privileges and the machine, and says for each "
		 "missing thing what you lose without it and how to get it. Exit status: 0 if "
		 "commands can be traced, 125 if not.",
	.flag = FOR_DOCTOR,
	.sets = doctor_sets,
	.main = command__run,
	.size = sizeof(struct report_options),
	.check = check,
	.act = examine_and_print,
};
