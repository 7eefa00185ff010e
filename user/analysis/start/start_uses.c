// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What files of the system are used for. A path alone does not say it: anybody may read /etc/passwd, or
 * have a directory of his own that is called locale. What libraries do with the file does: how they
 * open it, what they ask beside it, and whether they map it or read it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/start/start_parts.h"
#include "base/text.h"

/* The call that names the file: this one, or the one that opened the descriptor, if not just as a file; or NULL. */
static const struct start_call *naming_call(const struct start_view *view)
{
	const struct start_call *opened = view->file.opened;

	if (view->call->path && *view->call->path)
		return view->call;
	return opened && opened->reason != REASON_FILE ? opened : NULL;
}

static bool begins_with(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), size = strlen(end);

	return length >= size && !strcmp(text + length - size, end);
}

static bool has_opened(const struct start_call *call)
{
	return start_call__opens(call) && call->returned && !start_call__errno(call);
}

/* As the C library opens its files, and few programs open theirs. */
static bool closes_on_exec(const struct start_call *call)
{
	return start_call__argument(call, start_call__is(call, "open") ? 1 : 2) & O_CLOEXEC;
}

/* Does the start open that file so? A library asks for its file before it opens it, or later once more. */
static bool opens_closing(const struct start *start, const char *path)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (start_call__opens(call) && call->path && !strcmp(call->path, path) && closes_on_exec(call))
			return true;
	}
	return false;
}

/* Beside other threads' calls. */
enum { CALLS_LOOKED_AT = 100 };

/* Does it read from the descriptor that it has opened there? */
static bool is_read(const struct start *start, const struct start_call *opened)
{
	static const char *const readers[] = { "read", "pread64", "readv", "preadv", "preadv2", NULL };
	const size_t index = (size_t)(opened - start->calls);

	for (size_t i = index + 1; i < start->call_count && i < index + CALLS_LOOKED_AT; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->tid != opened->tid || !call->known[0] || call->arguments[0] != opened->result)
			continue;
		if (start_call__is(call, "close"))
			return false;
		if (start_call__is_any(call, readers))
			return true;
	}
	return false;
}

/* ".../locale/de/LC_MESSAGES/git.mo", ".../locale/C.utf8/LC_CTYPE" */
static bool is_of_category(const char *path)
{
	static const char *const parts[] = { "/locale/", "/locale-langpack/", NULL };

	return text__holds_any(path, parts) && strstr(path, "/LC_");
}

bool start_view__is_for_locale(const struct start_view *view)
{
	const struct start_call *named = naming_call(view);

	if (!named || !named->path)
		return false;
	if (ends_with(named->path, "/locale/locale.alias")) /* a text */
		return start_call__opens(named) && closes_on_exec(named);
	/* What a locale is made of is mapped; who reads it wants to see it. */
	return (is_of_category(named->path) || ends_with(named->path, "/locale/locale-archive")) &&
	       !(has_opened(named) && is_read(view->start, named));
}

bool start_view__is_for_character_sets(const struct start_view *view)
{
	const struct start_call *named = naming_call(view);
	const char *rest = named && named->path ? strstr(named->path, "/gconv/") : NULL;

	if (!rest)
		return false;
	rest += strlen("/gconv/");
	if (!strcmp(rest, "gconv-modules.cache"))
		return !(has_opened(named) && is_read(view->start, named));
	return begins_with(rest, "gconv-modules") || text__names_library(rest);
}

bool start_view__is_for_names(const struct start_view *view)
{
	static const char config[] = "/etc/nsswitch.conf";
	static const char *const sources[] = { config, "/etc/passwd", "/etc/group", "/etc/hosts",
					       "/etc/resolv.conf", NULL };
	const struct start_call *named = naming_call(view);

	if (!named || !named->path)
		return false;
	if (begins_with(text__file_name(named->path), "libnss_"))
		return start_call__may_be_ldso(named);
	/* The name service reads what it is to ask, and then asks it. */
	return text__is_any(named->path, sources) && opens_closing(view->start, config) &&
	       (start_call__opens(named) ? closes_on_exec(named) : opens_closing(view->start, named->path));
}

/* "/usr/share/terminfo/x/xterm", ".../78/xterm": by the first letter, or its number. */
bool start_view__is_for_terminal(const struct start_view *view)
{
	const struct start_call *named = naming_call(view);
	const char *rest = named && named->path ? strstr(named->path, "/terminfo/") : NULL;
	const char *name = rest ? text__file_name(rest) : NULL;
	char *begin;
	bool is_there;

	if (!name)
		return false;
	begin = text__of("/terminfo/%c/%s", *name, name);
	is_there = !strcmp(rest, begin);
	text__replace(&begin, "/terminfo/%x/%s", (unsigned char)*name, name);
	is_there |= !strcmp(rest, begin);
	free(begin);
	return is_there;
}

bool start_view__is_for_time_zone(const struct start_view *view)
{
	const struct start_call *named = naming_call(view);

	if (!named || !named->path || (strcmp(named->path, "/etc/localtime") != 0 &&
				       !begins_with(named->path, "/usr/share/zoneinfo/")))
		return false;
	return start_call__opens(named) ? closes_on_exec(named) : opens_closing(view->start, named->path);
}
