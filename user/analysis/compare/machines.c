// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/machines.h"

#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/text.h"
#include "model/words/syscall_names.h"

static const struct run *first_run(const struct compare_column *column)
{
	return column->run_count ? column->runs[0] : NULL;
}

bool machines__differ(const struct compare_column *columns, size_t count)
{
	const struct run *first = NULL;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < columns[i].run_count; k++) {
			const struct run *run = columns[i].runs[k];

			if (!machine__is_known(&run->machine))
				continue;
			if (!first)
				first = run;
			else if (!machine__is_same(&run->machine, &first->machine))
				return true;
		}
	return false;
}

/* As uname -m has it; ABI_COUNT: another machine. */
static enum abi abi_of(const char *arch)
{
	unsigned int abi = 0;

	while (abi < ABI_COUNT && (!abi__is_main(abi) || strcmp(abi_keys[abi], arch)))
		abi++;
	return abi;
}

static bool has_call(const struct run *run, const char *name)
{
	return !run || !run->machine.arch || !*run->machine.arch || syscall_exists(abi_of(run->machine.arch), name);
}

static bool all_have(const struct compare_column *columns, size_t count, const struct syscall_row *call)
{
	if (!call->name || !abi__is_main(call->abi))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!has_call(first_run(&columns[i]), call->name))
			return false;
	return true;
}

bool machines__share(const struct compare_column *columns, size_t count, const struct run_fact *fact)
{
	switch (fact->section) {
	case SECTION_SYSCALLS:
	case SECTION_ERRORS:
	case SECTION_GROUP_CALLS:
		return all_have(columns, count, fact->call);
	case SECTION_CHILDREN:
	case SECTION_GROUP:
		return !strcmp(fact->key, "children");
	case SECTION_PROGRAMS:
	case SECTION_LINES:
	case SECTION_GROUPS:
	case SECTION_PROCESSES:
		return true;
	default:
		return false;
	}
}

static char *machine_of(const struct run *run)
{
	return run && machine__is_known(&run->machine) ? machine__words(&run->machine) :
							 text__of("a machine that is not known");
}

char *machines__words(const struct compare_column *columns, size_t count)
{
	char *text = NULL, *machine;

	for (size_t i = 0; i < count; i++) {
		machine = machine_of(first_run(&columns[i]));
		text__replace(&text, "%s%s%s ran on %s", text ? text : "", text ? ", " : "", columns[i].label, machine);
		free(machine);
	}
	text__replace(&text,
		      "%s: forktax compares the processes, their programs and the system calls that each of these "
		      "machines has, and leaves out page faults, memory, files and times.", text);
	return text;
}
