// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the lines of scripts: schema forktax/1. */
#include "base/text.h"
#include "model/run/run_fields.h"

static const struct words source_words = WORDS_OF(script_source_keys);
static const struct words language_words = WORDS_OF(script_language_keys);
static const struct words certainty_words = WORDS_OF(line_certainty_keys);
static const struct words text_words = WORDS_OF(script_text_keys);

/* Documents of older versions have only traps without a line. */
static void complete_line(void *self)
{
	struct script_line *line = self;

	if (!line->line && line->certainty == LINE_EXACT)
		line->certainty = line->source == SCRIPT_UNKNOWN ? LINE_UNSURE : LINE_IN_TRAP;
}

static char *line_law(const struct scope *scope)
{
	const struct script_line *line = scope->self;

	if ((line->source == SCRIPT_FILE) != !!line->file)
		return text__of("\"source\" and \"file\" of a line of a script contradict each other");
	return line->unfinished > line->children
		       ? text__of("a line of a script has more unfinished children than children")
		       : NULL;
}

#define S struct script_line
static const struct field script_line_fields[] = {
	KEY("source", source, source_words,
	    .note = "file; commands: of -c, or of standard input; unknown: of no interpreter that forktax knows, or it "
		    "could not be read"),
	KEY("language", language, language_words, .note = "of the script; unknown if its source is"),
	TEXT("file", file, NULLABLE, .note = "as the shell knows it; null: none"),
	TEXT("function", function, NULLABLE, .note = "of make the target; null: in none, or unknown"),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, recipe) },
	KEY("certainty", certainty, certainty_words, .optional = true,
	    .note = "exact; below: in a text that this line evaluates; in a trap; of the environment: in a function "
		    "from there; unsure: it is not known, or the interpreter's number may be another line's"),
	INTEGER("line", line, 0, UINT32_MAX, .note = "0 unless it is exact, or below"),
	TEXT("text", text, NULLABLE, .note = "of the line, without blanks around it; null: not known"),
	INDEX("parent_exe", parent_exe, run__exes, NULLABLE, .note = "index into exes"),
	INDEX("fate_exe", exec_target, run__exes, NULLABLE,
	      .note = "index into exes: the first program that the children executed; null: none"),
	KEY("birth", birth, birth_words),
	COUNT("children", children),
	COUNT("unfinished", unfinished, .note = "of these"),
	COUNT("life_ns", life_ns, .note = "from birth to end, the sum over those that have ended"),
};
static const struct shape script_line_shape = SHAPE_OF(script_line, .law = line_law, .complete = complete_line,
	.note = "children that one line of a script created, which executed the same program first");
#undef S

#define S struct script_file
static const struct field script_file_fields[] = {
	TEXT("name", name, .note = "as the shell knows it"),
	IDENTITY("dev", dev, .note = "of the file that a shell opened by that name"),
	IDENTITY("ino", ino, .note = "0: not seen"),
	COUNT("size", size, .note = "bytes, when it was opened first"),
	COUNT("opened", opened, .note = "then; nanoseconds since the epoch"),
	BOOL("has_others", has_others, .note = "other files were opened by that name, too"),
	KEY("text", text, text_words,
	    .note = "read: rows have the text of their lines; unseen: which file it was; gone: no file is there, or it "
		    "cannot be read; changed: since a shell opened it; too long: the last lines were not read"),
};
static const struct shape script_file_shape = SHAPE_OF(script_file, .note = "a file that lines of scripts are in");
#undef S

#define S struct script_lines
static const struct field script_lines_fields[] = {
	LIST("rows", rows, count, script_line_shape, .lines = true),
	COUNT("left_out", left_out, .note = "children of lines that found no room"),
	LIST("files", files, file_count, script_file_shape, .lines = true),
};
const struct shape script_lines_shape = SHAPE_OF(script_lines,
	.note = "children by the line of the script that created them (--lines)");
#undef S
