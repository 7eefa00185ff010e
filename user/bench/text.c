// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "model/checked.h"

char *text__of(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		err(125, "out of memory");
	va_end(arguments);
	return text;
}

int text__wrong(char **reason, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(reason, format, arguments) < 0)
		err(125, "cannot report an error");
	va_end(arguments);
	return -1;
}

void text__free_list(char *const *texts)
{
	for (size_t i = 0; texts && texts[i]; i++)
		free(texts[i]);
	free((void *)texts);
}
