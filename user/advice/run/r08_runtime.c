// SPDX-License-Identifier: GPL-2.0-or-later
/* R8: before it does its work, the program opens many files of its own, or reads a big one. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "advice/run/rules_run.h"
#include "advice/run/runtimes.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { FILES_LEAST = 40, SCRIPT_FILES_LEAST = 80, SCAN_LEAST = 100, GROUP_LEAST = 20, BYTES_LEAST = 4 << 20 };
static const double SHARE_LEAST = 0.3, SCAN_SHARE_LEAST = 0.1, FILE_SHARE_LEAST = 0.2;

/* Files that are the program's, not those of its work. */
struct packages {
	uint64_t files;
	uint64_t ns; /* as traced, as is all here */
	const struct start_files *group; /* the largest; NULL: none is large */
	const struct start_files *big; /* has the file of which most was read; NULL: there is none */
};

/* Is it relative, below the working directory `here` (NULL: not known), or below an argument of the command? */
static bool is_of_work(const struct run_subject *subject, const char *here, const char *path)
{
	return *path != '/' || (here && strcmp(here, "/") != 0 && run_subject__is_below(path, here)) ||
	       run_subject__is_argument(subject, path);
}

/* Below the directory of bin/PROGRAM, also where that is a link or relative, as in a virtual environment? */
static bool is_of_program(const struct run *run, const char *here, const char *directory)
{
	static const char bin[] = "/bin/";
	const char *path = run__first_exe(run)->path, *end = path ? strstr(path, bin) : NULL;
	const bool in_here = here && path && *path != '/';
	autofree char *prefix = NULL;

	if (!end || strcmp(end + strlen(bin), text__file_name(path)) != 0)
		return false;
	prefix = text__of("%s%s%.*s", in_here ? here : "", in_here ? "/" : "", (int)(end - path), path);
	return run_subject__is_below(directory, prefix);
}

static bool is_of_packages(const struct run_subject *subject, const char *here, const char *directory)
{
	static const char *const roots[] = { "/usr", "/lib", "/lib64", "/opt", NULL };

	for (size_t i = 0; roots[i]; i++)
		if (run_subject__is_below(directory, roots[i]))
			return !is_of_work(subject, here, directory);
	return is_of_program(subject->run, here, directory);
}

static uint64_t span_of(const struct start_files *group)
{
	return group->last_ns - group->first_ns;
}

static struct packages find_opened(const struct run_subject *subject, const char *here, bool for_script)
{
	const struct start *start = subject->run->start;
	struct packages opened = { 0 };

	for (size_t i = 0; i < start->file_count; i++) {
		const struct start_files *files = &start->files[i];

		if (files->for_script != for_script)
			continue;
		if (files->biggest && files->most_bytes >= BYTES_LEAST && !is_of_work(subject, here, files->biggest) &&
		    (!opened.big || files->most_ns > opened.big->most_ns))
			opened.big = files;
		if (!is_of_packages(subject, here, files->directory))
			continue;
		opened.files += files->opened;
		opened.ns += files->ns;
		if (files->opened >= GROUP_LEAST && (!opened.group || files->opened > opened.group->opened))
			opened.group = files;
	}
	return opened;
}

/* Of the run, but for what others leave of the CPUs. */
static double share(const struct run_subject *subject, uint64_t ns)
{
	const double busy = run_subject__busy(subject);

	return busy > 0 ? run_subject__untraced(subject, (double)ns) / busy : 0;
}

static bool are_many(const struct run_subject *subject, const struct packages *opened, bool for_script)
{
	const double part = share(subject, opened->ns);

	return (opened->files >= (for_script ? SCRIPT_FILES_LEAST : FILES_LEAST) && part >= SHARE_LEAST) ||
	       (opened->files >= SCAN_LEAST && part >= SCAN_SHARE_LEAST);
}

static const char *program_of(const struct run_subject *subject)
{
	return text__file_name(exe__file(run__first_exe(subject->run)));
}

