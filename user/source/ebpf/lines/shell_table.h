/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lets the kernel half know where shells keep the line that they execute.
 */
#ifndef FORKTAX_SOURCE_EBPF_LINES_SHELL_TABLE_H
#define FORKTAX_SOURCE_EBPF_LINES_SHELL_TABLE_H

#include "source/source.h"

struct forktax_bpf;
struct message;

/*
 * Shells of the usual names, and that of the command, before anything runs: they may fork before their MESSAGE_EXE
 * is read.
 */
void shell_table__begin(const struct forktax_bpf *skeleton, const struct source_request *request);
/* The executable of MESSAGE_EXE, if it is a shell. */
void shell_table__add(const struct forktax_bpf *skeleton, const struct source_request *request,
		      const struct message *message);

#endif
