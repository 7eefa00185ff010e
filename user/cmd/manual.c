// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/manual.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "launch/gate.h"
#include "launch/launch.h"

/* Where pages are, seen from the directory of forktax: as built, and as installed. */
static const char *const beside[] = { "../docs/reference/man", FORKTAX_MAN_FROM_BIN, NULL };

/* "forktax-bench-fork"; to be freed. */
static char *page_of(const struct command *command)
{
	char *page = text__of("forktax-%s", command->name);

	for (char *letter = page; *letter; letter++)
		*letter = *letter == ' ' ? '-' : *letter;
	return page;
}

static bool has_page(const char *directory, const char *page)
{
	static const char *const endings[] = { "", ".gz", ".xz", ".bz2", ".zst", NULL };
	bool found = false;

	for (size_t i = 0; endings[i] && !found; i++) {
		autofree char *path = text__of("%s/man1/%s.1%s", directory, page, endings[i]);

		found = access(path, R_OK) == 0;
	}
	return found;
}

/* The directory of pages that came with this very program, to be freed. NULL: none has the page. */
static char *own_directory(const char *page)
{
	char *program = procfs__link(getpid(), "exe"), *slash, *found = NULL;

	if (!program)
		return NULL;
	slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; beside[i] && !found; i++) {
		found = text__of("%s/%s", program, beside[i]);
		if (!has_page(found, page)) {
			free(found);
			found = NULL;
		}
	}
	free(program);
	return found;
}

/*
 * An environment in which man searches there first: MANPATH with a colon at its end goes before the
 * usual directories. NULL: unchanged. To be freed.
 */
static char **environment_for(const char *page)
{
	char *directory = own_directory(page), *setting;
	const char *usual = getenv("MANPATH");
	char **environment;

	if (!directory)
		return NULL;
	setting = text__of("MANPATH=%s:%s", directory, usual ? usual : "");
	environment = environment__changed((const char *const[]){ setting, NULL });
	free(setting);
	free(directory);
	return environment;
}

static bool knows(const char *man, const char *page, char **environment)
{
	const struct launch launch = {
		.path = man,
		.argv = (char *[]){ "man", "-w", (char *)page, NULL },
		.environment = environment,
		.stdio = LAUNCH_STDIO_NULL,
		.dies_with_us = true,
	};
	pid_t pid;

	return launch__start(&launch, &pid) == 0 && launch__reap(pid) == 0;
}

static int print_help(const struct command *command, const char *page, const char *man)
{
	char *words[] = { (char *)command__word(command), "--help", NULL };

	if (man)
		print_error("help", 0, "man does not find %s(1); this is forktax %s --help", page,
			    command->name);
	else
		print_error("help", 0, "man is not installed; this is forktax %s --help", command->name);
	return command->main(command, 2, words);
}

int manual__show(const struct command *command)
{
	autofree char *page = page_of(command), *man = gate__find("man");
	char **environment = environment_for(page);
	int status;

	if (man && knows(man, page, environment))
		execve(man, (char *[]){ "man", page, NULL }, environment ? environment : environ);
	status = print_help(command, page, man);
	text__free_list(environment);
	return status;
}
