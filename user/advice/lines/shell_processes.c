// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/shell_processes.h"

#include <ctype.h>
#include <string.h>

struct counting {
	shell_program_fn *is_program;
	const void *context;
	struct shell_processes *processes;
	bool unknown;
};

/* Who executes a command. */
enum executor {
	BY_SHELL, /* a shell that goes on: programs get a child */
	BY_CHILD, /* a child that has nothing else to do */
	BY_SUBSTITUTION, /* one of $( ), which executes a program itself only if nothing is redirected */
};

/* Commands that create processes for others, or change what later ones do. */
static const char *const opaque[] = { ".", "source", "eval", "command", "builtin", "trap", "enable", "alias",
				      "mapfile", "readarray", "fc", "complete", "compgen", NULL };

static const char *const builtins[] = {
	":", "[", "alias", "bg", "bind", "break", "cd", "continue", "declare", "dirs", "disown", "echo", "exit",
	"export", "false", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout",
	"popd", "printf", "pushd", "pwd", "read", "readonly", "return", "set", "shift", "shopt", "suspend", "test",
	"times", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait", NULL
};

static bool is_one_of(struct shell_span span, const char *const *list)
{
	while (*list && !shell_span__is(span, *list))
		list++;
	return *list;
}

bool shell_command__is_builtin(struct shell_span name)
{
	return is_one_of(name, builtins) || is_one_of(name, opaque);
}

static bool is_plain(struct shell_span span)
{
	for (size_t i = 0; i < span.length; i++)
		if (!isalnum((unsigned char)span.at[i]) && !strchr("_./+-:[", span.at[i]))
			return false;
	return span.length > 0;
}

static bool is_exec(const struct shell_command *command)
{
	return command->words && !command->is_words && shell_span__is(command->words->span, "exec");
}

struct shell_span shell_command__name(const struct shell_command *command)
{
	const struct shell_word *word = command->is_words ? NULL : command->words;

	if (word && is_exec(command))
		word = word->next;
	return word ? word->span : (struct shell_span){ 0 };
}

static void add_program(struct counting *counting, struct shell_span name)
{
	struct shell_processes *processes = counting->processes;
	size_t i = 0;

	while (i < processes->program_count && (processes->programs[i].name.length != name.length ||
						memcmp(processes->programs[i].name.at, name.at, name.length)))
		i++;
	if (i == LINE_PROGRAMS_MOST) {
		counting->unknown = true;
		return;
	}
	if (i == processes->program_count)
		processes->programs[processes->program_count++].name = name;
	processes->programs[i].times++;
}

static void count_list(struct counting *counting, const struct shell_list *list, enum executor executor);

/* "$(<file)" is read by the shell itself. */
static bool is_reading(const struct shell_substitution *substitution)
{
	const struct shell_pipeline *only = substitution->list->first;
	const struct shell_command *command = only ? only->commands : NULL;

	return substitution->kind == SHELL_COMMAND && command && !only->next && only->count == 1 && !command->words &&
	       !command->assignments && !command->subshell && command->redirections && !command->redirections->next &&
	       command->redirections->is_input && !only->is_background;
}

static void count_words(struct counting *counting, const struct shell_word *word)
{
	for (; word; word = word->next)
		for (const struct shell_substitution *one = word->inside; one; one = one->next) {
			if (is_reading(one)) {
				count_words(counting, one->list->first->commands->redirections->target);
				continue;
			}
			counting->processes->all++;
			count_list(counting, one->list, one->kind == SHELL_COMMAND ? BY_SUBSTITUTION : BY_CHILD);
		}
}

/* Its child, if it has none yet, has been added. */
static void count_simple(struct counting *counting, const struct shell_command *command, enum executor executor)
{
	const struct shell_span name = shell_command__name(command);
	const bool is_direct = executor == BY_CHILD || is_exec(command) ||
			       (executor == BY_SUBSTITUTION && !command->redirections);

	if (!name.length) { /* "exec 3<file" changes descriptors */
		counting->processes->no_exec += executor != BY_SHELL;
	} else if (!is_plain(name) || is_one_of(name, opaque) || (is_exec(command) && executor == BY_SHELL)) {
		counting->unknown = true;
	} else if (!is_one_of(name, builtins) && counting->is_program(counting->context, name)) {
		counting->processes->all += !is_direct;
		counting->processes->no_exec += executor == BY_SUBSTITUTION && !is_direct;
		add_program(counting, name);
	} else if (is_exec(command)) {
		counting->unknown = true;
	} else {
		counting->processes->no_exec += executor != BY_SHELL;
	}
}

static void count_substitutions(struct counting *counting, const struct shell_command *command)
{
	count_words(counting, command->assignments);
	count_words(counting, command->words);
	for (const struct shell_redirection *one = command->redirections; one; one = one->next)
		count_words(counting, one->target);
}

/* In a child of its own that has been added if `executor` is BY_CHILD. */
static void count_command(struct counting *counting, const struct shell_command *command, enum executor executor)
{
	count_substitutions(counting, command);
	if (!command->subshell) {
		count_simple(counting, command, executor);
		return;
	}
	if (executor != BY_CHILD)
		counting->processes->all++;
	if (executor == BY_SUBSTITUTION)
		counting->processes->no_exec++;
	count_list(counting, command->subshell, BY_CHILD);
}

static void count_pipeline(struct counting *counting, const struct shell_pipeline *pipeline, enum executor executor)
{
	const bool has_children = pipeline->count > 1 || pipeline->is_background;

	if (has_children && executor != BY_SHELL)
		counting->processes->no_exec++; /* the shell waits for them */
	for (const struct shell_command *one = pipeline->commands; one; one = one->next) {
		counting->processes->all += has_children;
		count_command(counting, one, has_children ? BY_CHILD : executor);
	}
}

/* Whoever executes the list executes its last command itself, if that is a program. */
static void count_list(struct counting *counting, const struct shell_list *list, enum executor executor)
{
	if (!list->first && executor != BY_SHELL)
		counting->processes->no_exec++;
	for (const struct shell_pipeline *one = list->first; one; one = one->next)
		count_pipeline(counting, one, one->next ? BY_SHELL : executor);
}

bool shell_processes__of(const struct shell_text *text, shell_program_fn *is_program, const void *context,
			 struct shell_processes *processes)
{
	struct counting counting = { is_program, context, processes, false };

	*processes = (struct shell_processes){ 0 };
	count_list(&counting, text->list, BY_SHELL);
	return !counting.unknown;
}
