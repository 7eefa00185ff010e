/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The JSON schema of a document, from its rows.
 */
#ifndef FORKTAX_SAVED_SCHEMA_H
#define FORKTAX_SAVED_SCHEMA_H

#include <stdio.h>

#include "model/fields.h"

/* JSON Schema 2020-12, one line per member. It accepts what the reader accepts, sums aside. */
void schema__write(const struct shape *shape, FILE *stream);

#endif
