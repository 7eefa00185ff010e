// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum {
	ID_DIGITS = 12, /* hexadecimal ones: ids of containers have 12 or 64, UUIDs without dashes 32 */
	NUMBER_DIGITS = 6, /* decimal ones: of a job, or seconds since the epoch; ports have 5 at most */
	UID_DIGITS = 32, /* of a pod */
};

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

/*
 * The length of a text that has the form of `pattern`: h: a hexadecimal digit, 9: a decimal one, -: a dash, or what
 * stands for it; all else as it is. 0: it has not.
 */
static size_t form_length(const char *text, const char *pattern)
{
	const char *at = text;

	for (; *pattern; pattern++) {
		if (*pattern == '-' && !strncmp(at, "\\x2d", 4))
			at += 4; /* as systemd writes it */
		else if (*pattern == 'h' ? isxdigit((unsigned char)*at) :
			 *pattern == '9' ? isdigit((unsigned char)*at) :
			 *pattern == '-' ? *at == '-' || *at == '_' || *at == ':' : *at == *pattern)
			at++;
		else
			return 0;
	}
	return (size_t)(at - text);
}

/* Which is part of a longer word otherwise. */
static bool is_end(const char *text)
{
	return !*text || strchr("-_.:@", *text) || !strncmp(text, "\\x2d", 4);
}

static size_t uuid_length(const char *text)
{
	return form_length(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
}

/* Words may consist of letters from a to f, too: a decimal digit is in it. */
static size_t id_length(const char *text)
{
	const size_t length = strspn(text, "0123456789abcdef");

	return length >= ID_DIGITS && strcspn(text, "0123456789") < length ? length : 0;
}

static size_t number_length(const char *text)
{
	const size_t length = strspn(text, "0123456789");

	return length >= NUMBER_DIGITS ? length : 0;
}

/* 20261129, 2026-11-29, with a time: T0900, T09:00:00Z, -0900, _09-00. */
static size_t date_length(const char *text)
{
	static const char *const dates[] = { "9999-99-99", "99999999" };
	static const char *const times[] = { "99-99-99", "99-99", "999999", "9999" };
	size_t length = 0, time = 0;

	if (strncmp(text, "19", 2) && strncmp(text, "20", 2))
		return 0;
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]) && !length; i++)
		length = form_length(text, dates[i]);
	for (size_t i = 0; length && strchr("T-_", text[length]) && text[length] && i < 4 && !time; i++)
		time = form_length(text + length + 1, times[i]);
	if (!time)
		return length;
	length += 1 + time;
	return length + (text[length] == 'Z');
}

/* What tells one of many from the others, whatever is before or behind it. 0: it is none. */
static size_t instance_length(const char *text)
{
	size_t (*const kinds[])(const char *) = { uuid_length, date_length, id_length, number_length };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const size_t length = kinds[i](text);

		if (length && is_end(text + length))
			return length;
	}
	return 0;
}

/* Without instances and what divides them from the rest. To be freed. */
static char *without_instances(const char *name)
{
	char *kept = checked_calloc(strlen(name) + 1, 1);
	size_t length = 0, skipped;

	for (const char *at = name; *at;) {
		const bool begins = at == name || strchr("-_.:@", at[-1]);
		const bool begins_escaped = at - name >= 4 && !strncmp(at - 4, "\\x2d", 4);

		skipped = begins || begins_escaped ? instance_length(at) : 0;
		if (!skipped) {
			kept[length++] = *at++;
			continue;
		}
		at += skipped;
		if (length >= 4 && !strncmp(kept + length - 4, "\\x2d", 4))
			length -= 4;
		else if (length && strchr("-_.:", kept[length - 1]))
			length--;
		else if (!length && *at)
			at++;
		kept[length] = '\0';
	}
	kept[length] = '\0';
	return kept;
}

static bool is_number(const char *text, size_t length)
{
	return length && strspn(text, "0123456789") >= length;
}

/*
 * Is this the number of a unit that somebody made for a moment? "-12", "-u12", "-p12-i34" or "-c2" in the name of a
 * transient unit; "job-12" and the like in any. In others a number is part of the name: postgresql-15.service.
 */
static bool is_moment(const char *name, size_t before, const char *tail, size_t length, bool is_transient)
{
	static const char *const words[] = { "job", "step", "task" };

	if (is_transient && length > 1 && strchr("rupic", *tail))
		return is_number(tail + 1, length - 1) || id_length(tail + 1) == length - 1;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		is_transient |= before >= strlen(words[i]) &&
				!strncmp(name + before - strlen(words[i]), words[i], strlen(words[i]));
	return is_transient && is_number(tail, length);
}

/* The length of what is left of a name without such numbers at its end. */
static size_t without_moments(const char *name, size_t length, bool is_transient)
{
	for (;;) {
		size_t before = length;

		while (before && !strchr("-_", name[before - 1]))
			before--;
		if (before < 2 || !is_moment(name, before - 1, name + before, length - before, is_transient))
			return length;
		length = before - 1;
	}
}