/* The remedy of the runtime for these files, and what tries it. False: none is known. */
static bool advise(const struct run_subject *subject, const char *files, const char *otherwise, struct advice *advice)
{
	const char *program = program_of(subject);
	const struct runtime *runtime = runtime__of(program, files);

	advice->action = text__copy(runtime ? runtime->remedy : otherwise);
	if (!advice->action)
		return false;
	if (runtime && runtime->way && runtime__takes(text__file_name(subject->run->command[0]), runtime->way))
		advice->way = text__copy(runtime->way);
	else if (runtime && runtime->way)
		advice->tried = text__of("no: the command is a script: try it as %s %s %s", program, runtime->way,
					 subject->run->command[0]);
	return true;
}

static bool speak_of_file(const struct run_subject *subject, const struct start_files *big, struct advice *advice)
{
	const double ns = run_subject__untraced(subject, (double)big->most_ns);
	autofree char *part = run_subject__share(subject, ns);

	advice->evidence = text__of("%s reads %s of %s. Reading and using that takes %s.",
				    run_subject__name(subject, subject->run->processes[0].images[0].exe),
				    quantity__size((double)big->most_bytes).text, big->biggest, part);
	advice->predicted_ns = estimate__at_most(ns);
	return advise(subject, big->biggest, "keep what is needed of the file in a smaller one", advice);
}

/*
 * Who asks for them. A runtime that has an option against them may have opened the script before, as ruby does.
 */
static const char *when(const struct run_subject *subject, const char *files, bool for_script, bool has_script)
{
	const struct runtime *runtime = runtime__of(program_of(subject), files);

	if (for_script)
		return runtime && runtime->way ? "" : " as its script asks for them";
	return has_script ? " before its script" : "";
}

static bool speak_of_many(const struct run_subject *subject, const struct packages *opened, bool for_script,
			  bool has_script, struct advice *advice)
{
	const struct start_files *group = opened->group;
	const double ns = run_subject__untraced(subject, (double)opened->ns);
	const double of_group = group ? fmin(run_subject__untraced(subject, (double)span_of(group)), ns) : ns;
	autofree char *part = run_subject__share(subject, ns);
	autofree char *files = NULL, *largest = NULL, *takes = NULL;

	files = text__of("%s %s ", group ? group->directory : "", group ? group->suffix : "");
	/* What they load may be all of it, which is said already. */
	takes = of_group < ns ? text__of(": these, and what they load, take %s", quantity__time(of_group).text)
			      : text__of("%s", "");
	largest = group ? text__of(" %" PRIu64 " of them are %s%sfiles in %s%s.", group->opened, group->suffix,
				   *group->suffix ? " " : "", group->directory, takes)
			: text__of("%s", "");
	advice->evidence = text__of("%s opens %" PRIu64 " files of packages%s, which takes %s.%s",
				    run_subject__name(subject, subject->run->processes[0].images[0].exe), opened->files,
				    when(subject, files, for_script, has_script), part, largest);
	advice->predicted_ns = estimate__at_most(ns);
	return advise(subject, files, run_subject__is_below(exe__file(run__first_exe(subject->run)), "/usr") ?
		      NULL :
		      "load fewer of these files, or keep what is made of them", advice);
}

static bool has_script(const struct start *start)
{
	for (size_t i = 0; i < start->file_count; i++)
		if (start->files[i].for_script)
			return true;
	return false;
}

bool rule__r08_runtime(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	autofree char *here = getcwd(NULL, 0);

	if (!run->start || run->start->missed || !run__first_exe(run) || !exe__file(run__first_exe(run)))
		return false;
	for (int for_script = 0; for_script < 2; for_script++) {
		const struct packages opened = find_opened(subject, here, for_script);

		if (opened.big && share(subject, opened.big->most_ns) >= FILE_SHARE_LEAST)
			return speak_of_file(subject, opened.big, advice);
		if (are_many(subject, &opened, for_script) && !r20_cache__says(subject, opened.group))
			return speak_of_many(subject, &opened, for_script, has_script(run->start), advice);
	}
	return false;
}
