// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/scrolled.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

static size_t lines_of(const char *text, size_t size)
{
	size_t lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

/* One line is left for the shell's prompt. A terminal may not know its size: 0. */
static bool fits(const char *text, size_t size, int terminal)
{
	struct winsize window;

	return ioctl(terminal, TIOCGWINSZ, &window) < 0 || !window.ws_row || lines_of(text, size) < window.ws_row;
}

/* Lines at most of a head that is repeated, and of a page. */
enum { HEAD_LINES = 4, PAGE_LINES = 40 };

/* A report of about one page gets no longer. */
static bool has_room(size_t lines, size_t head)
{
	return lines + head <= PAGE_LINES || lines > PAGE_LINES + HEAD_LINES;
}

/* The first paragraph has scrolled away, and it has the answer. */
static void repeat_head(const char *text, size_t size, FILE *stream)
{
	const char *end = memmem(text, size, "\n\n", 2);
	const size_t lines = lines_of(text, size), head = end ? lines_of(text, end + 2 - text) : 0;

	if (!head || head > HEAD_LINES + 1 || !has_room(lines, head))
		return;
	putc('\n', stream);
	fwrite(text, 1, end + 1 - text, stream);
}

void scrolled__write(const char *text, size_t size, FILE *stream)
{
	fwrite(text, 1, size, stream);
	if (!fits(text, size, fileno(stream)))
		repeat_head(text, size, stream);
}
