/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Debug files from the servers that the user has named in DEBUGINFOD_URLS.
 */
#ifndef FORKTAX_ELF_DEBUGINFOD_H
#define FORKTAX_ELF_DEBUGINFOD_H

#include "elf/build_id.h"

/*
 * The path of the file in the user's cache, to be freed, fetched first if need be; how long that
 * may take is DEBUGINFOD_TIMEOUT. NULL: not asked for, not installed, not there.
 */
char *debuginfod__fetch(const struct build_id *id);

#endif
