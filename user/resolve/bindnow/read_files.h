/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads what the ELF files of a command ask of the dynamic linker.
 */
#ifndef FORKTAX_RESOLVE_BINDNOW_READ_FILES_H
#define FORKTAX_RESOLVE_BINDNOW_READ_FILES_H

#include "analysis/bindnow/bindnow_files.h"

/*
 * Reads the program of the column, all executables of its runs, and their libraries. Never fails:
 * a file that cannot be read gets a reason.
 */
void bindnow_files__read(struct bindnow_files *files, const struct compare_column *column);

#endif
