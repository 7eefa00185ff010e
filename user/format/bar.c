// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/bar.h"

#include <string.h>

#include "base/memory.h"

static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };

char *bar__text(double share, unsigned int columns, bool utf8)
{
	double length = share > 0 ? (share < 1 ? share : 1) * columns : 0; /* NAN is not above 0 */
	unsigned int steps = length * (utf8 ? 8 : 1) + 0.5;
	char *text = checked(malloc(columns * strlen(eighths[8]) + 1)), *end = text;

	*end = '\0';
	for (; steps >= 8 && utf8; steps -= 8)
		end = stpcpy(end, eighths[8]);
	if (utf8)
		strcpy(end, eighths[steps]);
	for (; steps && !utf8; steps--)
		end = stpcpy(end, "#");
	return text;
}
