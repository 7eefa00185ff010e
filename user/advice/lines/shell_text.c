// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/shell_text.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Longer, deeper or larger lines are not understood. */
enum { LENGTH_MOST = 4096, DEPTH_MOST = 8, PARTS_MOST = 500 };

struct shell_memory {
	struct shell_memory *next;
};

/* A function that returns NULL or false has set `failed`, or found nothing. */
struct reader {
	struct shell_text *text;
	const char *at, *end;
	int depth, parts;
	bool failed;
};

static void *fail(struct reader *reader)
{
	reader->failed = true;
	reader->at = reader->end;
	return NULL;
}

static void *make(struct reader *reader, size_t size)
{
	struct shell_memory *memory = checked_calloc(1, sizeof(*memory) + size);

	memory->next = reader->text->memory;
	reader->text->memory = memory;
	if (++reader->parts > PARTS_MOST)
		fail(reader);
	return memory + 1;
}

static char peek(const struct reader *reader)
{
	return reader->at < reader->end ? *reader->at : '\0';
}

static bool is_next(const struct reader *reader, const char *text)
{
	const size_t length = strlen(text);

	return (size_t)(reader->end - reader->at) >= length && !memcmp(reader->at, text, length);
}

static void skip_blanks(struct reader *reader)
{
	while (peek(reader) == ' ' || peek(reader) == '\t')
		reader->at++;
}

static bool is_metacharacter(char c)
{
	return !c || strchr(" \t;&|<>()", c);
}

static struct shell_list *read_list(struct reader *reader, char closer);

/* Of "(...": to behind its end. */
static struct shell_list *read_enclosed(struct reader *reader)
{
	struct shell_list *list;

	if (++reader->depth > DEPTH_MOST)
		return fail(reader);
	list = read_list(reader, ')');
	reader->depth--;
	if (peek(reader) != ')')
		return fail(reader);
	reader->at++;
	return list;
}

/* bash looks for the end of "`...`" before it reads what is inside. */
static struct shell_list *read_backquoted(struct reader *reader)
{
	const char *end = reader->end, *close = memchr(reader->at, '`', (size_t)(end - reader->at));
	struct shell_list *list;

	if (!close || memchr(reader->at, '\\', (size_t)(close - reader->at)) || ++reader->depth > DEPTH_MOST)
		return fail(reader);
	reader->end = close;
	list = read_list(reader, '\0');
	reader->depth--;
	if (reader->failed)
		return NULL;
	reader->at = close + 1;
	reader->end = end;
	return list;
}

static void add_substitution(struct reader *reader, struct shell_word *word, const char *begin,
			     enum shell_substitution_kind kind, struct shell_list *list)
{
	struct shell_substitution *one = make(reader, sizeof(*one)), **last = &word->inside;

	while (*last)
		last = &(*last)->next;
	*last = one;
	one->span = (struct shell_span){ begin, (size_t)(reader->at - begin) };
	one->kind = kind;
	one->list = list;
}

/* "${...}" and "$((...))": nothing in them may be a command. Without quotes the parentheses are those that count. */
static void skip_balanced(struct reader *reader, char open, char close)
{
	int depth = 0;

	for (; reader->at < reader->end; reader->at++) {
		if (*reader->at == '\\' && open == '{' && reader->at + 1 < reader->end) {
			reader->at++;
			continue;
		}
		if (strchr("\"'\\`;", *reader->at) || (*reader->at == '$' && reader->at + 1 < reader->end &&
						     (reader->at[1] == '(' || reader->at[1] == '\'')))
			break;
		depth += *reader->at == open;
		if (*reader->at == close && !--depth) {
			reader->at++;
			return;
		}
	}
	fail(reader);
}

static void skip_arithmetic(struct reader *reader)
{
	reader->at++;
	skip_balanced(reader, '(', ')');
	if (!reader->failed && (reader->at[-2] != ')' || reader->at[-1] != ')'))
		fail(reader); /* a subshell in a command substitution */
}

/* ${name...}, not the ${ commands; } of bash 5.3. */
static void skip_parameter(struct reader *reader)
{
	reader->at++;
	if (!reader->failed && reader->at + 1 < reader->end && strchr(" \t|", reader->at[1]))
		fail(reader);
	else
		skip_balanced(reader, '{', '}');
}

static void skip_ansi(struct reader *reader)
{
	for (reader->at += 2; reader->at < reader->end; reader->at++) {
		if (*reader->at == '\'') {
			reader->at++;
			return;
		}
		reader->at += *reader->at == '\\';
	}
	fail(reader);
}

