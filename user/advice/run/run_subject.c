// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_subject.h"

#include <string.h>

#include "base/quantity.h"
#include "base/text.h"

double run_subject__wall(const struct run_subject *subject, const struct bill_row *row)
{
	return bill__untraced(row, subject->scale, row->wall_ns);
}

double run_subject__untraced(const struct run_subject *subject, double traced_ns)
{
	return traced_ns * subject->wall_ns / (double)subject->run->bill->wall_ns;
}

double run_subject__busy(const struct run_subject *subject)
{
	const struct bill_row *ready = run_subject__row(subject, BILL_READY, NO_EXE, false);

	return subject->wall_ns - (ready ? run_subject__wall(subject, ready) : 0);
}

const struct bill_row *run_subject__row(const struct run_subject *subject, enum bill_kind kind, uint32_t exe,
					bool executed)
{
	const struct bill *bill = subject->run->bill;

	for (size_t i = 0; i < bill->count; i++)
		if (bill->rows[i].kind == kind && bill->rows[i].exe == exe && bill->rows[i].executed == executed)
			return &bill->rows[i];
	return NULL;
}

double run_subject__path(const struct run_subject *subject, double ns)
{
	return ns / (double)subject->path->wall_ns * subject->wall_ns;
}

char *run_subject__share(const struct run_subject *subject, double ns)
{
	return text__of("%s of the %s", quantity__time(ns).text, quantity__time(subject->wall_ns).text);
}

const char *run_subject__name(const struct run_subject *subject, uint32_t exe)
{
	const char *path = exe < subject->run->exe_count ? exe__name(&subject->run->exes[exe]) : NULL;

	return path ? text__file_name(path) : "a program";
}

bool run_subject__names_shell(const char *name)
{
	static const char *const shells[] = { "bash", "dash", "sh", "zsh", "ksh", "ksh93", "mksh", "ash", NULL };

	return text__is_any(name, shells);
}

bool run_subject__is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	const bool is_root = *directory == '/' && strspn(directory, "/") == length;

	while (length && directory[length - 1] == '/')
		length--;
	if (!length)
		return is_root && *path == '/';
	return !strncmp(path, directory, length) && (!path[length] || path[length] == '/');
}

bool run_subject__is_argument(const struct run_subject *subject, const char *path)
{
	for (size_t i = 1; i < subject->run->command_count; i++)
		if (run_subject__is_below(path, subject->run->command[i]))
			return true;
	return false;
}

bool run_subject__has_plain_name(const char *entry)
{
	static const char letters[] = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	const size_t length = strspn(entry, letters);

	return length && !(*entry >= '0' && *entry <= '9') && entry[length] == '=';
}

const char *run_subject__variable(const struct run_subject *subject, const char *name)
{
	const size_t length = strlen(name);

	for (char *const *entry = subject->environment; entry && *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}
