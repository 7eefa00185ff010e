// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/search_list.h"

#include <string.h>

#include "base/text.h"

/* Directories by their paths, which do not end with NUL. */
struct slice {
	const char *text;
	size_t length;
};

/* NULL: it is not set. */
static const char *variable_of(const struct start_subject *subject)
{
	static const char name[] = "LD_LIBRARY_PATH=";

	for (char *const *entry = subject->environment; *entry; entry++)
		if (!strncmp(*entry, name, strlen(name)))
			return *entry + strlen(name);
	return NULL;
}

bool search_list__is_known(const struct start_subject *subject)
{
	const char *variable = subject->environment ? variable_of(subject) : NULL;

	return subject->environment && (!variable || !strchr(variable, '$')); /* $ORIGIN, $LIB, $PLATFORM */
}

static bool is(struct slice span, const char *text)
{
	return span.length == strlen(text) && !memcmp(span.text, text, span.length);
}

static struct slice last_of(struct slice path)
{
	struct slice last = path;

	for (size_t i = 0; i < path.length; i++)
		if (path.text[i] == '/')
			last = (struct slice){ path.text + i + 1, path.length - i - 1 };
	return last;
}

/* Without its last part, and without slashes at the end. */
static struct slice parent_of(struct slice path)
{
	path.length -= last_of(path).length;
	while (path.length > 1 && path.text[path.length - 1] == '/')
		path.length--;
	return path;
}

/* ld.so tries these under each directory: of this CPU, by the rules of glibc since and before 2.33. */
static bool is_for_cpu(struct slice name)
{
	static const char *const names[] = { "glibc-hwcaps", "x86-64-v2", "x86-64-v3", "x86-64-v4", "tls",
					     "haswell", "xeon_phi", "avx512_1", "x86_64", "i686" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is(name, names[i]))
			return true;
	return false;
}

/* The directory as it stands in a list. */
static struct slice directory_of(const struct start_call *call)
{
	struct slice path = { call->path, strlen(call->path) };

	if (call->reason == REASON_SEARCH || text__names_library(call->path))
		path = parent_of(path);
	while (is_for_cpu(last_of(path)))
		path = parent_of(path);
	return path;
}

static bool is_in_variable(const char *variable, struct slice directory)
{
	while (variable) {
		const char *end = variable + strcspn(variable, ":;");
		struct slice entry = { variable, end - variable };

		while (entry.length > 1 && entry.text[entry.length - 1] == '/')
			entry.length--;
		if (entry.length == directory.length && !memcmp(entry.text, directory.text, entry.length))
			return true;
		variable = *end ? end + 1 : NULL;
	}
	return false;
}

/* Those of glibc and musl; Debian's are named after the machine, such as x86_64-linux-gnu. */
static bool is_of_system(struct slice directory)
{
	static const char *const names[] = { "/lib", "/lib64", "/lib32", "/libx32", "/usr/lib", "/usr/lib64",
					     "/usr/lib32", "/usr/libx32", "/usr/local/lib" };
	const struct slice last = last_of(directory);

	for (size_t i = 0; i + 6 <= last.length; i++)
		if (!memcmp(last.text + i, "-linux", 6)) {
			directory = parent_of(directory);
			break;
		}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is(directory, names[i]))
			return true;
	return false;
}

enum search_list search_list__of(const struct start_subject *subject, const struct start_call *call)
{
	const struct slice directory = directory_of(call);

	if (is_in_variable(variable_of(subject), directory))
		return SEARCH_OF_VARIABLE;
	return is_of_system(directory) ? SEARCH_OF_SYSTEM : SEARCH_OF_FILES;
}
