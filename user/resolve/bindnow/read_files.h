/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads what the ELF files of a command ask of the dynamic linker.
 */
#ifndef FORKTAX_RESOLVE_BINDNOW_READ_FILES_H
#define FORKTAX_RESOLVE_BINDNOW_READ_FILES_H

#include "analysis/bindnow/bindnow_files.h"
#include "analysis/compare/compare_column.h"

/*
 * Reads the program of the column, all executables of its runs, and their libraries; to be freed. Never
 * fails: a file that cannot be read gets a reason.
 */
struct bindnow_files *bindnow_files__read(const struct compare_column *column);

#endif
