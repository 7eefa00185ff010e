// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/words.h"

#include <err.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *words(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		err(125, "cannot write a report");
	va_end(arguments);
	return text;
}

char *words__duration(uint64_t ns)
{
	if (ns < 1000)
		return words("%" PRIu64 " ns", ns);
	if (ns < 1000000)
		return words("%.1f us", ns / 1e3);
	if (ns < 1000000000)
		return words("%.1f ms", ns / 1e6);
	return words("%.2f s", ns / 1e9);
}

char *words__exit(int32_t status, int32_t signal, bool finished)
{
	const char *name;

	if (!finished)
		return words("running");
	if (signal <= 0)
		return status < 0 ? words("-") : words("exit %d", status);
	name = sigabbrev_np(signal);
	return name ? words("SIG%s", name) : words("signal %d", signal);
}

const char *words__last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool is_unambiguous(const struct run *run, uint32_t exe)
{
	const char *path = exe__name(&run->exes[exe]);

	for (size_t i = 0; i < run->exe_count; i++) {
		const char *other = exe__name(&run->exes[i]);

		if (other && strcmp(other, path) != 0 && !strcmp(words__last_part(other), words__last_part(path)))
			return false;
	}
	return true;
}

char *words__exe(const struct run *run, uint32_t exe, bool full)
{
	const char *name, *file;
	bool link;

	if (exe >= run->exe_count || !run->exes[exe].path)
		return words("?");
	if (full)
		return words("%s", run->exes[exe].path);
	name = exe__name(&run->exes[exe]);
	file = words__last_part(exe__file(&run->exes[exe]));
	link = strcmp(words__last_part(name), file) != 0;
	if (is_unambiguous(run, exe))
		name = words__last_part(name);
	return link ? words("%s (%s)", name, file) : words("%s", name);
}

char *words__images(const struct run *run, const struct process *process, bool full)
{
	char *text = NULL;

	for (size_t i = 0; i < process->image_count; i++) {
		char *exe = words__exe(run, process->images[i].exe, full);
		char *joined = text ? words("%s -> %s", text, exe) : words("%s", exe);

		free(text);
		free(exe);
		text = joined;
	}
	if (process->images_left_out) {
		char *joined = words("%s -> (%" PRIu64 " more)", text ? text : "?",
				     process->images_left_out);

		free(text);
		text = joined;
	}
	return text ? text : words("?");
}

char *words__distribution(const struct distribution *values, uint64_t children)
{
	const char *about = values->rounded ? "~" : "";

	if (!children)
		return words("-");
	if (values->min == values->max)
		return words("%s%" PRIu64, about, values->median);
	return words("%s%" PRIu64 " (%" PRIu64 "..%" PRIu64 ")", about, values->median, values->min,
		     values->max);
}

static char *quoted(const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	char *text, *to;

	if (*argument && !argument[strspn(argument, plain)])
		return words("%s", argument);
	text = to = checked_calloc(4 * strlen(argument) + 3, 1);
	*to++ = '\'';
	for (; *argument; argument++) {
		if (*argument == '\'')
			to = stpcpy(to, "'\\'"); /* quotes cannot hold one */
		*to++ = *argument;
	}
	*to = '\'';
	return text;
}

char *words__command(const struct run *run)
{
	char *text = words("%s", "");

	for (size_t i = 0; i < run->command_count; i++) {
		char *argument = quoted(run->command[i]);
		char *joined = words("%s%s%s", text, i ? " " : "", argument);

		free(text);
		free(argument);
		text = joined;
	}
	return text;
}
