// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/pager.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHELL_CANNOT_RUN = 126, SHELL_NOT_FOUND = 127 }; /* POSIX, sh: exit status for commands */

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

	return ioctl(terminal, TIOCGWINSZ, &window) < 0 || !window.ws_row ||
	       lines_of(text, size) < window.ws_row;
}

/* NULL: none is wanted, or none could show it. */
static const char *pager_for(int terminal)
{
	const char *pager = getenv("PAGER"), *type = getenv("TERM");

	if (!isatty(terminal) || tcgetpgrp(terminal) != getpgrp())
		return NULL;
	if (!type || !strcmp(type, "dumb"))
		return NULL;
	if (!pager)
		return "less";
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

/* Its output goes where the report would; the options of less are those of git. */
static FILE *start(const char *pager, int terminal)
{
	int saved = terminal == STDOUT_FILENO ? -1 : dup(STDOUT_FILENO);
	FILE *input;

	setenv("LESS", "FRX", false);
	if (saved >= 0)
		dup2(terminal, STDOUT_FILENO);
	input = popen(pager, "we");
	if (saved >= 0) {
		dup2(saved, STDOUT_FILENO);
		close(saved);
	}
	return input;
}

/*
 * Ctrl-C is for the pager, and a reader who quits early ends our write, not us. Returns false if the
 * text was not shown.
 */
static bool page(const char *pager, const char *text, size_t size, int terminal)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction interrupt, quit, pipe;
	FILE *input = start(pager, terminal);
	int status;

	if (!input)
		return false;
	sigaction(SIGINT, &ignored, &interrupt);
	sigaction(SIGQUIT, &ignored, &quit);
	sigaction(SIGPIPE, &ignored, &pipe);
	fwrite(text, 1, size, input);
	status = pclose(input);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigaction(SIGPIPE, &pipe, NULL);
	return !(WIFEXITED(status) && (WEXITSTATUS(status) == SHELL_NOT_FOUND ||
				       WEXITSTATUS(status) == SHELL_CANNOT_RUN));
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

void pager__write(const char *text, size_t size, FILE *stream, bool may_page)
{
	int terminal = fileno(stream);
	const char *pager = may_page ? pager_for(terminal) : NULL;
	bool too_long = !fits(text, size, terminal);

	if (pager && too_long) {
		fflush(stream);
		if (page(pager, text, size, terminal))
			return;
	}
	fwrite(text, 1, size, stream);
	if (too_long)
		repeat_head(text, size, stream);
}
