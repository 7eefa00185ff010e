/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which list of directories made ld.so try a path. There are three (ld.so(8), but for what ld.so.cache answers):
 * LD_LIBRARY_PATH, the system's own directories, and those that the files name.
 */
#ifndef FORKTAX_ADVICE_START_SEARCH_LIST_H
#define FORKTAX_ADVICE_START_SEARCH_LIST_H

#include "advice/start/rules_start.h"

enum search_list { SEARCH_OF_FILES, SEARCH_OF_VARIABLE, SEARCH_OF_SYSTEM, SEARCH_LIST_COUNT };

/* Can it be known whether directories are those of LD_LIBRARY_PATH? */
bool search_list__is_known(const struct start_subject *subject);
/* The list for a call that searches for a library or a directory, if it can be known. */
enum search_list search_list__of(const struct start_subject *subject, const struct start_call *call);

#endif
