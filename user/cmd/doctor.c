// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax doctor: what this kernel, these privileges and this machine allow. */
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "format/output.h"
#include "pool/pool_capabilities.h"
#include "source/source.h"

static const char *word(const struct capability *capability, enum capability_state state)
{
	if (state == CAPABILITY_THERE)
		return "yes";
	if (state == CAPABILITY_UNTRIED)
		return "?";
	return capability->needed ? "MISSING" : "no";
}

/* Is it there, or can it be done without? `source` NULL: it belongs to none. */
static bool examine(const struct source *source, const struct capability *capability,
		    struct table *table)
{
	char why[256] = "";
	enum capability_state state = source__try(source, capability, why, sizeof(why));
	bool there = state == CAPABILITY_THERE, missing = state == CAPABILITY_MISSING;

	table__row(table);
	table__text(table, capability->name);
	table__text(table, word(capability, state));
	table__text(table, why);
	table__text(table, missing ? capability->cost : "");
	table__text(table, missing ? capability->remedy : "");
	return there || !capability->needed;
}

static bool show(const char *title, const struct source *source,
		 const struct capability *capabilities, size_t count)
{
	struct table_output output = table_output__for(stdout, TABLE_TEXT, COLOUR_AUTO);
	struct table *table = table__new(title);
	bool able = true;

	table__column(table, "capability", COLUMN_TEXT);
	table__column(table, "there", COLUMN_TEXT);
	table__column(table, "why not", COLUMN_TEXT);
	table__column(table, "what is lost", COLUMN_TEXT);
	table__column(table, "how to get it", COLUMN_TEXT);
	for (size_t i = 0; i < count; i++)
		able &= examine(source, &capabilities[i], table);
	table__print(table, &output);
	table__free(table);
	putchar('\n');
	return able;
}

static bool show_source(const struct source *source)
{
	size_t count;
	const struct capability *capabilities = source->capabilities(&count);

	return show(source->title, source, capabilities, count);
}

static void show_workers(void)
{
	size_t count;
	const struct capability *capabilities = pool_capabilities__list(&count);

	show("workers", NULL, capabilities, count);
}

/* NULL: by none. */
static const struct source *show_all(void)
{
	const struct source *best = NULL;

	for (size_t i = 0; sources[i]; i++)
		if (show_source(sources[i]) && !best)
			best = sources[i];
	return best;
}

static int doctor(void)
{
	const struct source *best;
	struct utsname machine;

	uname(&machine);
	printf("Linux %s %s, forktax %s\n\n", machine.release, machine.machine, FORKTAX_VERSION);
	best = show_all();
	show_workers();
	if (!best)
		puts("Commands cannot be traced here.");
	else if (best == sources[0])
		printf("Commands can be traced here, by %s.\n", best->title);
	else
		printf("Commands can be traced here, by %s: %s. What %s lacks stands above.\n",
		       best->title, best->cost, sources[0]->title);
	return finish_stdout("doctor") || !best ? EXIT_FORKTAX : 0;
}

static int cmd_doctor(const struct command *command, int argc, char **argv)
{
	int status;

	if (!options__parse(command, argc, argv, NULL, &status))
		return status;
	if (optind < argc)
		return complain("doctor", EXIT_USAGE, "takes no arguments");
	return doctor();
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "what this kernel, these privileges and this machine allow",
	.synopsis = "",
	.about = "Tries everything that forktax uses of kernel, privileges and machine, and says "
		 "what the absence of each costs and how to get it. Exit status 0: commands can be "
		 "traced; 125: not.",
	.flag = FOR_DOCTOR,
	.main = cmd_doctor,
};
