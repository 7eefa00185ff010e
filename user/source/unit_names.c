// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum { RANDOM_DIGITS = 12 }; /* hexadecimal ones: ids of containers have 12 or 64, UUIDs 32 */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}

/* "scope" of "session-1.scope"; NULL: it is no unit that has processes. */
static const char *unit_type(const char *component)
{
	static const char *const types[] = { ".service", ".scope", ".slice" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (ends_with(component, types[i]))
			return types[i] + 1;
	return NULL;
}

/* Hexadecimal digits, in groups as a UUID has them or in one. */
static bool is_random(const char *text, size_t length)
{
	size_t digits = 0;
	bool decimal = false; /* words may consist of letters from a to f, too */

	for (size_t i = 0; i < length; i++) {
		decimal |= isdigit((unsigned char)text[i]);
		if (isxdigit((unsigned char)text[i]))
			digits++;
		else if (text[i] != '-' && text[i] != '_')
			return false;
	}
	return decimal && digits >= RANDOM_DIGITS;
}

static bool is_number(const char *text, size_t length)
{
	return length && strspn(text, "0123456789") >= length;
}

/*
 * Does a name end with what tells instances apart? That is "-0a1b..." in any name, and "-12", "-r0a1b...", "-u12",
 * "-p12-i34" or "-c2" in that of a `transient` unit. In others a number is part of the name: postgresql-15.service.
 */
static bool is_instance(const char *text, size_t length, bool transient)
{
	if (is_random(text, length) || !transient)
		return is_random(text, length);
	if (length > 1 && strchr("rupic", *text))
		return is_number(text + 1, length - 1) || is_random(text + 1, length - 1);
	return is_number(text, length);
}

/* Cuts instances off the end of a name of `length`. Returns what is left. */
static size_t without_instances(const char *name, size_t length, bool transient)
{
	for (;;) {
		const char *dash = memrchr(name, '-', length);
		size_t tail = dash ? length - (size_t)(dash + 1 - name) : 0;

		if (!dash || dash == name || !is_instance(dash + 1, tail, transient))
			return length;
		length = (size_t)(dash - name);
	}
}

/* "sshd@7-10.0.0.1:22-..." is one of many connections, "getty@tty1" is what it is. */
static size_t without_connection(const char *name, size_t length)
{
	const char *at = memchr(name, '@', length);
	size_t digits = at ? strspn(at + 1, "0123456789") : 0;

	return digits && at[1 + digits] == '-' ? (size_t)(at + 1 - name) : length;
}

/* Whose type says nothing more: a container, or a session. */
static bool speaks_for_itself(const char *name, size_t length)
{
	static const char *const names[] = { "session", "docker", "libpod", "libpod-conmon", "crio", "crio-conmon",
					     "cri-containerd", "nerdctl", "buildkit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == length && !strncmp(name, names[i], length))
			return true;
	return false;
}

static char *name_of_unit(const char *component, const char *type)
{
	const bool transient = !strcmp(type, "scope") || !strncmp(component, "run-", 4);
	const size_t whole = strlen(component) - strlen(type) - 1;
	const size_t length = without_instances(component, without_connection(component, whole), transient);

	if (length < whole && speaks_for_itself(component, length))
		return text__of("%.*s", (int)length, component);
	return text__of("%.*s.%s", (int)length, component, type);
}

/* Of all pods of a class of service: a pod has no name here, only a uid. */
static char *name_of_pods(const char *path)
{
	static const char *const classes[] = { "besteffort", "burstable" };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strstr(path, classes[i]))
			return text__of("kubepods-%s", classes[i]);
	return checked_strdup("kubepods");
}

/* A path in which neither systemd nor Kubernetes has named anything: random components become a star. */
static char *name_of_path(const char *path)
{
	autofree char *copy = checked_strdup(path);
	char *rest = copy, *component, *name = checked_strdup("");

	while ((component = strsep(&rest, "/"))) {
		const char *kept = is_random(component, strlen(component)) ? "*" : component;

		if (*component)
			text__replace(&name, "%s/%s", name, kept);
	}
	if (!*name)
		text__replace(&name, "/");
	if (!strcmp(name, "/docker/*"))
		text__replace(&name, "docker");
	return name;
}

char *unit_name__of(const char *path)
{
	autofree char *copy = checked_strdup(path);
	char *rest = copy, *component, *manager = NULL, *name = NULL;

	if (strstr(path, "kubepods"))
		return name_of_pods(path);
	while ((component = strsep(&rest, "/"))) {
		const char *type = unit_type(component);

		if (!type)
			continue;
		if (!strncmp(component, "user@", 5) && !strcmp(type, "service") && !manager)
			manager = component;
		free(name);
		name = name_of_unit(component, type);
	}
	if (!name)
		return name_of_path(path);
	/* What the manager of a user runs may be called like a unit of the system. */
	if (manager && strcmp(name, manager))
		text__replace(&name, "%s/%s", manager, name);
	return name;
}
