// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"

char *words__spread(const struct spread *spread, struct unit unit)
{
	if (!spread->known)
		return text__of("-");
	return quantity__range(spread->median, spread->min, spread->max, unit);
}

char *words__estimate(const struct estimate *estimate, struct unit unit)
{
	return words__spread(&(struct spread){ estimate->known, estimate->value,
					       estimate->bounded ? estimate->low : NAN,
					       estimate->bounded ? estimate->high : NAN }, unit);
}

char *words__ratio(const struct estimate *ratio)
{
	return quantity__ratio_range(ratio->value, ratio->bounded ? ratio->low : NAN,
				     ratio->bounded ? ratio->high : NAN);
}

char *words__too_few_runs(size_t runs)
{
	if (runs >= STATS_INTERVAL_MIN)
		return text__of("fewer than %d of %zu timed runs were quiet", STATS_INTERVAL_MIN, runs);
	return text__of("there %s %s, and an interval takes %d (-n %d)", number__plural(runs, "is", "are"),
			quantity__count(runs, "timed run", "timed runs").text, STATS_INTERVAL_MIN, STATS_INTERVAL_MIN);
}

char *words__exit(int32_t status, int32_t signal, bool finished)
{
	const char *name;

	if (!finished)
		return text__of("running");
	if (signal <= 0)
		return status < 0 ? text__of("-") : text__of("exit %d", status);
	name = sigabbrev_np(signal);
	return name ? text__of("SIG%s", name) : text__of("signal %d", signal);
}

/* More than these are no help to a reader; data has all. */
enum { IMAGES_SHOWN = 16 };

char *words__images(const struct run *run, const struct process *process, bool full)
{
	size_t shown = full || process->image_count <= IMAGES_SHOWN ? process->image_count : IMAGES_SHOWN, size;
	uint64_t others = process->images_left_out + (process->image_count - shown);
	char *text = NULL;
	FILE *out = checked(open_memstream(&text, &size));

	for (size_t i = 0; i < shown; i++) {
		autofree char *exe = names__exe(run, process->images[i].exe, full);

		fprintf(out, "%s%s", i ? " -> " : "", exe);
	}
	if (!shown)
		fputc('?', out);
	if (others)
		fprintf(out, " -> (%" PRIu64 " more)", others);
	fclose(out);
	return checked(text);
}

char *words__distribution(const struct distribution *values, uint64_t children)
{
	char *text;

	if (!children)
		return text__of("-");
	text = quantity__count_range(values->median, values->min, values->max);
	if (values->rounded)
		text__replace(&text, "~%s", text);
	return text;
}

/* As sh, bash and zsh read it: control characters as \n or in octal. */
static char *in_dollar_quotes(const char *argument)
{
	char *text = checked_calloc(4 * strlen(argument) + 4, 1), *to = stpcpy(text, "$'");

	for (; *argument; argument++) {
		if (*argument == '\n')
			to = stpcpy(to, "\\n");
		else if (iscntrl((unsigned char)*argument))
			to += sprintf(to, "\\%03o", (unsigned int)(unsigned char)*argument);
		else if (*argument == '\'' || *argument == '\\')
			to += sprintf(to, "\\%c", *argument);
		else
			*to++ = *argument;
	}
	*to = '\'';
	return text;
}

static char *in_quotes(const char *argument)
{
	char *text = checked_calloc(4 * strlen(argument) + 3, 1), *to = text;

	*to++ = '\'';
	for (; *argument; argument++) {
		if (*argument == '\'')
			to = stpcpy(to, "'\\'"); /* quotes cannot hold one */
		*to++ = *argument;
	}
	*to = '\'';
	return text;
}

static char *quoted(const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	if (*argument && !argument[strspn(argument, plain)])
		return text__of("%s", argument);
	for (const char *at = argument; *at; at++)
		if (iscntrl((unsigned char)*at))
			return in_dollar_quotes(argument);
	return in_quotes(argument);
}

char *words__command(char *const *command)
{
	size_t size;
	char *text;
	FILE *stream = checked(open_memstream(&text, &size));

	for (bool first = true; *command; command++, first = false) {
		autofree char *argument = quoted(*command);

		fprintf(stream, "%s%s", first ? "" : " ", argument);
	}
	fclose(stream);
	return checked(text);
}

char *words__operand(const char *setting, char *const *command)
{
	autofree char *typed = words__command(command);
	autofree char *text = NULL;
	autofree char *program = quoted(*command);
	const int first = (int)strlen(program);

	if (!setting)
		return quoted(typed);
	if (*setting == '-')
		text = text__of("%.*s %s%s", first, typed, setting, typed + first);
	else
		text = text__of("%s %s", setting, typed);
	return quoted(text);
}

const char *words__stack_end(enum stack_stop stop)
{
	static const char *const ends[STACK_STOP_COUNT] = {
		[STOP_CUT] = "  (more frames than are kept)",
		[STOP_ASTRAY] = "  (no frame pointer: its callers are not known)",
	};

	return ends[stop];
}
