// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "launch/gate.h"
#include "launch/launch.h"
#include "launch/refusal.h"

static int print_split_error(const char *name, int error, const char *line, const char *remedy)
{
	switch (error) {
	case WRDE_BADCHAR:
	case WRDE_CMDSUB:
		return print_error(name, EXIT_USAGE,
				   "\"%s\" needs a shell (one of | & ; < > ( ) { } $( ` or a "
				   "newline stands unquoted): quote it, or use %s",
				   line, remedy);
	case WRDE_NOSPACE:
		return print_error(name, EXIT_FORKTAX, "out of memory");
	default:
		return print_error(name, EXIT_USAGE, "\"%s\": a quote is not closed", line);
	}
}

int split_command(const char *name, const char *line, const char *remedy, char ***words)
{
	wordexp_t expanded;
	int error = wordexp(line, &expanded, WRDE_NOCMD);

	if (error)
		return print_split_error(name, error, line, remedy);
	*words = expanded.we_wordc ? text__copy_list(expanded.we_wordv) : NULL;
	wordfree(&expanded);
	return *words ? 0 : print_error(name, EXIT_USAGE, "an empty command");
}

/* Length of the name of a variable. */
static size_t name_length(const char *text)
{
	return isdigit((unsigned char)*text) ? 0 : strspn(text, "_abcdefghijklmnopqrstuvwxyz"
								"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
}

static bool begins_setting(const char *line)
{
	const size_t length = name_length(line);

	return length && line[length] == '=';
}

static void put_variable(const char *name, size_t length, FILE *text)
{
	autofree char *variable = text__of("%.*s", (int)length, name);
	const char *value = getenv(variable);

	fputs(value ? value : "", text);
}

/* $NAME or ${NAME}, or a dollar that means itself. Moves `at` to its last character. Returns 0 or WRDE_BADCHAR. */
static int take_variable(const char **at, FILE *text)
{
	const bool braced = (*at)[1] == '{';
	const char *name = *at + 1 + braced;
	const size_t length = name_length(name);

	if (braced ? !length || name[length] != '}' : (*at)[1] == '(')
		return WRDE_BADCHAR;
	if (length)
		put_variable(name, length, text);
	else
		putc('$', text);
	*at += length + 2 * braced;
	return 0;
}

/* Does a tilde here stand for the home directory? */
static bool is_home(const char *at)
{
	return *at == '~' && (at[-1] == '=' || at[-1] == ':') && (!at[1] || strchr("/: \t", at[1]));
}

/* Does this character begin a quotation, or end the one that `quote` begins? Notes it there. */
static bool turns_quote(char character, char *quote)
{
	if (*quote ? character != *quote : character != '\'' && character != '"')
		return false;
	*quote = *quote ? '\0' : character;
	return true;
}

static bool ends_setting(char character, char quote)
{
	return !character || (!quote && strchr(" \t", character));
}

/* One character of a value. Moves `at` to its last byte. Returns 0 or WRDE_BADCHAR. */
static int take_character(const char **at, char *quote, FILE *text)
{
	const char character = **at;

	if (turns_quote(character, quote))
		return 0;
	if (*quote == '\'') {
		putc(character, text);
	} else if (character == '\\' && (*at)[1] && (!*quote || strchr("$`\"\\", (*at)[1]))) {
		putc(*++*at, text);
	} else if (character == '$') {
		return take_variable(at, text);
	} else if (character == '`' || (!*quote && strchr("|&;<>()\n", character))) {
		return WRDE_BADCHAR;
	} else if (!*quote && is_home(*at)) {
		put_variable("HOME", strlen("HOME"), text);
	} else {
		putc(character, text);
	}
	return 0;
}

/* A setting, up to the blank that ends it. Returns 0 or a reason of wordexp(3). */
static int take_setting(const char **line, FILE *text)
{
	const size_t length = name_length(*line) + 1;
	char quote = '\0';
	int error = 0;

	fwrite(*line, 1, length, text);
	for (*line += length; !error && !ends_setting(**line, quote); ++*line)
		error = take_character(line, &quote, text);
	return error ? error : quote ? WRDE_SYNTAX : 0;
}

int take_settings(const char *name, const char **line, const char *remedy, char ***settings)
{
	const char *const whole = *line;
	size_t count = 0;
	int error = 0;

	*settings = NULL;
	*line += strspn(*line, " \t");
	while (!error && begins_setting(*line)) {
		char *setting = NULL;
		size_t size;
		FILE *text = open_memstream(&setting, &size);

		error = text ? take_setting(line, text) : WRDE_NOSPACE;
		if (text)
			fclose(text);
		*settings = checked_grow(*settings, count + 1, sizeof(**settings));
		(*settings)[count++] = setting;
		(*settings)[count] = NULL;
		*line += strspn(*line, " \t");
	}
	if (!error)
		return 0;
	text__free_list(*settings);
	*settings = NULL;
	return print_split_error(name, error, whole, remedy);
}

size_t settings__length(const char *line)
{
	const char *at = line;
	char quote = '\0';

	while (begins_setting(at)) {
		for (; !ends_setting(*at, quote); at++)
			turns_quote(*at, &quote);
		at += strspn(at, " \t");
	}
	return (size_t)(at - line);
}

int complain_missing(const char *name, const char *word, int why)
{
	autofree char *reason = refusal__text(word, why);

	return print_error(name, why == ENOENT ? EXIT_MISSING : EXIT_REFUSED, "%s", reason);
}

int find_command(const char *name, const char *word, char **path)
{
	*path = gate__find(word);
	return *path ? 0 : complain_missing(name, word, errno);
}

void warn_of_layout(const char *name, const char *word)
{
	autofree char *path = gate__find(word);

	if (path && launch__gains_rights(path))
		print_error(name, 0, "warning: the kernel ignores --no-aslr for %s, which gains rights when it is "
			    "executed (set-user-ID or the like)", word);
}
