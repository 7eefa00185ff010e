// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax doctor: what this kernel, these privileges and this machine allow. */
#include <getopt.h>
#include <string.h>
#include <sys/utsname.h>

#include "cmd/commands.h"
#include "cmd/common.h"
#include "source/ebpf/capabilities.h"
#include "source/ebpf/diagnose.h"

static const char usage[] =
	"usage: forktax doctor\n\n"
	"Tries everything that forktax uses of kernel, privileges and machine, and says what the\n"
	"absence of each costs and how to get it. Exit status 0: commands can be traced; 125: not.\n";

static const char *word(const struct capability *capability, enum capability_state state)
{
	if (state == CAPABILITY_THERE)
		return "yes";
	return capability->needed ? "MISSING" : "no";
}

static bool examine(struct table *table)
{
	bool able = true;

	table__column(table, "capability", COLUMN_TEXT);
	table__column(table, "there", COLUMN_TEXT);
	table__column(table, "why not", COLUMN_TEXT);
	table__column(table, "what is lost", COLUMN_TEXT);
	table__column(table, "how to get it", COLUMN_TEXT);
	for (size_t i = 0; i < capability_count; i++) {
		const struct capability *capability = &capabilities[i];
		char why[256] = "";
		enum capability_state state = capability->try(why, sizeof(why));
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

int cmd_doctor(int argc, char **argv)
{
	static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { 0 } };
	struct table_output output;
	struct utsname machine;
	struct table *table;
	bool able;
	int option;

	opterr = 0;
	option = getopt_long(argc, argv, ":h", options, NULL);
	if (option == 'h') {
		fputs(usage, stdout);
		return finish_stdout("doctor");
	}
	if (option >= 0 || optind < argc)
		return option >= 0 ? complain_option("doctor", option, argv)
				   : complain("doctor", EXIT_USAGE, "takes no arguments");
	uname(&machine);
	diagnose__start();
	printf("Linux %s %s, forktax %s\n\n", machine.release, machine.machine, FORKTAX_VERSION);
	table = table__new(NULL);
	able = examine(table);
	output = table_output__for(stdout, TABLE_TEXT, COLOUR_AUTO);
	table__print(table, &output);
	table__free(table);
	printf("\n%s\n", able ? "Commands can be traced here." : "Commands cannot be traced here.");
	return finish_stdout("doctor") || !able ? EXIT_FORKTAX : 0;
}
