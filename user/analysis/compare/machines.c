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

static bool says_its_machine(const struct run *run)
{
	return run && run->arch && *run->arch && run->page_bytes != ABSENT;
}

bool machines__differ(const struct compare_column *columns, size_t count)
{
	const struct run *first = NULL;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < columns[i].run_count; k++) {
			const struct run *run = columns[i].runs[k];

			if (!says_its_machine(run))
				continue;
			if (!first)
				first = run;
			else if (run->page_bytes != first->page_bytes || strcmp(run->arch, first->arch))
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
	return !run || !run->arch || !*run->arch || syscall_exists(abi_of(run->arch), name);
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
	if (!says_its_machine(run))
		return text__of("a machine that is not known");
	return text__of("%s with pages of %s", run->arch, quantity__size(run->page_bytes).text);
}

char *machines__words(const struct compare_column *columns, size_t count)
{
	char *text = NULL, *machine;

	if (!machines__differ(columns, count))
		return NULL;
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
