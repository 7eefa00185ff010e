// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

enum { WIDEST = 10000 }; /* a larger COLUMNS is ignored */

/* COLUMNS wins over the terminal, as in ls and ps; what is no terminal has no width. */
static unsigned int width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t width;

	if (!isatty(fd))
		return 0;
	if (columns && number__whole(columns, 1, WIDEST, &width))
		return width;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static bool wants_colour(int fd, enum colour_when colour)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	if (colour != COLOUR_AUTO)
		return colour == COLOUR_ALWAYS;
	return isatty(fd) && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
}

struct table_output table_output__for(FILE *stream, enum table_style style, enum colour_when colour)
{
	int fd = fileno(stream);

	return (struct table_output){
		.stream = stream,
		.style = style,
		.colour = table_style__has_colour(style) && wants_colour(fd, colour),
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.width = width_of(fd),
	};
}
