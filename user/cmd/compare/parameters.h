/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parameters of commands, as hyperfine has them: {NAME} in a command, or in a hook, stands for each value
 * of the parameter NAME in turn.
 */
#ifndef FORKTAX_CMD_COMPARE_PARAMETERS_H
#define FORKTAX_CMD_COMPARE_PARAMETERS_H

#include "cmd/options/row.h"
#include "measure/command/command_hooks.h"

struct parameter {
	char *name;
	char **values; /* NULL ends them */
	size_t count;
};

/* All of the command line. */
struct parameters {
	struct parameter *list;
	size_t count;
};

/* struct parameters: two words, VAR VALUES, which add one. */
extern const struct option_type option_parameter;
void parameters__free(struct parameters *parameters); /* its contents */

/* A word of the command line, and hooks, with values in the place of parameters. */
struct instance {
	char *word;
	char *hooks[HOOK_COUNT]; /* NULL: none */
	char *label; /* "n=1"; NULL: no parameter occurs */
};

/*
 * All instances of these words, to be freed by instances__free(). Of a word there is one for each
 * combination of the values of those parameters that occur in it or in a hook; the first parameter, and
 * before it the word, changes fastest.
 */
struct instance *parameters__instances(const struct parameters *parameters, char *const *words,
				       size_t word_count, const char *const hooks[HOOK_COUNT],
				       size_t *count);
void instances__free(struct instance *instances, size_t count);
/* A parameter that occurs nowhere; NULL: there is none. */
const struct parameter *parameters__unused(const struct parameters *parameters, char *const *words,
					   size_t word_count, const char *const hooks[HOOK_COUNT]);

#endif
