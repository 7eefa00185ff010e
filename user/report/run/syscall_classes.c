// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/syscall_classes.h"

#include <string.h>

#include "base/text.h"

static const struct syscall_class syscall_classes[] = {
#define CLASS(name, calls) { name, calls },
#include "report/run/syscall_classes.def"
#undef CLASS
};
static const size_t syscall_class_count = sizeof(syscall_classes) / sizeof(syscall_classes[0]);

const struct syscall_class *syscall_class__find(const char *name)
{
	for (size_t i = 0; i < syscall_class_count; i++)
		if (!strcmp(name, syscall_classes[i].name))
			return &syscall_classes[i];
	return NULL;
}

bool syscall_class__has(const struct syscall_class *class, const char *call)
{
	return text__lists(class->calls, call, strlen(call));
}

bool syscall_classes__know(const char *call)
{
	for (size_t i = 0; i < syscall_class_count; i++)
		if (syscall_class__has(&syscall_classes[i], call))
			return true;
	return false;
}
