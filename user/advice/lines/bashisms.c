// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/bashisms.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Wherever they stand. */
static const char *const parts[] = {
	"[[", "<<<", "<(", ">(", "&>", "|&", "$'", "$\"", "$[", "=(", "+=", "==", "=~", "[@]", "[*]", "**", "++",
	"((--", "--))", "${!", "%q", "%(", "printf -v", "type -", "wait -n", "export -", "set -E", "set -o", "set +o",
	"echo -", "BASH", "EPOCH", "PIPESTATUS", "FUNCNAME",
};

/* Commands and variables: as whole words. What . and eval execute is not known. */
static const char *const words[] = {
	".", "source", "eval", "function", "declare", "typeset", "select", "coproc", "let", "shopt", "alias", "pushd",
	"popd", "dirs", "mapfile", "readarray", "disown", "builtin", "enable", "caller", "compgen", "complete", "bind",
	"history", "help", "suspend", "logout", "time", "ERR", "DEBUG", "RETURN", "RANDOM", "SECONDS", "UID", "EUID",
	"GROUPS", "HOSTNAME", "HOSTTYPE", "MACHTYPE", "OSTYPE", "SHELLOPTS", "SHLVL", "DIRSTACK", "REPLY", "COPROC",
};

/* A line, not terminated. */
struct shell_line {
	const char *at, *end;
};

static const char *find(struct shell_line line, const char *text)
{
	return memmem(line.at, (size_t)(line.end - line.at), text, strlen(text));
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./-", c));
}

static bool has_word(struct shell_line line, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at; (at = find(line, word)); line.at = at + 1)
		if ((at == line.at || !is_of_word(at[-1])) && (at + length >= line.end || !is_of_word(at[length])))
			return true;
	return false;
}

/* "((" that is not of $(( )). */
static bool has_arithmetic_command(struct shell_line line)
{
	const char *begin = line.at;

	for (const char *at; (at = find(line, "((")); line.at = at + 2)
		if (at == begin || at[-1] != '$')
			return true;
	return false;
}

/* Of ${name...}: only what POSIX has may follow the name. */
static bool has_expansion(struct shell_line line)
{
	for (const char *at; (at = find(line, "${")); line.at = at) {
		at += 2;
		at += *at == '#';
		while (at < line.end && (isalnum((unsigned char)*at) || *at == '_'))
			at++;
		if (at < line.end && strchr("/^,@[", *at))
			return true;
		if (at + 1 < line.end && *at == ':' && !strchr("-=?+", at[1]))
			return true;
	}
	return false;
}

/* {a,b} and {1..9} */
static bool has_braces(struct shell_line line)
{
	for (const char *at = line.at, *end; (at = memchr(at, '{', (size_t)(line.end - at))); at++) {
		for (end = at + 1; end < line.end && !strchr(" \t;}", *end); end++)
			;
		if (end < line.end && *end == '}' && (at == line.at || at[-1] != '$') &&
		    (find((struct shell_line){ at, end }, ",") || find((struct shell_line){ at, end }, "..")))
			return true;
	}
	return false;
}

/* ">&file", which is a descriptor for other shells. */
static bool has_both_redirected(struct shell_line line)
{
	for (const char *at; (at = find(line, ">&")); line.at = at + 2)
		if (at + 2 >= line.end || !strchr("0123456789-$", at[2]))
			return true;
	return false;
}

/* Options but -r. */
static bool has_read_options(struct shell_line line)
{
	for (const char *at; (at = find(line, "read -")); line.at = at + 6)
		if (strncmp(at, "read -r ", 8) != 0)
			return true;
	return false;
}

static const char *in_line(struct shell_line line)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (find(line, parts[i]))
			return parts[i];
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (has_word(line, words[i]))
			return words[i];
	if (has_word(line, "echo") && memchr(line.at, '\\', (size_t)(line.end - line.at)))
		return "echo with a backslash";
	return has_arithmetic_command(line) ? "((" : has_expansion(line) ? "${name/}" : has_braces(line) ? "{a,b}" :
	       has_both_redirected(line) ? ">&file" : has_read_options(line) ? "read -" : NULL;
}

const char *bashism__in(const char *script)
{
	const char *found = NULL;

	for (struct shell_line line = { script, NULL }; *line.at && !found; line.at = line.end + (*line.end == '\n')) {
		line.at += strspn(line.at, " \t");
		line.end = line.at + strcspn(line.at, "\n");
		if (*line.at != '#')
			found = in_line(line);
	}
	return found;
}
