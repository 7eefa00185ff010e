// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax doctor: what this kernel, these privileges and this machine allow. */
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "format/output.h"
#include "source/source.h"

static const char *word(const struct capability *capability, enum capability_state state)
{
	if (state == CAPABILITY_THERE)
		return "yes";
	return capability->needed ? "MISSING" : "no";
}

static bool examine(const struct source *source, struct table *table)
{
	size_t count;
	const struct capability *capabilities = source->capabilities(&count);
	bool able = true;

	table__column(table, "capability", COLUMN_TEXT);
	table__column(table, "there", COLUMN_TEXT);
	table__column(table, "why not", COLUMN_TEXT);
	table__column(table, "what is lost", COLUMN_TEXT);
	table__column(table, "how to get it", COLUMN_TEXT);
	for (size_t i = 0; i < count; i++) {
		const struct capability *capability = &capabilities[i];
		char why[256] = "";
		enum capability_state state =
			source__try(source, capability, why, sizeof(why));
		bool there = state == CAPABILITY_THERE;

		able &= there || !capability->needed;
		table__row(table);
		table__text(table, capability->name);
		table__text(table, word(capability, state));
		table__text(table, why);
		table__text(table, there ? "" : capability->cost);
		table__text(table, there ? "" : capability->remedy);
	}
	return able;
}

static bool show(const struct source *source)
{
	struct table_output output = table_output__for(stdout, TABLE_TEXT, COLOUR_AUTO);
	struct table *table = table__new(source->title);
	bool able = examine(source, table);

	table__print(table, &output);
	table__free(table);
	putchar('\n');
	return able;
}

/* NULL: by none. */
static const struct source *show_all(void)
{
	const struct source *best = NULL;

	for (size_t i = 0; sources[i]; i++)
		if (show(sources[i]) && !best)
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
