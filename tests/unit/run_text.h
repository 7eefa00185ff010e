/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Saved runs as text: read, written, and damaged.
 */
#ifndef FORKTAX_UNIT_RUN_TEXT_H
#define FORKTAX_UNIT_RUN_TEXT_H

#include "unit.h"

#include "saved/saved.h"

/* NULL and a reason if the stream has no run. */
static inline struct run *read_run(FILE *stream, char **reason)
{
	struct saved what;

	saved__read(stream, &what, reason);
	if (what.family == SAVED_RUN)
		return what.run;
	saved__free(&what);
	return NULL;
}

static inline struct run *read_text(const char *text)
{
	FILE *stream = fmemopen((void *)text, strlen(text), "r");
	char *reason;
	struct run *run = read_run(stream, &reason);

	fclose(stream);
	if (!run)
		fail_msg("not read: %s", reason);
	assert_null(reason);
	return run;
}

static inline char *written(const struct run *run)
{
	char *text;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	assert_int_equal(saved__write_run(run, stream), 0);
	fclose(stream);
	return text;
}

/* The first `length` bytes are no saved run; the reason is one line and holds `expected`. */
static inline void assert_rejected(const char *text, size_t length, const char *expected)
{
	FILE *stream = fmemopen((void *)text, length ? length : 1, "r");
	char *reason = NULL;

	if (!length)
		fgetc(stream);
	assert_null(read_run(stream, &reason));
	fclose(stream);
	assert_non_null(reason);
	assert_null(strchr(reason, '\n'));
	if (!strstr(reason, expected))
		fail_msg("the reason is \"%s\", without \"%s\"", reason, expected);
	free(reason);
}

/* As above, with `to` instead of the `from` that stands at `at`. */
static inline void assert_damage_rejected(const char *text, const char *at, const char *from,
					  const char *to, const char *expected)
{
	char *damaged;

	assert_true(asprintf(&damaged, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) >
		    0);
	assert_rejected(damaged, strlen(damaged), expected);
	free(damaged);
}

/*
 * A byte changed anywhere may still give a good run; it must never give a crash. Tries every
 * `step`th byte from `start`.
 */
static inline void change_bytes(char *text, size_t start, size_t step)
{
	static const char replacements[] = { '\0', '9', '"', '}', '\x80', '-' };
	size_t length = strlen(text);

	for (size_t i = start; i < length; i += step) {
		char original = text[i];
		FILE *stream;
		char *reason;

		text[i] = replacements[i % sizeof(replacements)];
		stream = fmemopen(text, length, "r");
		run__free(read_run(stream, &reason));
		free(reason);
		fclose(stream);
		text[i] = original;
	}
}

#endif
