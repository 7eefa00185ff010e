// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/words/errno_names.h"

#include <string.h>

static const struct {
	int number;
	const char *name;
} errors[] = {
#define ERRNO(number, name) { number, #name },
#include "errno_names.def"
#undef ERRNO
};

const char *errno_name(int number)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].number == number)
			return errors[i].name;
	return NULL;
}

int errno_number(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strncmp(errors[i].name, name, length) && !errors[i].name[length])
			return errors[i].number;
	return 0;
}
