// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/errno_names.h"

#include <stddef.h>

const char *errno_name(int number)
{
	switch (number) {
#define ERRNO(value, name)                                                                         \
	case value:                                                                                \
		return #name;
#include "errno_names.def"
#undef ERRNO
	default:
		return NULL;
	}
}
