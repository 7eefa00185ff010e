// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/line_check.h"

#include <ctype.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"

enum { RECIPE_COMPARED = 990 }; /* bytes: the kernel half has read no more of a longer line */
enum { LINES_OF_HEAD = 3 }; /* "name()" may stand so many lines above its "{" */

/* Line `number`, from 1; "" behind the end. */
static const char *text_of(const struct texts_of_lines *texts, uint32_t number)
{
	return number && number <= texts->count ? texts->list[number - 1] : "";
}

static const char *without_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static void be_unsure(struct script_line *line)
{
	line->certainty = LINE_UNSURE;
	line->line = 0;
}

/* Makefiles. */

static bool begins(const char *text, const char *word)
{
	const size_t length = strlen(word);

	return !strncmp(text, word, length) && !isalnum((unsigned char)text[length]);
}

/* Does the command stand there: behind a tab, or in "target: ; command"? */
static bool is_command(const char *text, const char *recipe)
{
	const char *semicolon = strchr(text, ';');
	autofree char *command = script_line__cut(text, strlen(text));
	autofree char *behind = semicolon ? script_line__cut(semicolon + 1, strlen(semicolon + 1)) : NULL;

	return !strncmp(command, recipe, RECIPE_COMPARED) || (behind && !strncmp(behind, recipe, RECIPE_COMPARED));
}

/* What make leaves out of a recipe, without ending it. */
static bool is_left_out(const char *text)
{
	static const char *const directives[] = { "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif" };

	text = without_blanks(text);
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (begins(text, directives[i]))
			return true;
	return !*text || *text == '#';
}

/* make does not count lines that it leaves out of a recipe. 0: the command does not stand below once. */
static uint32_t find_below(const struct texts_of_lines *texts, const struct script_line *line)
{
	uint32_t found = 0;

	for (uint32_t i = line->line; i <= texts->count && *texts->looks; i++) {
		const char *text = text_of(texts, i);

		--*texts->looks;
		if (*text != '\t' && !is_left_out(text))
			break;
		if (!is_command(text, line->recipe))
			continue;
		if (found)
			return 0;
		found = i;
	}
	return found;
}

static bool evaluates(const char *text)
{
	return strstr(text, "$(eval ") || strstr(text, "${eval ");
}

/* Does that command stand in a rule of the file, not in a template? Also true if too much would have to be compared. */
static bool has_rule_with(const struct texts_of_lines *texts, const char *recipe)
{
	bool in_template = false;

	if (*texts->looks < texts->count)
		return true; /* not known: it may */
	*texts->looks -= texts->count;
	for (uint32_t i = 1; i <= texts->count; i++) {
		const char *text = text_of(texts, i);

		if (*text != '\t' && begins(without_blanks(text), "define"))
			in_template = true;
		else if (*text != '\t' && begins(without_blanks(text), "endef"))
			in_template = false;
		else if (!in_template && is_command(text, recipe))
			return true;
	}
	return false;
}

/* The only line up to `last` with an eval; 0: there is none, or there are several. */
static uint32_t find_eval(const struct texts_of_lines *texts, uint32_t last)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i <= last; i++) {
		if (!evaluates(text_of(texts, i)))
			continue;
		if (found)
			return 0;
		found = i;
	}
	return found;
}

static void weigh_recipe(struct script_line *line, const struct texts_of_lines *texts)
{
	uint32_t found;

	if (is_command(text_of(texts, line->line), line->recipe))
		return;
	found = find_below(texts, line);
	if (found) {
		line->line = found;
		return;
	}
	found = has_rule_with(texts, line->recipe) ? 0 : find_eval(texts, line->line);
	if (found) {
		line->certainty = LINE_BELOW;
		line->line = found;
	} else {
		be_unsure(line);
	}
}

/* $(shell), or a variable that has one, or "!=": in that line, one that continues it, or further down in the recipe. */
static bool may_start_shell(const struct texts_of_lines *texts, uint32_t number)
{
	const char *text = text_of(texts, number);
	const bool is_recipe = *text == '\t';

	for (;;) {
		if (strchr(text, '$') || strstr(text, "!="))
			return true;
		if (!is_recipe && (!*text || text[strlen(text) - 1] != '\\'))
			return false;
		text = text_of(texts, ++number);
		if (!*text || (is_recipe && *text != '\t'))
			return false;
	}
}

/* The line may be below that of an eval, in its first line. */
static void weigh_shell(struct script_line *line, const struct texts_of_lines *texts)
{
	if (line->certainty == LINE_BELOW && evaluates(text_of(texts, line->line)))
		line->certainty = LINE_EXACT;
	else if (line->certainty == LINE_BELOW || !may_start_shell(texts, line->line))
		be_unsure(line);
}

/* Scripts of bash. */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == ':';
}

/* Does the word stand in the text before `end`? */
static bool has_word(const char *text, const char *end, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) && at < end; at++)
		if ((at == text || !is_name(at[-1])) && !is_name(at[length]))
			return true;
	return false;
}

/* "name ()", or "function name", as words of a line. */
static bool has_definition(const char *text, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at++) {
		if ((at != text && is_name(at[-1])) || is_name(at[length]))
			continue;
		if (*without_blanks(at + length) == '(' || has_word(text, at, "function"))
			return true;
	}
	return false;
}

/* Is the function defined where bash says? A function that eval made is not. */
static bool is_defined(const struct script_line *line, const struct texts_of_lines *texts)
{
	for (uint32_t i = 0; i <= LINES_OF_HEAD && i < line->function_line; i++) {
		const char *text = text_of(texts, line->function_line - i);

		if (has_definition(text, line->function))
			return !has_word(text, text + strlen(text), "eval");
	}
	return false;
}

/* Nothing that could fork stands there. */
static bool is_without_command(const char *text)
{
	text = without_blanks(text);
	return !*text || *text == '#';
}

/* bash and zsh. In a function an interactive bash counts lines from where that begins (LINENO in bash(1)). */
static void weigh_shell_line(struct script_line *line, const struct texts_of_lines *texts)
{
	if (line->function && line->function_line && !is_defined(line, texts)) {
		be_unsure(line);
		return;
	}
	if (line->function && line->line && line->line < line->function_line)
		line->line += line->function_line - 1;
	if (line->line && is_without_command(text_of(texts, line->line)))
		be_unsure(line);
}

void line_check__weigh(struct script_line *line, const struct texts_of_lines *texts)
{
	if (line->language == LANGUAGE_MAKE && !texts)
		be_unsure(line);
	else if (line->recipe)
		weigh_recipe(line, texts);
	else if (line->language == LANGUAGE_MAKE)
		weigh_shell(line, texts);
	else if (texts && (line->language == LANGUAGE_BASH || line->language == LANGUAGE_ZSH))
		weigh_shell_line(line, texts);
}
