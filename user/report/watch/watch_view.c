// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_view.h"

#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/full_screen.h"
#include "model/watch/watch_words.h"
#include "report/watch/watch_frame.h"

struct watch_view {
	struct full_screen screen;
	struct watch_state state;
	struct watch_sample *before, *now; /* copies; now NULL: none yet */
};

struct watch_view *watch_view__open(int input, int output, char **reason)
{
	struct watch_view *view = checked_calloc(1, sizeof(*view));

	if (full_screen__enter(&view->screen, input, output, reason) == 0)
		return view;
	free(view);
	return NULL;
}

static struct watch_moment moment_of(const struct watch_view *view)
{
	return (struct watch_moment){
		.before = view->before,
		.now = view->now,
		.rows = watch_rows__of(view->before, view->now, view->state.sort, view->state.is_reversed),
	};
}

static void draw(const struct watch_view *view)
{
	struct watch_size size = { .utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8") };
	struct watch_moment moment;
	struct screen_lines lines;

	if (!view->now)
		return;
	full_screen__size(&view->screen, &size.width, &size.height);
	moment = moment_of(view);
	lines = watch_frame__of(&moment, &view->state, &size);
	full_screen__draw(&view->screen, &lines);
	screen_lines__free(&lines);
	watch_rows__free(&moment.rows);
}

void watch_view__show(struct watch_view *view, const struct watch_sample *before, const struct watch_sample *now)
{
	if (view->state.is_paused)
		return;
	watch_sample__free(view->before);
	watch_sample__free(view->now);
	view->before = watch_sample__copy(before);
	view->now = watch_sample__copy(now);
	draw(view);
}

void watch_view__resized(struct watch_view *view)
{
	draw(view);
}

bool watch_view__key(struct watch_view *view, int key)
{
	struct watch_moment moment;
	bool goes_on;

	if (!view->now)
		return key != 'q';
	moment = moment_of(view);
	goes_on = watch_state__key(&view->state, key, &moment.rows);
	watch_rows__free(&moment.rows);
	if (goes_on)
		draw(view);
	return goes_on;
}

bool watch_view__read_keys(struct watch_view *view)
{
	struct pollfd terminal = { .fd = view->screen.input, .events = POLLIN };
	char bytes[256];
	ssize_t size;

	while (poll(&terminal, 1, 0) > 0) {
		size = read(view->screen.input, bytes, sizeof(bytes));
		if (size <= 0)
			return false; /* it is gone */
		for (ssize_t i = 0; i < size;) {
			int key;

			i += (ssize_t)screen_key__decode(bytes + i, (size_t)(size - i), &key);
			if (!watch_view__key(view, key))
				return false;
		}
	}
	return true;
}

void watch_view__close(struct watch_view *view)
{
	if (!view)
		return;
	full_screen__leave(&view->screen);
	watch_state__release(&view->state);
	watch_sample__free(view->before);
	watch_sample__free(view->now);
	free(view);
}
