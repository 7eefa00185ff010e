// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

/* The length of a value: up to a comma without a backslash before it. */
static size_t value_length(const char *values)
{
	size_t length = 0;

	while (values[length] && values[length] != ',')
		length += values[length] == '\\' && values[length + 1] == ',' ? 2 : 1;
	return length;
}

/* A value without the backslashes before its commas. */
static char *copy_value(const char *value, size_t length)
{
	char *copy = checked_calloc(length + 1, 1);
	size_t size = 0;

	for (size_t i = 0; i < length; i++) {
		if (value[i] == '\\' && i + 1 < length && value[i + 1] == ',')
			continue;
		copy[size++] = value[i];
	}
	return copy;
}

static void add_values(struct parameter *parameter, const char *values)
{
	for (;;) {
		size_t length = value_length(values);

		parameter->values = checked_grow(parameter->values, parameter->count,
						 sizeof(*parameter->values));
		parameter->values[parameter->count++] = copy_value(values, length);
		if (!values[length])
			break;
		values += length + 1;
	}
}

/* The argument is VAR=VALUES. */
static int take_parameter(const struct option_row *row, void *field, const char *argument,
			  char **reason)
{
	struct parameters *parameters = field;
	const char *end = strchr(argument, '=');
	struct parameter parameter = { 0 };
	size_t length = end ? (size_t)(end - argument) : 0;

	if (!length || strcspn(argument, "{} ") < length)
		return error__set(reason, "needs a name and its values, as in -L n 1,2,3");
	parameter.name = text__of("%.*s", (int)length, argument);
	for (size_t i = 0; i < parameters->count; i++) {
		if (strcmp(parameters->list[i].name, parameter.name) != 0)
			continue;
		free(parameter.name);
		return error__set(reason, "this parameter has values already");
	}
	add_values(&parameter, end + 1);
	parameters->list = checked_grow(parameters->list, parameters->count,
					sizeof(*parameters->list));
	parameters->list[parameters->count++] = parameter;
	return 0;
}

const struct option_type option_parameter = {
	.completes = "text",
	.takes_two = true,
	.take = take_parameter,
};

void parameters__free(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->count; i++) {
		for (size_t k = 0; k < parameters->list[i].count; k++)
			free(parameters->list[i].values[k]);
		free(parameters->list[i].values);
		free(parameters->list[i].name);
	}
	free(parameters->list);
	*parameters = (struct parameters){ 0 };
}

/* The parameter whose {NAME} begins here; NULL: none does. */
static const struct parameter *find_at(const struct parameters *parameters, const char *text)
{
	for (size_t i = 0; i < parameters->count && *text == '{'; i++) {
		const struct parameter *parameter = &parameters->list[i];
		size_t length = strlen(parameter->name);

		if (!strncmp(text + 1, parameter->name, length) && text[1 + length] == '}')
			return parameter;
	}
	return NULL;
}

/* The text with the values of this combination; to be freed. */
static char *replace(const struct parameters *parameters, const size_t *chosen, const char *text)
{
	char *result = checked_strdup("");

	while (*text) {
		const struct parameter *parameter = find_at(parameters, text);
		size_t plain = parameter ? 0 : 1 + strcspn(text + 1, "{");

		if (parameter) {
			text__replace(&result, "%s%s", result,
				      parameter->values[chosen[parameter - parameters->list]]);
			text += strlen(parameter->name) + 2;
		} else {
			text__replace(&result, "%s%.*s", result, (int)plain, text);
			text += plain;
		}
	}
	return result;
}

static bool occurs(const struct parameters *parameters, const struct parameter *parameter,
		   const char *text)
{
	for (; text && *text; text++) {
		if (find_at(parameters, text) == parameter)
			return true;
	}
	return false;
}

static bool occurs_with(const struct parameters *parameters, const struct parameter *parameter,
			const char *word, const char *const hooks[HOOK_COUNT])
{
	bool found = occurs(parameters, parameter, word);

	for (int hook = 0; hook < HOOK_COUNT; hook++)
		found |= occurs(parameters, parameter, hooks[hook]);
	return found;
}

const struct parameter *parameters__unused(const struct parameters *parameters, char *const *words,
					   size_t word_count, const char *const hooks[HOOK_COUNT])
{
	for (size_t i = 0; i < parameters->count; i++) {
		bool found = false;

		for (size_t k = 0; k < word_count; k++)
			found |= occurs_with(parameters, &parameters->list[i], words[k], hooks);
		if (!found)
			return &parameters->list[i];
	}
	return NULL;
}

/* "n=1 mode=fast", of those that occur; to be freed. NULL: none does. */
static char *label_of(const struct parameters *parameters, const size_t *chosen, const char *word,
		      const char *const hooks[HOOK_COUNT])
{
	char *label = NULL;

	for (size_t i = 0; i < parameters->count; i++) {
		const struct parameter *parameter = &parameters->list[i];

		if (occurs_with(parameters, parameter, word, hooks))
			text__replace(&label, "%s%s%s=%s", label ? label : "", label ? " " : "",
				      parameter->name, parameter->values[chosen[i]]);
	}
	return label;
}

/* The next combination, the first parameter first. False: that was the last one. */
static bool choose_next(const struct parameters *parameters, size_t *chosen)
{
	for (size_t i = 0; i < parameters->count; i++) {
		if (++chosen[i] < parameters->list[i].count)
			return true;
		chosen[i] = 0;
	}
	return false;
}

/* Does only the first value of what does not occur stand in this combination? */
static bool is_for(const struct parameters *parameters, const size_t *chosen, const char *word,
		   const char *const hooks[HOOK_COUNT])
{
	for (size_t i = 0; i < parameters->count; i++) {
		if (chosen[i] && !occurs_with(parameters, &parameters->list[i], word, hooks))
			return false;
	}
	return true;
}

/* Where several commands have parameters, the program says which one it is. */
static void name_program(struct instance *instance)
{
	int length = (int)strcspn(instance->word, " \t");
	autofree char *program = text__of("%.*s", length, instance->word);

	if (instance->label)
		text__replace(&instance->label, "%s %s", text__file_name(program), instance->label);
}

static struct instance new_instance(const struct parameters *parameters, const size_t *chosen,
				    const char *word, const char *const hooks[HOOK_COUNT])
{
	struct instance instance = {
		.word = replace(parameters, chosen, word),
		.label = label_of(parameters, chosen, word, hooks),
	};

	for (int hook = 0; hook < HOOK_COUNT; hook++)
		instance.hooks[hook] = hooks[hook] ? replace(parameters, chosen, hooks[hook]) : NULL;
	return instance;
}

struct instance *parameters__instances(const struct parameters *parameters, char *const *words,
				       size_t word_count, const char *const hooks[HOOK_COUNT],
				       size_t *count)
{
	autofree size_t *chosen = checked_calloc(parameters->count + 1, sizeof(*chosen));
	struct instance *instances = NULL;

	*count = 0;
	do {
		for (size_t i = 0; i < word_count; i++) {
			if (!is_for(parameters, chosen, words[i], hooks))
				continue;
			instances = checked_grow(instances, *count, sizeof(*instances));
			instances[*count] = new_instance(parameters, chosen, words[i], hooks);
			if (word_count > 1)
				name_program(&instances[*count]);
			++*count;
		}
	} while (choose_next(parameters, chosen));
	return instances;
}

void instances__free(struct instance *instances, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (int hook = 0; hook < HOOK_COUNT; hook++)
			free(instances[i].hooks[hook]);
		free(instances[i].word);
		free(instances[i].label);
	}
	free(instances);
}