/* "sshd@7-10.0.0.1:22-..." is one of many connections, "getty@tty1" is what it is. */
static size_t without_connection(const char *name, size_t length)
{
	const char *at = memchr(name, '@', length);
	size_t digits = at ? strspn(at + 1, "0123456789") : 0;

	return digits && at[1 + digits] == '-' ? (size_t)(at + 1 - name) : length;
}

/* The short id that the engines show of a container, after the name of what made it: to be freed. NULL: it is none. */
static char *container_of(const char *component)
{
	static const char *const makers[] = { "docker-", "libpod-", "nerdctl-", "cri-containerd-", "crio-" };

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		const size_t length = strlen(makers[i]);

		if (!strncmp(component, makers[i], length) && id_length(component + length))
			return text__of("%s%.*s", makers[i], ID_DIGITS, component + length);
	}
	if (!strncmp(component, "systemd-nspawn@", 15) || !strncmp(component, "lxc.payload.", 12))
		return checked_strdup(component);
	return NULL;
}

/* Whose type says nothing more. */
static bool speaks_for_itself(const char *name)
{
	static const char *const names[] = { "session", "libpod-conmon", "crio-conmon", "buildkit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static char *name_of_unit(const char *component, const char *type)
{
	const bool is_transient = !strcmp(type, "scope") || !strncmp(component, "run-", 4);
	const size_t whole = strlen(component) - strlen(type) - 1;
	autofree char *stem = text__of("%.*s", (int)without_connection(component, whole), component);
	autofree char *kept = strcmp(type, "slice") ? without_instances(stem) : checked_strdup(stem);

	kept[without_moments(kept, strlen(kept), is_transient)] = '\0';
	if (strlen(kept) < whole && speaks_for_itself(kept))
		return checked_strdup(kept);
	return text__of("%s.%s", *kept ? kept : "*", type);
}

/* "pod-" and the uid, as in kube_pod_info of kube-state-metrics: a pod has no name here. */
static char *name_of_pod(const char *path)
{
	for (const char *at = path; (at = strstr(at, "pod")); at += 3) {
		char *name;

		if (!uuid_length(at + 3) && id_length(at + 3) != UID_DIGITS)
			continue;
		name = text__of("pod-%.*s", (int)(uuid_length(at + 3) ? uuid_length(at + 3) : UID_DIGITS), at + 3);
		for (char *c = name; *c; c++)
			*c = *c == '_' ? '-' : *c;
		return name;
	}
	return NULL;
}

/* Of all pods of a class of service. */
static char *name_of_pods(const char *path)
{
	static const char *const classes[] = { "besteffort", "burstable" };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strstr(path, classes[i]))
			return text__of("kubepods-%s", classes[i]);
	return checked_strdup("kubepods");
}

/* A path in which neither systemd nor Kubernetes has named anything: what is nothing but an instance becomes a star. */
static char *name_of_path(const char *path)
{
	autofree char *copy = checked_strdup(path);
	char *rest = copy, *component, *name = checked_strdup("");

	while ((component = strsep(&rest, "/"))) {
		autofree char *kept = without_instances(component);

		kept[without_moments(kept, strlen(kept), false)] = '\0';
		if (*component)
			text__replace(&name, "%s/%s", name, *kept && !is_number(kept, strlen(kept)) ? kept : "*");
	}
	if (!*name)
		text__replace(&name, "/");
	return name;
}

/* The names of units on the way: what runs in a container, or of a user's manager, may be called like one outside. */
struct unit_way {
	char *owner, *name; /* NULL: none */
};

static void take_owner(struct unit_way *way, char *name)
{
	if (way->owner)
		text__replace(&way->owner, "%s/%s", way->owner, name);
	else
		way->owner = checked_strdup(name);
	free(name);
	free(way->name);
	way->name = NULL;
}

static void take_component(struct unit_way *way, const char *before, const char *component)
{
	const char *type = unit_type(component);
	char *container = container_of(component);

	if (!container && !strcmp(before, "docker") && id_length(component) > ID_DIGITS)
		container = text__of("docker-%.*s", ID_DIGITS, component);
	if (container) {
		take_owner(way, container);
	} else if (type && !strncmp(component, "user@", 5) && !strcmp(type, "service")) {
		take_owner(way, checked_strdup(component));
	} else if (type) {
		free(way->name);
		way->name = name_of_unit(component, type);
	}
}

char *unit_name__of(const char *path)
{
	autofree char *copy = checked_strdup(path);
	const char *before = "";
	char *rest = copy, *component, *name;
	struct unit_way way = { 0 };

	if (strstr(path, "kubepods")) {
		name = name_of_pod(path);
		return name ? name : name_of_pods(path);
	}
	while ((component = strsep(&rest, "/"))) {
		take_component(&way, before, component);
		before = component;
	}
	if (way.owner && way.name)
		name = text__of("%s/%s", way.owner, way.name);
	else if (way.owner || way.name)
		name = checked_strdup(way.owner ? way.owner : way.name);
	else
		name = name_of_path(path);
	free(way.owner);
	free(way.name);
	return name;
}