static void read_dollar(struct reader *reader, struct shell_word *word, bool is_quoted)
{
	const char *begin = reader->at;
	struct shell_list *list;

	if (is_next(reader, "$((")) {
		skip_arithmetic(reader);
	} else if (is_next(reader, "$(")) {
		reader->at += 2;
		list = read_enclosed(reader);
		add_substitution(reader, word, begin, SHELL_COMMAND, list);
	} else if (is_next(reader, "${")) {
		skip_parameter(reader);
	} else if (!is_quoted && is_next(reader, "$'")) {
		skip_ansi(reader);
	} else if ((!is_quoted && is_next(reader, "$\"")) || is_next(reader, "$[")) {
		fail(reader);
	} else {
		reader->at++;
	}
}

static void read_backquote(struct reader *reader, struct shell_word *word)
{
	const char *begin = reader->at++;
	struct shell_list *list = read_backquoted(reader);

	if (!reader->failed)
		add_substitution(reader, word, begin, SHELL_COMMAND, list);
}

static void read_double_quotes(struct reader *reader, struct shell_word *word)
{
	for (reader->at++; peek(reader) && peek(reader) != '"';) {
		if (peek(reader) == '\\')
			reader->at += reader->at + 1 < reader->end ? 2 : 1;
		else if (peek(reader) == '$')
			read_dollar(reader, word, true);
		else if (peek(reader) == '`')
			read_backquote(reader, word);
		else
			reader->at++;
	}
	if (peek(reader) != '"')
		fail(reader);
	else
		reader->at++;
}

static void skip_single_quotes(struct reader *reader)
{
	const char *close = memchr(reader->at + 1, '\'', (size_t)(reader->end - reader->at - 1));

	if (close)
		reader->at = close + 1;
	else
		fail(reader);
}

static void skip_escaped(struct reader *reader)
{
	if (reader->at + 1 < reader->end)
		reader->at += 2;
	else
		fail(reader); /* the command goes on in the next line */
}

static void read_process_substitution(struct reader *reader, struct shell_word *word)
{
	const char *begin = reader->at;
	struct shell_list *list;

	reader->at += 2;
	list = read_enclosed(reader);
	add_substitution(reader, word, begin, SHELL_PROCESS, list);
}

static void read_part_of_word(struct reader *reader, struct shell_word *word)
{
	switch (*reader->at) {
	case '\'': skip_single_quotes(reader); break;
	case '"': read_double_quotes(reader, word); break;
	case '\\': skip_escaped(reader); break;
	case '$': read_dollar(reader, word, false); break;
	case '`': read_backquote(reader, word); break;
	default: reader->at++;
	}
}

static struct shell_word *read_word(struct reader *reader)
{
	struct shell_word *word = make(reader, sizeof(*word));
	const char *begin = reader->at;

	if (is_next(reader, "<(") || is_next(reader, ">("))
		read_process_substitution(reader, word);
	while (!is_metacharacter(peek(reader)))
		read_part_of_word(reader, word);
	word->span = (struct shell_span){ begin, (size_t)(reader->at - begin) };
	if (reader->at == begin || peek(reader) == '(' || is_next(reader, "<(") || is_next(reader, ">("))
		return fail(reader);
	return reader->failed ? NULL : word;
}

static void append_word(struct shell_word **list, struct shell_word *word)
{
	while (*list)
		list = &(*list)->next;
	*list = word;
}

static bool is_number(struct shell_span span)
{
	for (size_t i = 0; i < span.length; i++)
		if (!isdigit((unsigned char)span.at[i]))
			return false;
	return span.length > 0;
}

/* Behind the number that may be before it. */
static bool is_redirection(const struct reader *reader)
{
	return !is_next(reader, "<(") && !is_next(reader, ">(") &&
	       (peek(reader) == '<' || peek(reader) == '>' || is_next(reader, "&>"));
}

static void read_redirection(struct reader *reader, struct shell_command *command, const char *begin)
{
	static const char *const operators[] = {
		"<<<", "<<-", "<<", "&>>", "&>", ">>", ">|", "<>", ">&", "<&", "<", ">"
	};
	struct shell_redirection *one = make(reader, sizeof(*one)), **last = &command->redirections;
	size_t number = 0;

	while (number < sizeof(operators) / sizeof(*operators) - 1 && !is_next(reader, operators[number]))
		number++;
	reader->at += strlen(operators[number]);
	skip_blanks(reader);
	one->is_input = !strcmp(operators[number], "<");
	one->is_here = !strncmp(operators[number], "<<", 2) && strcmp(operators[number], "<<<");
	one->target = read_word(reader);
	one->span = (struct shell_span){ begin, (size_t)(reader->at - begin) };
	while (*last)
		last = &(*last)->next;
	*last = one;
}

