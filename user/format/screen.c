// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/memory.h"

/* What terminals since the VT100 understand (console_codes(4)). */
#define TO_CORNER "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define CUT_LINES "\033[?7l" /* a line that is too long must not take two */
#define WRAP_LINES "\033[?7h"

bool screen__is_one(FILE *stream)
{
	const char *type = getenv("TERM");

	return isatty(fileno(stream)) && type && *type && strcmp(type, "dumb") != 0;
}

void screen__begin(struct screen *screen)
{
	sigset_t resized;

	sigemptyset(&resized);
	sigaddset(&resized, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resized, &screen->mask);
	screen->resized_fd = signalfd(-1, &resized, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool screen__was_resized(struct screen *screen)
{
	struct signalfd_siginfo info;
	bool was = false;

	while (screen->resized_fd >= 0 && read(screen->resized_fd, &info, sizeof(info)) == sizeof(info))
		was = true;
	return was;
}

void screen__end(struct screen *screen)
{
	if (screen->resized_fd >= 0)
		close(screen->resized_fd);
	sigprocmask(SIG_SETMASK, &screen->mask, NULL);
}

/* Lines below the title, one of them for the cursor. A terminal may not know its size: all. */
static size_t room_on(FILE *stream)
{
	struct winsize window;

	if (ioctl(fileno(stream), TIOCGWINSZ, &window) < 0 || !window.ws_row)
		return SIZE_MAX;
	return window.ws_row > 2 ? window.ws_row - 2 : 0;
}

static size_t lines_of(const char *text, size_t size)
{
	size_t lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

static void draw_lines(const char *text, size_t count, FILE *stream)
{
	for (size_t i = 0; i < count; i++) {
		const size_t length = strcspn(text, "\n");

		fwrite(text, 1, length, stream);
		fputs(CLEAR_LINE "\n", stream);
		text += length + 1;
	}
}

void screen__draw(const char *title, const char *text, size_t size, FILE *stream)
{
	const size_t lines = lines_of(text, size), room = room_on(stream);
	const size_t shown = lines <= room ? lines : room ? room - 1 : 0;
	char *drawn;
	size_t drawn_size;
	FILE *whole = checked(open_memstream(&drawn, &drawn_size));

	fprintf(whole, CUT_LINES TO_CORNER "%s" CLEAR_LINE "\n", title);
	draw_lines(text, shown, whole);
	if (shown < lines && room)
		fprintf(whole, "(%zu more lines)" CLEAR_LINE "\n", lines - shown);
	fputs(CLEAR_BELOW WRAP_LINES, whole);
	fclose(whole);
	fwrite(drawn, 1, drawn_size, stream);
	fflush(stream);
	free(drawn);
}
