/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Scripts with a relative name, which a shell opened in another working directory than ours: "cd lib; . ./names.sh".
 * Nobody has seen in which one, but which file it was. So it is looked for, in a few directories.
 */
#ifndef FORKTAX_RESOLVE_LINES_SCRIPT_SEARCH_H
#define FORKTAX_RESOLVE_LINES_SCRIPT_SEARCH_H

#include "model/lines/script_lines.h"

/* Our own working directory, those of scripts with an absolute name and the ones above these; and what lies in them. */
struct script_search {
	const struct script_lines *lines;
	char **directories; /* listed at the first search */
	size_t count;
	size_t looks; /* so far */
};

void script_search__release(struct script_search *search);
/* Where that very file is, by device and inode; to be freed. NULL: its name is absolute, or it was not found. */
char *script_search__find(struct script_search *search, const struct script_file *file);

#endif
