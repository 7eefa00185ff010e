// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/loop/loops.h"

#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
#include "measure/loop/loop_task.h"

static uint64_t written_by_ld_so(const struct faults *inherited)
{
	const uint64_t *classes = inherited->by[ACTOR_LDSO];

	return classes[FAULT_COW_COPY] + classes[FAULT_COW_REUSE] + classes[FAULT_FILE_COW];
}

void loop_count__children(const struct run *run, uint64_t operations, double per_op[PER_OP_COUNT])
{
	const struct faults *root = &run->root_faults;
	struct faults all = { 0 };
	uint64_t calls = 0, by_ld_so = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		faults__add(&all, &group->inherited);
		faults__add(&all, &group->execd);
		calls += syscall_table__calls(&group->table);
		by_ld_so += written_by_ld_so(&group->inherited);
	}
	per_op[PER_OP_SYSCALLS] = (double)calls / operations;
	if (run__has(run, HAS_PROCESS_FAULTS))
		per_op[PER_OP_MINOR_FAULTS] = (double)(all.total - all.major) / operations;
	if (!run__has(run, HAS_FAULT_CLASSES))
		return;
	per_op[PER_OP_COW_COPIES] = (double)faults__class(&all, FAULT_COW_COPY) / operations;
	per_op[PER_OP_LD_SO_PAGES] = (double)by_ld_so / operations;
	per_op[PER_OP_PARENT_PAGES] =
		(double)(faults__class(root, FAULT_COW_COPY) + faults__class(root, FAULT_COW_REUSE)) / operations;
}

const struct linkage linkages[LOOP_COUNT] = {
	[LOOP_DYNAMIC] = { "dynamic", "dynamic", NULL,
			      "glibc, functions bound when first called", NULL, false },
	[LOOP_NOW] = { "-z now", "now", NULL, "glibc, linked with -z now", NULL, false },
	[LOOP_BIND_NOW] = { "LD_BIND_NOW=1", "dynamic", "LD_BIND_NOW=1",
			       "the dynamic program with that variable set", NULL, false },
	[LOOP_STATIC] = { "static", "static", NULL, "glibc, linked with -static", NULL, true },
	[LOOP_STATIC_PIE] = { "static-pie", "static-pie", NULL,
				 "glibc, static and position-independent", NULL, true },
	[LOOP_DIET] = { "dietlibc", "diet", NULL, "dietlibc, static", "dietlibc-dev", true },
	[LOOP_MUSL] = { "musl", "musl", NULL, "musl, static", "musl-tools", true },
};

enum { PLACES = 3 };

/* Directories to look in, each to be freed; NULL: none. */
static void usual_places(char *places[PLACES])
{
	char exe[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (length > 0) {
		const char *directory;

		exe[length] = '\0';
		directory = dirname(exe);
		places[0] = text__of("%s/%s", directory, FORKTAX_LOOPS_FROM_BIN);
		places[1] = text__of("%s/%s", directory, "../samples"); /* in the build tree */
	}
	places[2] = checked_strdup(FORKTAX_LOOPS);
}

static char *program_in(const char *directory, const struct linkage *linkage, const char *name)
{
	autofree char *path = text__of("%s/%s/%s", directory, linkage->directory, name);

	return access(path, X_OK) ? NULL : realpath(path, NULL);
}

/* What would load it, to be freed, if that is not here: a container, or a machine with another libc. */
static char *missing_interpreter(const char *path)
{
	autofree char *reason = NULL;
	char *missing = NULL;
	struct elf_facts *facts = elf_facts__read(path, &reason);

	if (facts && facts->interp && access(facts->interp, X_OK))
		missing = checked_strdup(facts->interp);
	elf_facts__free(facts);
	return missing;
}

/* Can it be started here? Takes the path if not. */
static char *startable(char *path, char **reason, char **remedy)
{
	autofree char *interpreter = missing_interpreter(path);

	if (!interpreter)
		return path;
	*reason = text__of("%s needs %s, which is not here", path, interpreter);
	*remedy = checked_strdup("static programs can be measured here, dynamic ones where their C "
				 "library is");
	free(path);
	return NULL;
}

char *loops__find(const char *directory, enum linkage_id id, const char *name, char **reason, char **remedy)
{
	const struct linkage *linkage = &linkages[id];
	char *places[PLACES] = { NULL }, *path = NULL;

	if (directory)
		places[0] = checked_strdup(directory);
	else
		usual_places(places);
	for (int i = 0; i < PLACES; i++) {
		if (places[i] && !path)
			path = program_in(places[i], linkage, name);
		free(places[i]);
	}
	if (path)
		return startable(path, reason, remedy);
	*reason = text__of("no program %s/%s was found", linkage->directory, name);
	if (directory)
		*remedy = text__of("forktax searches it in %s (FORKTAX_LOOPS)", directory);
	else if (linkage->package)
		*remedy = text__of("install forktax-samples; or %s, and build forktax again", linkage->package);
	else
		*remedy = checked_strdup("install forktax-samples, or build forktax with its samples "
					 "(-DFORKTAX_SAMPLES=ON)");
	return NULL;
}