/* name=value, name+=value; arrays and their elements are not understood. */
static bool is_assignment(struct reader *reader, struct shell_span span)
{
	size_t i = 0;

	while (i < span.length && (isalpha((unsigned char)span.at[i]) || span.at[i] == '_' ||
				   (i && isdigit((unsigned char)span.at[i]))))
		i++;
	if (i && i < span.length && span.at[i] == '[')
		fail(reader);
	return i && i < span.length &&
	       (span.at[i] == '=' || (span.at[i] == '+' && i + 1 < span.length && span.at[i + 1] == '='));
}

static bool is_one_of(struct shell_span span, const char *const *list)
{
	while (*list && !shell_span__is(span, *list))
		list++;
	return *list;
}

/* What may precede a command, end a compound one, or begins one that is not understood. */
static const char *const openers[] = { "if", "then", "else", "elif", "while", "until", "do", "{", "!", NULL };
static const char *const testers[] = { "if", "elif", "while", "until", "!", NULL };
static const char *const closers[] = { "fi", "done", "}", NULL };
static const char *const unknown[] = { "case", "esac", "select", "function", "time", "coproc", "[[", "in", NULL };

/* The words of a simple command, its redirections and assignments, up to an operator. */
static void read_words(struct reader *reader, struct shell_command *command, bool takes_words)
{
	for (skip_blanks(reader); !reader->failed; skip_blanks(reader)) {
		const char *begin = reader->at;
		struct shell_word *word;

		if (is_redirection(reader)) {
			read_redirection(reader, command, begin);
			continue;
		}
		if (peek(reader) == '#' ||
		    (is_metacharacter(peek(reader)) && !is_next(reader, "<(") && !is_next(reader, ">(")))
			return;
		word = read_word(reader);
		if (!word)
			return;
		if (is_number(word->span) && (peek(reader) == '<' || peek(reader) == '>') && is_redirection(reader))
			read_redirection(reader, command, begin);
		else if (!takes_words)
			fail(reader);
		else if (!command->words && !command->is_words && is_assignment(reader, word->span))
			append_word(&command->assignments, word);
		else
			append_word(&command->words, word);
	}
}

/* Behind "for": name [in words]. */
static void read_for(struct reader *reader, struct shell_command *command)
{
	struct shell_word *name;

	skip_blanks(reader);
	name = read_word(reader);
	skip_blanks(reader);
	command->is_words = true;
	command->name = name;
	if (name && is_next(reader, "in") && reader->at + 2 < reader->end && is_metacharacter(reader->at[2])) {
		reader->at += 2;
		read_words(reader, command, true);
	}
	if (peek(reader) != ';' && peek(reader))
		fail(reader);
}

/* Nothing may be piped to or from what ends here: its commands were executed by a child then. */
static void read_closed(struct reader *reader, struct shell_command *command)
{
	command->is_words = true;
	read_words(reader, command, false);
	if (peek(reader) == '|' && !is_next(reader, "||"))
		fail(reader);
	if (peek(reader) == '&' && !is_next(reader, "&&"))
		fail(reader);
}

/* The first word, which is there. Returns false if it was only a word before a command. */
static bool read_first_word(struct reader *reader, struct shell_command *command, bool is_piped_to)
{
	const char *begin = reader->at;
	struct shell_word *word;

	if (is_redirection(reader)) {
		read_words(reader, command, true);
		return true;
	}
	word = read_word(reader);
	if (!word)
		return true;
	if (is_one_of(word->span, unknown) || (is_piped_to && (is_one_of(word->span, openers) ||
							     is_one_of(word->span, closers) ||
							     shell_span__is(word->span, "for")))) {
		fail(reader);
	} else if (shell_span__is(word->span, "!") && reader->depth) {
		fail(reader); /* a child that would execute its last command itself does not do so then */
	} else if (is_one_of(word->span, openers)) {
		command->is_tested |= is_one_of(word->span, testers);
		return false;
	} else if (is_one_of(word->span, closers)) {
		read_closed(reader, command);
	} else if (shell_span__is(word->span, "for")) {
		read_for(reader, command);
	} else {
		reader->at = begin;
		read_words(reader, command, true);
	}
	return true;
}

static bool is_end(const struct reader *reader, char closer)
{
	return reader->failed || !peek(reader) || peek(reader) == '#' || (closer && peek(reader) == closer);
}

