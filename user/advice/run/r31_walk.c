// SPDX-License-Identifier: GPL-2.0-or-later
/* R31: the program looks through the directories below one that nothing of its work is in. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum { DIRECTORIES_LEAST = 200 };
static const double SHARE_LEAST = 0.15;

/* What is below one directory of the working directory. */
struct walk {
	const char *name;
	size_t length;
	uint64_t files, directories; /* that were opened */
	uint64_t ns; /* as traced */
};

/* The part of the path below the working directory `here`, "" for that itself; NULL: it is elsewhere. */
static const char *below(const char *path, const char *here)
{
	const size_t length = strlen(here);

	if (!strncmp(path, here, length) && (path[length] == '/' || !path[length]))
		path += length + (path[length] == '/');
	while (*path == '.' && (path[1] == '/' || !path[1]))
		path += 1 + (path[1] == '/');
	return *path == '/' ? NULL : path;
}

static struct walk *walk_of(struct walk *walks, size_t *count, const char *name)
{
	const size_t length = strcspn(name, "/");

	for (size_t i = 0; i < *count; i++)
		if (walks[i].length == length && !strncmp(walks[i].name, name, length))
			return &walks[i];
	walks[*count] = (struct walk){ .name = name, .length = length };
	return &walks[(*count)++];
}

/* The one with most directories. `others`: files of the work that it opens elsewhere. Name NULL: there is none. */
static struct walk find_largest(const struct start *start, const char *here, uint64_t *others)
{
	autofree struct walk *walks = checked_calloc(start->file_count + 1, sizeof(*walks));
	struct walk largest = { 0 };
	size_t count = 0;

	*others = 0;
	for (size_t i = 0; i < start->file_count; i++) {
		const struct start_files *files = &start->files[i];
		const char *name = below(files->directory, here);
		struct walk *walk = name ? walk_of(walks, &count, name) : NULL;

		if (!walk)
			continue;
		walk->files += files->opened - files->directories;
		walk->directories += files->directories;
		walk->ns += files->ns;
		*others += files->opened - files->directories;
	}
	for (size_t i = 0; i < count; i++)
		if (walks[i].length && walks[i].directories > largest.directories)
			largest = walks[i];
	*others -= largest.files;
	return largest;
}

/*
 * A program that opens no file elsewhere, as find and du, is there to look through directories, and so is one that is
 * asked to look into this one.
 */
bool rule__r31_walk(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	autofree char *here = getcwd(NULL, 0), *name = NULL, *part = NULL;
	struct walk walk;
	uint64_t others;
	double ns;

	if (!here || !run->start || run->start->missed || !run->process_count)
		return false;
	walk = find_largest(run->start, here, &others);
	ns = run_subject__untraced(subject, (double)walk.ns);
	if (walk.directories < DIRECTORIES_LEAST || walk.files || !others ||
	    ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	name = text__of("%.*s", (int)walk.length, walk.name);
	if (run_subject__is_argument(subject, name))
		return false;
	part = run_subject__share(subject, ns);
	advice->evidence = text__of("%s looks through %s%" PRIu64 " directories below %s and opens no file there, "
				    "which takes %s.",
				    run_subject__name(subject, run->processes[0].images[0].exe),
				    run->start->file_count == START_FILES_MOST ? "more than " : "", walk.directories,
				    name, part);
	advice->action = text__of("leave %s out of what it searches: by its option or setting for that, or name the "
				  "directories to search", name);
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}
