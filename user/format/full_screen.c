// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The few sequences that all terminals have in common since the VT100 (console_codes(4)), and not a library: the
 * static program would not find the terminal descriptions of a machine that has none, or has them elsewhere.
 */
#include "format/full_screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"

#define TO_OTHER_SCREEN "\033[?1049h"
#define FROM_OTHER_SCREEN "\033[?1049l"
#define HIDE_CURSOR "\033[?25l"
#define SHOW_CURSOR "\033[?25h"
#define CUT_LINES "\033[?7l"
#define WRAP_LINES "\033[?7h"
#define TO_CORNER "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define REVERSE "\033[7m"
#define PLAIN "\033[m"

static struct full_screen *entered; /* that exit(3) has to give back; NULL: none */

void screen_lines__add(struct screen_lines *lines, char *text, bool is_marked)
{
	lines->lines = checked_grow(lines->lines, lines->count, sizeof(*lines->lines));
	lines->lines[lines->count++] = (struct screen_line){ text, is_marked };
}

void screen_lines__free(struct screen_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->lines[i].text);
	free(lines->lines);
	*lines = (struct screen_lines){ 0 };
}

static void write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno != EINTR && errno != EAGAIN)
			return; /* the terminal is gone; its keys will say so */
		bytes += written > 0 ? written : 0;
		size -= written > 0 ? written : 0;
	}
}

static void write_text(int fd, const char *text)
{
	write_all(fd, text, strlen(text));
}

static void leave_at_exit(void)
{
	if (entered)
		full_screen__leave(entered);
}

int full_screen__enter(struct full_screen *screen, int input, int output, char **reason)
{
	const char *type = getenv("TERM");
	struct termios raw;

	if (!isatty(input) || !isatty(output))
		return error__set(reason, "%s is not a terminal", isatty(output) ? "stdin" : "stdout");
	if (!type || !*type || !strcmp(type, "dumb"))
		return error__set(reason, "TERM says that this terminal cannot move its cursor");
	*screen = (struct full_screen){ .input = input, .output = output };
	if (tcgetattr(input, &screen->before) < 0)
		return error__set(reason, "cannot ask the terminal for its settings: %m");
	raw = screen->before;
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	if (tcsetattr(input, TCSADRAIN, &raw) < 0)
		return error__set(reason, "cannot change the settings of the terminal: %m");
	if (!entered)
		atexit(leave_at_exit);
	entered = screen;
	write_text(output, TO_OTHER_SCREEN HIDE_CURSOR CUT_LINES TO_CORNER CLEAR_BELOW);
	return 0;
}

void full_screen__leave(struct full_screen *screen)
{
	entered = NULL;
	write_text(screen->output, WRAP_LINES SHOW_CURSOR FROM_OTHER_SCREEN);
	tcsetattr(screen->input, TCSADRAIN, &screen->before);
}

void full_screen__size(const struct full_screen *screen, unsigned int *width, unsigned int *height)
{
	struct winsize window = { 0 };

	ioctl(screen->output, TIOCGWINSZ, &window);
	*width = window.ws_col ? window.ws_col : 80;
	*height = window.ws_row ? window.ws_row : 24;
}

/* A full line leaves the cursor on its last column: erasing there would take the last character away. */
static void draw_line(const struct screen_line *line, unsigned int width, FILE *stream)
{
	const size_t columns = escape__width(line->text);
	const int rest = columns < width ? (int)(width - columns) : 0;

	if (line->is_marked)
		fprintf(stream, REVERSE "%s%*s" PLAIN, line->text, rest, "");
	else
		fprintf(stream, "%s%s", line->text, rest ? CLEAR_LINE : "");
}

char *full_screen__frame(const struct screen_lines *lines, unsigned int width, unsigned int height, size_t *size)
{
	char *frame;
	FILE *stream = checked(open_memstream(&frame, size));

	fputs(TO_CORNER, stream);
	for (size_t i = 0; i < lines->count && i < height; i++) {
		fputs(i ? "\r\n" : "", stream);
		draw_line(&lines->lines[i], width, stream);
	}
	if (lines->count < height) /* else the cursor is on a line that was drawn */
		fputs("\r\n" CLEAR_BELOW, stream);
	fclose(stream);
	return frame;
}

void full_screen__draw(const struct full_screen *screen, const struct screen_lines *lines)
{
	unsigned int width, height;
	size_t size;
	char *frame;

	full_screen__size(screen, &width, &height);
	frame = full_screen__frame(lines, width, height, &size);
	write_all(screen->output, frame, size);
	free(frame);
}

size_t screen_key__decode(const char *bytes, size_t size, int *key)
{
	static const struct {
		const char *bytes; /* behind the escape */
		int key;
	} sequences[] = {
		{ "[A", SCREEN_KEY_UP },	{ "OA", SCREEN_KEY_UP },   { "[B", SCREEN_KEY_DOWN },
		{ "OB", SCREEN_KEY_DOWN },	{ "[C", SCREEN_KEY_RIGHT }, { "OC", SCREEN_KEY_RIGHT },
		{ "[D", SCREEN_KEY_LEFT },	{ "OD", SCREEN_KEY_LEFT }, { "[H", SCREEN_KEY_HOME },
		{ "OH", SCREEN_KEY_HOME },	{ "[1~", SCREEN_KEY_HOME }, { "[F", SCREEN_KEY_END },
		{ "OF", SCREEN_KEY_END },	{ "[4~", SCREEN_KEY_END },  { "[5~", SCREEN_KEY_PAGE_UP },
		{ "[6~", SCREEN_KEY_PAGE_DOWN },
	};
	size_t length = 2;

	*key = (unsigned char)bytes[0];
	if (bytes[0] != '\033' || size < 2)
		return 1;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		const size_t more = strlen(sequences[i].bytes);

		if (size > more && !memcmp(bytes + 1, sequences[i].bytes, more)) {
			*key = sequences[i].key;
			return 1 + more;
		}
	}
	*key = SCREEN_KEY_OTHER;
	if (bytes[1] == '[') /* parameters end with a letter or ~ */
		while (length < size && (bytes[length] < '@' || bytes[length] > '~'))
			length++;
	return bytes[1] == '[' && length < size ? length + 1 : length;
}
