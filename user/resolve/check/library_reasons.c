// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/finding_reasons.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/linking.h"

enum { NAMED_MOST = 5 };

/* The name that the library gives itself (DT_SONAME); to be freed; NULL: none. */
static char *soname_of(const char *path)
{
	struct elf_file *file = elf_file__open(path);
	char *reason = NULL, *soname = NULL;
	struct elf_linking *linking = file->opened == ELF_OPENED ? elf_linking__read(&file->object, &reason) : NULL;

	if (linking && linking->soname)
		soname = text__of("%s", linking->soname);
	elf_linking__free(linking);
	free(reason);
	elf_file__close(file);
	return soname;
}

/* A library that programs ask for by the name of its file, which may be a link, or by its soname. */
struct wanted {
	const char *name;
	char *soname;
};

static bool needs(const char *path, const struct wanted *wanted)
{
	autofree char *reason = NULL;
	struct elf_facts *facts = elf_facts__read(path, &reason);
	bool found = false;

	for (size_t i = 0; facts && i < facts->needed_count; i++) {
		const char *needed = text__file_name(facts->needed[i]);

		found |= !strcmp(needed, wanted->name) || (wanted->soname && !strcmp(needed, wanted->soname));
	}
	elf_facts__free(facts);
	return found;
}

/* Has a process of the groups of that name executed it? Of a group, some processes are listed. */
static bool has_executed(const struct check_names *names, const char *of, uint32_t exe)
{
	const struct run *run = names->run;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		if (strcmp(check_names__group(names, process->group), of) != 0)
			continue;
		for (size_t k = 0; k < process->image_count; k++)
			if (process->images[k].exe == exe && process->images[k].kind >= IMAGE_EXEC)
				return true;
	}
	return false;
}

static char *asking_programs(const struct check_names *names, const char *of, bool executed,
			     const struct wanted *wanted)
{
	struct name_list asking = { .most = NAMED_MOST };

	for (uint32_t i = 0; i < names->run->exe_count; i++) {
		const char *file = exe__file(&names->run->exes[i]);
		char *name;

		if (!file || has_executed(names, of, i) != executed || !needs(file, wanted))
			continue;
		name = check_names__path(names, exe__name(&names->run->exes[i]));
		name_list__add(&asking, name);
		free(name);
	}
	return name_list__finish(&asking);
}

/* Libraries that the same processes loaded. */
static char *asking_libraries(const struct check_result *result, const char *of, const struct wanted *wanted)
{
	struct name_list asking = { .most = NAMED_MOST };

	for (size_t i = 0; i < result->now.metric_count; i++) {
		const struct baseline_metric *metric = &result->now.metrics[i];

		if (metric->kind == BASELINE_LIBRARY && !strcmp(metric->of, of) && needs(metric->name, wanted))
			name_list__add(&asking, metric->name);
	}
	return name_list__finish(&asking);
}

/* Are all processes of these groups listed, with what they executed? */
static bool are_all_listed(const struct check_names *names, const char *of)
{
	const struct run *run = names->run;
	uint64_t children = 0, listed = 0;

	for (uint32_t i = 0; i < run->group_count; i++)
		if (!strcmp(check_names__group(names, i), of))
			children += group__children(&run->groups[i]);
	for (size_t i = 0; i < run->process_count; i++)
		listed += !strcmp(check_names__group(names, run->processes[i].group), of);
	return listed >= children;
}

void library_reasons__add(struct check_finding *finding, const struct check_result *result,
			  const struct check_names *names)
{
	const struct wanted wanted = { text__file_name(finding->name), soname_of(finding->name) };
	autofree char *programs = names ? asking_programs(names, finding->of, true, &wanted) : NULL;
	autofree char *libraries = asking_libraries(result, finding->of, &wanted);
	autofree char *others = NULL;

	if (names && !programs && !libraries && !are_all_listed(names, finding->of))
		others = asking_programs(names, finding->of, false, &wanted);
	if (programs || libraries)
		check_finding__say(finding, "asked for (DT_NEEDED) by %s%s%s", programs ? programs : "",
				   programs && libraries ? ", " : "", libraries ? libraries : "");
	else if (others)
		check_finding__say(finding, "asked for (DT_NEEDED) by %s, if that was executed "
				   "there", others);
	else
		check_finding__say(finding, "no file that is known to have run there asks for it "
				   "(DT_NEEDED): it may come by dlopen(3) or "
				   "LD_PRELOAD");
	free(wanted.soname);
}
