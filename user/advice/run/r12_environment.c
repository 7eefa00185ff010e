// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * R12: the environment adds work to every process: a script that bash reads first, a library that is preloaded, a
 * module that a runtime loads.
 */
#include <string.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { STARTS_LEAST = 3 };
static const double SHARE_LEAST = 0.05;

/* What a variable adds. */
struct addition {
	char *name; /* of the variable; owned; NULL: none adds enough */
	char *what; /* it adds: a sentence without its end; owned */
	const char *unless; /* leaving it out is no remedy */
	double ns, most; /* of the run; 0: not known, only a trial tells */
};

/* Options in a variable by which a runtime loads a module at each start, each in the words of its manual. */
static const struct {
	const char *variable, *program, *options[4];
} loaders[] = {
	{ "RUBYOPT", "ruby", { "-r" } }, /* ruby(1) */
	{ "NODE_OPTIONS", "node", { "--require", "--import", "-r " } }, /* node(1) */
	{ "PERL5OPT", "perl", { "-M", "-m", "-d:" } }, /* perlrun(1) */
	{ "JAVA_TOOL_OPTIONS", "java", { "-javaagent:", "-agentlib:", "-agentpath:" } }, /* java(1); JVM TI */
	{ "JDK_JAVA_OPTIONS", "java", { "-javaagent:", "-agentlib:", "-agentpath:" } },
};

/* How often programs were started whose names begin so. */
static uint64_t starts_of(const struct run_subject *subject, const char *name)
{
	const struct tree_times *times = subject->run->tree_times;
	uint64_t starts = 0;

	for (size_t i = 0; times && i < times->count; i++) {
		const struct tree_row *row = &times->rows[i];

		if (row->executed && !strncmp(run_subject__name(subject, row->exe), name, strlen(name)))
			starts += row->images;
	}
	return starts;
}

/* What the lines of a file have of the path. */
static double lines_of(const struct critical_path *path, const char *file)
{
	double ns = 0;

	for (size_t i = 0; i < path->line_count; i++)
		if (!text__compare(path->lines[i].file, file))
			ns += (double)path__sum(path->lines[i].ns);
	return ns;
}

/* A script that each bash executes before its own (BASH_ENV in bash(1)). */
static struct addition find_script(const struct run_subject *subject)
{
	const char *file = run_subject__variable(subject, "BASH_ENV");
	const double ns = file && subject->path ? run_subject__path(subject, lines_of(subject->path, file)) : 0;
	const uint64_t starts = starts_of(subject, "bash");

	if (ns < SHARE_LEAST * subject->wall_ns || starts < STARTS_LEAST)
		return (struct addition){ 0 };
	return (struct addition){
		text__of("%s", "BASH_ENV"),
		text__of("BASH_ENV makes each of %s of bash execute %s first",
			 quantity__count(starts, "start", "starts").text, text__file_name(file)),
		"or let it do its work once", ns, ns,
	};
}

/* Constructors of the libraries that are preloaded, and what ld.so does for them, which is not known apart. */
static struct addition find_preloaded(const struct run_subject *subject)
{
	const struct tree_times *times = subject->run->tree_times;
	const char *libraries = run_subject__variable(subject, "LD_PRELOAD");
	double ns = 0, most;

	if (!times || !libraries || !*libraries)
		return (struct addition){ 0 };
	ns = (double)tree_times__wall(times, TREE_INIT) * subject->scale.factor;
	most = ns + (double)tree_times__wall(times, TREE_LDSO) * subject->scale.factor;
	if (most < SHARE_LEAST * subject->wall_ns)
		return (struct addition){ 0 };
	return (struct addition){
		text__of("%s", "LD_PRELOAD"),
		text__of("LD_PRELOAD adds a library to each of %s, whose constructors and those of others",
			 quantity__count(tree_times__starts(times), "start", "starts").text),
		"or let it do its work once", ns, most,
	};
}

/* What the first of these options in `value` names; NULL: none is there. To be freed. */
static char *module_of(const char *value, const char *const *options)
{
	for (size_t i = 0; options[i]; i++) {
		const char *option = strstr(value, options[i]), *name;
		size_t length;

		if (!option || (option > value && option[-1] != ' '))
			continue;
		name = option + strlen(options[i]);
		name += strspn(name, " =\"");
		length = strcspn(name, " \"");
		return length ? text__of("%.*s", (int)length, name) : NULL;
	}
	return NULL;
}

/* A module that a runtime loads at each start. What it takes is not known: its files and code are the runtime's. */
static struct addition find_loaded(const struct run_subject *subject)
{
	for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); i++) {
		const char *value = run_subject__variable(subject, loaders[i].variable);
		autofree char *module = value ? module_of(value, loaders[i].options) : NULL;
		const uint64_t starts = module ? starts_of(subject, loaders[i].program) : 0;

		if (starts)
			return (struct addition){
				text__of("%s", loaders[i].variable),
				text__of("%s makes %s load %s first: %s", loaders[i].variable, loaders[i].program,
					 module, quantity__count(starts, "start", "starts").text),
				"for programs that do not need what it loads", 0, 0,
			};
	}
	return (struct addition){ 0 };
}

static void release(struct addition *addition)
{
	free(addition->name);
	free(addition->what);
}

bool rule__r12_environment(const struct run_subject *subject, struct advice *advice)
{
	struct addition addition = find_script(subject);
	autofree char *share = NULL;

	if (!addition.name)
		addition = find_preloaded(subject);
	if (!addition.name)
		addition = find_loaded(subject);
	if (!addition.name)
		return false;
	share = run_subject__share(subject, addition.ns);
	if (addition.most > 0)
		advice->evidence =
			text__of("%s%s %s.", addition.what, addition.ns < addition.most ? " take" : ":", share);
	else
		advice->evidence = text__of("%s.", addition.what);
	advice->action = text__of("leave %s out (env -u %s), %s", addition.name, addition.name, addition.unless);
	advice->way = text__copy(addition.name);
	if (addition.most > 0) {
		advice->predicted_ns = estimate__of(addition.ns);
		estimate__widen(&advice->predicted_ns, 0, addition.most);
	}
	release(&addition);
	return true;
}