/* NULL: only words that may precede a command are left. */
static struct shell_command *read_command(struct reader *reader, char closer, bool is_piped_to)
{
	struct shell_command *command = make(reader, sizeof(*command));
	const char *begin;

	do {
		skip_blanks(reader);
		begin = reader->at;
		if (is_end(reader, closer))
			return NULL;
		if (is_next(reader, "(("))
			return fail(reader);
		if (peek(reader) == '(') {
			reader->at++;
			command->subshell = read_enclosed(reader);
			command->subshell_length = (size_t)(reader->at - begin);
			read_words(reader, command, false);
			break;
		}
	} while (!read_first_word(reader, command, is_piped_to) && !reader->failed);
	command->span = (struct shell_span){ begin, (size_t)(reader->at - begin) };
	while (command->span.length && strchr(" \t", begin[command->span.length - 1]))
		command->span.length--;
	return command->span.length || reader->failed ? command : fail(reader);
}

static struct shell_pipeline *read_pipeline(struct reader *reader, char closer)
{
	struct shell_pipeline *pipeline = make(reader, sizeof(*pipeline));
	struct shell_command **last = &pipeline->commands;

	for (;;) {
		*last = read_command(reader, closer, pipeline->count);
		if (!*last || reader->failed)
			break;
		pipeline->count++;
		if (peek(reader) != '|' || is_next(reader, "||") || is_next(reader, "|&"))
			break;
		if ((*last)->is_words)
			return fail(reader);
		reader->at++;
		last = &(*last)->next;
	}
	if (pipeline->count && !*last && pipeline->commands)
		return fail(reader); /* the pipeline goes on in the next line */
	return pipeline;
}

/* Its exit status is that of the pipeline, which has commands. */
static struct shell_command *last_of(const struct shell_pipeline *pipeline)
{
	struct shell_command *last = pipeline->commands;

	while (last->next)
		last = last->next;
	return last;
}

/* Behind a pipeline. Returns false at the end of the list. */
static bool read_operator(struct reader *reader, char closer, struct shell_pipeline *pipeline)
{
	skip_blanks(reader);
	if (is_end(reader, closer))
		return false;
	if (is_next(reader, ";;") || !strchr(";&|", peek(reader)) || !pipeline->count) {
		fail(reader);
		return false;
	}
	if (is_next(reader, "&&") || is_next(reader, "||")) {
		reader->at += 2;
		last_of(pipeline)->is_tested = true;
		skip_blanks(reader);
		if (is_end(reader, closer))
			fail(reader);
		return true;
	}
	if (is_next(reader, "|")) { /* "|&" */
		fail(reader);
		return false;
	}
	pipeline->is_background = *reader->at++ == '&';
	return true;
}

static struct shell_list *read_list(struct reader *reader, char closer)
{
	struct shell_list *list = make(reader, sizeof(*list));
	struct shell_pipeline **last = &list->first, *pipeline;

	do {
		skip_blanks(reader);
		if (is_end(reader, closer))
			break;
		pipeline = read_pipeline(reader, closer);
		if (reader->failed)
			return NULL;
		if (pipeline->count) {
			*last = pipeline;
			last = &pipeline->next;
		}
	} while (read_operator(reader, closer, pipeline));
	if (closer && peek(reader) == '#')
		return fail(reader); /* the closer is in the comment */
	return list;
}

struct shell_text *shell_text__read(const char *line)
{
	struct shell_text *text = checked_calloc(1, sizeof(*text));
	struct reader reader = { .text = text };

	if (strlen(line) <= LENGTH_MOST && !strchr(line, '\n')) {
		text->line = checked_strdup(line);
		reader.at = text->line;
		reader.end = text->line + strlen(line);
		text->list = read_list(&reader, '\0');
	}
	if (text->list && !reader.failed)
		return text;
	shell_text__free(text);
	return NULL;
}

void shell_text__free(struct shell_text *text)
{
	while (text && text->memory) {
		struct shell_memory *next = text->memory->next;

		free(text->memory);
		text->memory = next;
	}
	if (text)
		free(text->line);
	free(text);
}

bool shell_span__is(struct shell_span span, const char *text)
{
	return strlen(text) == span.length && !memcmp(span.at, text, span.length);
}

char *shell_span__copy(struct shell_span span)
{
	return text__of("%.*s", (int)span.length, span.at);
}

size_t shell_word__count(const struct shell_word *words)
{
	size_t count = 0;

	for (; words; words = words->next)
		count++;
	return count;
}
