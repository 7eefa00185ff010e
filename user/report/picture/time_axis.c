// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/time_axis.h"

#include <math.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/html/svg.h"

enum { LINES_MOST = 10, ABOVE = 6 };

double time_axis__x(const struct time_axis *axis, double ns)
{
	return axis->left + ns * (axis->right - axis->left) / axis->whole;
}

/* Where the text is to stand so that all of it is in the picture. */
static double middle_of(const struct time_axis *axis, double x, const char *text)
{
	const double half = svg__text_width(text) / 2;

	return fmin(fmax(x, half), axis->right - half);
}

void time_axis__draw(const struct time_axis *axis, FILE *stream)
{
	const struct unit unit = unit__of_time(axis->whole);
	const double step = axis__step(axis->whole, LINES_MOST);

	for (double ns = 0; ns <= axis->whole; ns += step) {
		autofree char *text = text__of("%g %s", ns / unit.size, unit.name);
		const double x = time_axis__x(axis, ns);

		svg__line(stream, "grid", x, axis->top, x, axis->bottom);
		svg__text(stream, "soft mid", middle_of(axis, x, text), axis->top - ABOVE, text);
	}
}
