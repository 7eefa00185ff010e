// SPDX-License-Identifier: GPL-2.0-or-later
/* The causes of a start's time, the most expensive first. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/start/start_causes.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/causes_table.h"
#include "report/start/start_report.h"

static uint64_t libraries_of(const struct start *start)
{
	uint64_t count = 0;

	for (size_t i = 0; i < start->object_count; i++)
		count += start->objects[i].role == START_IS_LIBRARY;
	return count;
}

static char *words_of_libraries(const struct start *start)
{
	const uint64_t count = libraries_of(start);

	return count ? text__of("ld.so finds and maps %s", quantity__count(count, "library", "libraries").text)
		     : text__of("ld.so finds and maps libraries");
}

static char *words_of_files(const struct start_cause *cause)
{
	if (!cause->named)
		return text__of("calls for files");
	if (cause->count == 1)
		return text__of("calls for the file %s", cause->named);
	return text__of("calls for %" PRIu64 " files, such as %s", cause->count, cause->named);
}

static char *words_of(const struct run *run, const struct start_cause *cause)
{
	static const char *const words[] = {
		[START_BY_EXEC] = "the kernel executes the program",
		[START_BY_LOCALE] = "locales and character sets are read",
		[START_BY_NAMES] = "users, groups or hosts are looked up",
		[START_BY_MEMORY] = "memory is requested and given back",
		[START_BY_SIGNALS] = "signal actions are set",
		[START_BY_CHILDREN] = "processes or threads are created and waited for",
		[START_BY_CALLS] = "other system calls",
		[START_BY_LDSO] = "faults of ld.so: it links the libraries",
		[START_BY_FILLS] = "first use of new memory (filled with zeros)",
		[START_BY_FAULTS] = "other page faults",
	};

	switch (cause->kind) {
	case START_BY_LIBRARIES:
		return words_of_libraries(run->start);
	case START_BY_FILES:
		return words_of_files(cause);
	case START_BY_COPIES:
		return causes_table__object(run, cause->object, "writes to data of ", " (pages are copied)");
	case START_BY_MAPS:
		return causes_table__object(run, cause->object, "code and constants of ", " are mapped");
	default:
		return text__of("%s", words[cause->kind]);
	}
}

void report__print_start_causes(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	const uint64_t end = run->start->marks.end;
	struct start_causes causes = start_causes__of(run);
	struct causes_table table = {
		.title = text__of("Causes of the time until it %s, as traced", start_words__end(run->start)),
		.whole_ns = end == ABSENT ? 0 : (double)end,
	};

	for (size_t i = 0; i < causes.count; i++)
		causes_table__add(&table, causes.list[i].ns > 0 ? causes.list[i].ns : NAN, causes.list[i].calls,
				  causes.list[i].faults, words_of(run, &causes.list[i]));
	causes_table__show(&table, "code between calls and faults is in it", options, output);
	start_causes__free(&causes);
}
