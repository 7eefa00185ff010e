// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "format/escape.h"
#include "format/html/html_page.h"

enum { WIDTH_WITHOUT_TERMINAL = 80 };

/* A browser breaks lines itself. */
static bool flows(const struct table_output *output)
{
	return output->style == TABLE_HTML;
}

unsigned int wrap__width(const struct table_output *output)
{
	return output->width ? output->width : WIDTH_WITHOUT_TERMINAL;
}

/* Where the paragraph stands. */
struct wrapped_line {
	const struct table_output *output;
	unsigned int hang, column;
	bool is_empty; /* nothing but its indentation so far */
};

static void indent_to(struct wrapped_line *line, unsigned int column)
{
	unsigned int missing = column > line->column ? column - line->column : 0;

	line->column += fprintf(line->output->stream, "%*s", (int)missing, "");
}

static void add_word(struct wrapped_line *line, char *word)
{
	size_t width = escape__width(word);

	if (!line->is_empty && !flows(line->output) && line->column + 1 + width > wrap__width(line->output)) {
		putc('\n', line->output->stream);
		line->column = 0;
		line->is_empty = true;
	}
	if (line->is_empty)
		indent_to(line, line->hang);
	else
		line->column += fprintf(line->output->stream, " ") > 0;
	fputs(word, line->output->stream);
	line->column += width;
	line->is_empty = false;
}

static bool is_number(const char *word)
{
	const size_t length = strlen(word);

	return length && strspn(word, "0123456789.") == length && word[length - 1] != '.';
}

/* The next word of a text. A number and what it counts are one: no line ends between them. */
static char *next_word(char **rest)
{
	char *word = strsep(rest, " ");

	if (word && *rest && **rest && **rest != ' ' && is_number(word)) {
		(*rest)[-1] = ' ';
		strsep(rest, " ");
	}
	return word;
}

void wrap__print(const char *label, const char *text, unsigned int indent, unsigned int hang,
		 const struct table_output *output)
{
	struct wrapped_line line = { .output = output, .hang = flows(output) ? 0 : hang };
	autofree char *start = table_output__safe(output, label);
	autofree char *words = table_output__safe(output, text);
	char *rest = words, *word;

	if (*start) {
		indent_to(&line, flows(output) ? 0 : indent);
		fputs(start, output->stream);
		line.column += escape__width(start);
	}
	line.is_empty = line.column < line.hang || !*start; /* a long label is a word of the text */
	while ((word = next_word(&rest)))
		if (*word)
			add_word(&line, word);
	putc('\n', output->stream);
}

void wrap__labelled(const char *label, char *text, const struct table_output *output)
{
	wrap__print(label, text, 0, label ? strlen(label) + 1 : 0, output);
	free(text);
}

void wrap__paragraph(const char *label, char *text, const struct table_output *output)
{
	wrap__labelled(label, text, output);
	wrap__separate(output);
}

/* Broken between words as a paragraph is; each line is bold by itself, as pagers want it. */
static void print_bold(const char *title, const struct table_output *output)
{
	struct table_output kept = *output;
	char *text = NULL, *rest, *line;
	size_t size;

	kept.stream = checked(open_memstream(&text, &size));
	wrap__print(NULL, title, 0, 0, &kept);
	fclose(kept.stream);
	rest = text;
	while ((line = strsep(&rest, "\n")) && *line)
		fprintf(output->stream, "\033[1m%s\033[0m\n", line);
	free(text);
}

void wrap__title(const char *title, const struct table_output *output)
{
	if (output->page) {
		html_page__heading(output->page, title);
	} else if (output->colour) {
		print_bold(title, output);
	} else {
		wrap__print(NULL, title, 0, 0, output);
	}
}

static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };

char *bar__text(double share, unsigned int columns, bool utf8)
{
	double length = share > 0 ? (share < 1 ? share : 1) * columns : 0; /* NAN is not above 0 */
	unsigned int steps = length * (utf8 ? 8 : 1) + 0.5;
	char *text = checked(malloc(columns * strlen(eighths[8]) + 1)), *end = text;

	*end = '\0';
	for (; steps >= 8 && utf8; steps -= 8)
		end = stpcpy(end, eighths[8]);
	if (utf8)
		strcpy(end, eighths[steps]);
	for (; steps && !utf8; steps--)
		end = stpcpy(end, "#");
	return text;
}

void wrap__cut_line(const char *text, const struct table_output *output)
{
	static const char mark[] = "...";
	autofree char *safe = table_output__safe(output, text);
	size_t length = 0, used = 0, kept = 0, columns;

	while (safe[length] && (!output->width || used <= output->width)) {
		if (used + strlen(mark) <= output->width)
			kept = length;
		length += escape__character(safe + length, &columns);
		used += columns;
	}
	if (!output->width || used <= output->width)
		fprintf(output->stream, "%s\n", safe);
	else
		fprintf(output->stream, "%.*s%s\n", (int)kept, safe, mark);
}

void wrap__command(const char *command, unsigned int indent, const struct table_output *output)
{
	struct table_output picture = picture__begin(output);
	autofree char *safe = table_output__safe(&picture, command);

	fprintf(picture.stream, "%*s%s\n", (int)indent, "", safe);
	picture__end(output);
}
