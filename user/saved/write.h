/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Structs as JSON, from their rows.
 */
#ifndef FORKTAX_SAVED_WRITE_H
#define FORKTAX_SAVED_WRITE_H

#include <stdio.h>

#include "model/fields.h"

/*
 * Writes the document and a newline. Returns 0, or -1 with errno set if anything could not be
 * written (the caller then discards the file).
 */
int document__write(const struct shape *shape, const void *self, FILE *stream);

#endif
