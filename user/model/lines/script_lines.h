/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Forks by line of scripts (forktax run --lines): the line is the one that the interpreter executed when it forked,
 * LINENO of bash. Of a command over several lines that is one of its lines (docs/use/scripts.md).
 */
#ifndef FORKTAX_MODEL_LINES_SCRIPT_LINES_H
#define FORKTAX_MODEL_LINES_SCRIPT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h"

enum script_source {
	SCRIPT_FILE,
	SCRIPT_COMMANDS, /* no file: -c, or standard input */
	SCRIPT_UNKNOWN, /* the parent is no interpreter that forktax knows, or its memory could not be read */
	SCRIPT_SOURCES,
};

extern const char *const script_source_keys[SCRIPT_SOURCES];
extern const char *const script_language_keys[LANGUAGE_COUNT];

/* Whether the text of a file's lines could be read. */
enum script_text {
	SCRIPT_TEXT_UNREAD, /* nobody has tried */
	SCRIPT_TEXT_READ,
	SCRIPT_TEXT_UNSEEN, /* it was not seen which file the shell opened */
	SCRIPT_TEXT_SEVERAL, /* several files were opened by that name */
	SCRIPT_TEXT_GONE, /* no file is there now, or it cannot be read */
	SCRIPT_TEXT_CHANGED, /* another one is, or it was changed since it was opened */
	SCRIPT_TEXT_TOO_LONG, /* forktax did not read so far (base/untrusted.h); earlier lines have their texts */
	SCRIPT_TEXTS,
};

extern const char *const script_text_keys[SCRIPT_TEXTS];
extern const char *const line_certainty_keys[LINE_CERTAINTIES];

/* A file that lines are in: as it was when a shell opened it first. */
struct script_file {
	char *name; /* as the shell knows it */
	uint64_t dev, ino; /* ino 0: not known, and so is the rest */
	uint64_t size;
	uint64_t opened; /* ns since the epoch */
	bool has_others; /* other files were opened by this name, too */
	enum script_text text;
};

/* Children that one line created, which have executed the same program first. */
struct script_line {
	enum script_source source;
	enum script_language language; /* unknown if the source is */
	char *file; /* as the shell knows it; NULL unless SCRIPT_FILE */
	char *function; /* in which the line is; of make the target; NULL: in none, or not known */
	char *text; /* of the line, without blanks around it (script_line__cut()); NULL: not known */
	char *recipe; /* for resolve, not saved: the line of a recipe as make has it, likewise; NULL: it is none */
	enum line_certainty certainty;
	uint32_t line; /* 0 unless it is LINE_EXACT or LINE_BELOW */
	uint64_t source_key; /* not saved: what tells the file, or the commands, from others */
	uint32_t function_line; /* for resolve, not saved: where bash says that the function begins; 0: in none */
	uint32_t parent_exe; /* index into run.exes, or NO_EXE */
	uint32_t exec_target; /* index into run.exes; NO_EXE: they never executed a program */
	enum birth birth;
	uint64_t children;
	uint64_t unfinished; /* of these */
	uint64_t life_ns; /* from birth to end, summed up over those that have ended */
};

/* All children of the run are in one of the lines. By children, descending. */
struct script_lines {
	struct script_line *rows;
	size_t count;
	uint64_t left_out; /* children of lines that found no room */
	struct script_file *files; /* each name once */
	size_t file_count;
};

/* Is it known which line it is? */
bool script_line__is_exact(const struct script_line *line);
/* Is at least one line known? */
bool script_lines__has_known(const struct script_lines *lines);
/* Are several lines known? */
bool script_lines__are_several(const struct script_lines *lines);
/* "file:12", or "file, in a trap" where `line` is 0; to be freed. */
char *script_place__text(const char *file, uint32_t line);
/*
 * Of a line in a known file, or in commands; to be freed: "file:12 in f()", "line 3 of -c", "(no file):3",
 * "below file:12", "file, in a trap", "file, line not known", "f() of the environment".
 */
char *script_line__place(const struct script_line *line);
/* A line as rows have it, to be freed: without the blanks around it; what is too long ends with "...". */
char *script_line__cut(const char *line, size_t length);
/* The first `most` bytes of a text; if there are more, whole characters of them and "...". To be freed. */
char *script_line__beginning(const char *text, size_t most);

#endif
