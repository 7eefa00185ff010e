/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Saved documents as text: read, written, and damaged.
 */
#ifndef FORKTAX_UNIT_RUN_TEXT_H
#define FORKTAX_UNIT_RUN_TEXT_H

#include "unit.h"

#include "model/run/run.h"
#include "saved/saved.h"

/* Why the first `size` bytes of the text are refused, to be freed; NULL: they are not. */
static inline char *read_document(const char *text, size_t size, struct saved *what)
{
	FILE *stream = fmemopen((void *)text, size ? size : 1, "r");
	char *reason = NULL;
	int result;

	if (!size)
		fgetc(stream);
	result = saved__read(stream, what, &reason);
	assert_int_equal(result, reason ? -1 : 0);
	fclose(stream);
	return reason;
}

/* What is saved of it, to be freed. */
static inline char *document_of(enum saved_family family, const void *subject)
{
	char *text;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	assert_int_equal(saved__write(family, subject, stream), 0);
	fclose(stream);
	return text;
}

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

/* The saved run tests/golden/NAME.json. */
static inline struct run *read_golden(const char *name)
{
	char path[4096], *text;
	struct run *run;

	snprintf(path, sizeof(path), GOLDEN "/%s.json", name);
	text = slurp(path);
	run = read_text(text);
	free(text);
	return run;
}

static inline char *written(const struct run *run)
{
	return document_of(SAVED_RUN, run);
}

/* The first `length` bytes are no saved document; the reason is one line and holds `expected`. */
static inline void assert_refused(const char *text, size_t length, const char *expected)
{
	struct saved what;
	char *reason = read_document(text, length, &what);

	saved__free(&what);
	assert_non_null(reason);
	assert_null(strchr(reason, '\n'));
	if (!strstr(reason, expected))
		fail_msg("the reason is \"%s\", without \"%s\"", reason, expected);
	free(reason);
}

/* `to` instead of the first `from`, and what is said of it then. "A ... B" is the first B behind the first A. */
struct damage {
	const char *from, *to, *reason;
};

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The text with the first such damage behind `at`, to be freed. */
static inline char *with_damage(const char *text, const char *at, const struct damage *damage)
{
	const char *gap = strstr(damage->from, " ... "), *from = gap ? gap + strlen(" ... ") : damage->from;
	char *after = gap ? strndup(damage->from, gap - damage->from) : strdup("");
	char *damaged;

	at = strstr(at, after);
	at = at ? strstr(at, from) : NULL;
	if (!at)
		fail_msg("there is no %s", damage->from);
	assert_true(asprintf(&damaged, "%.*s%s%s", (int)(at - text), text, damage->to, at + strlen(from)) > 0);
	free(after);
	return damaged;
}

/* A document that is otherwise good; damages are behind `begin`. */
static inline void refuse_damages_of(const char *text, const char *begin, const struct damage *damages, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct damage *damage = &damages[i];
		char *damaged = with_damage(text, begin, damage);

		assert_refused(damaged, strlen(damaged), damage->reason);
		free(damaged);
	}
}

/* The same of a file; behind the first `after` in it. */
static inline void refuse_damages(const char *file, const char *after, const struct damage *damages, size_t count)
{
	char *text = slurp(file);

	refuse_damages_of(text, strstr(text, after), damages, count);
	free(text);
}

/*
 * A byte changed anywhere may still give a good document; it must never give a crash, nor one without its
 * parts. Tries every `step`th byte from `start`.
 */
static inline void change_bytes(char *text, size_t start, size_t step)
{
	static const char replacements[] = { '\0', '9', '"', '}', '\x80', '-' };
	size_t length = strlen(text);

	for (size_t i = start; i < length; i += step) {
		char kept = text[i], *reason;
		struct saved what;

		text[i] = replacements[i % sizeof(replacements)];
		reason = read_document(text, length, &what);
		assert_true(reason || saved__subject(&what));
		saved__free(&what);
		free(reason);
		text[i] = kept;
	}
}

#endif
