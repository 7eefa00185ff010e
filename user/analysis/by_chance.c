// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/by_chance.h"

#include "base/text.h"

static const char *const calls[] = {
#define CALL(name) name,
#define ERROR(name)
#include "analysis/scheduled.def"
#undef CALL
#undef ERROR
	NULL
};

static const char *const errors[] = {
#define CALL(name)
#define ERROR(name) name,
#include "analysis/scheduled.def"
#undef CALL
#undef ERROR
	NULL
};

bool by_chance__call(const char *name)
{
	return text__is_any(name, calls);
}

bool by_chance__error(const char *name)
{
	return text__is_any(name, errors);
}

bool by_chance__class(enum fault_class class)
{
	return class != FAULT_FILE_COW && class != FAULT_ZERO_FILL;
}
