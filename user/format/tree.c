// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines in front of a tree's rows. libsmartcols draws trees too, but descends by recursion
 * and indents without end: a chain of 100,000 processes would end in a stack overflow.
 */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "format/grid.h"

enum { DEEPEST = 24 }; /* levels that are drawn; what is deeper carries its depth as a number */

struct lines {
	const char *through, *none, *branch, *last;
};

static const struct lines ascii = { "| ", "  ", "|-", "`-" };
static const struct lines drawn = { "│ ", "  ", "├─", "└─" };

/* `open[level]`: a row further down hangs on the same line of that level. */
static char *prefix(const struct lines *lines, const bool *open, size_t depth)
{
	size_t shown = depth < DEEPEST ? depth : DEEPEST;
	char *text = checked(malloc(shown * strlen(lines->through) + strlen(lines->branch) + 32));
	char *end = text;

	*text = '\0';
	for (size_t level = 1; level < shown; level++)
		end = stpcpy(end, open[level] ? lines->through : lines->none);
	if (depth > DEEPEST)
		sprintf(end, "[%zu] ", depth);
	else if (depth)
		strcpy(end, open[depth] ? lines->branch : lines->last);
	return text;
}

static size_t *depths(const struct grid *grid, size_t *deepest)
{
	size_t *depth = checked_calloc(grid->rows, sizeof(*depth));

	*deepest = 0;
	for (size_t row = 0; row < grid->rows - 1; row++) {
		size_t parent = grid->parents[row];

		if (parent < row)
			depth[row] = depth[parent] + 1;
		if (depth[row] > *deepest)
			*deepest = depth[row];
	}
	return depth;
}

char **tree__prefixes(const struct grid *grid, bool utf8)
{
	size_t deepest;
	autofree size_t *depth = depths(grid, &deepest);
	autofree bool *open = checked_calloc(deepest + 2, sizeof(*open));
	char **prefixes = checked_calloc(grid->rows, sizeof(*prefixes));

	/* From the bottom, so that what hangs below is known; a row closes the level below itself. */
	for (size_t row = grid->rows - 1; row-- > 0;) {
		open[depth[row] + 1] = false;
		prefixes[row] = prefix(utf8 ? &drawn : &ascii, open, depth[row]);
		open[depth[row]] = true;
	}
	return prefixes;
}
