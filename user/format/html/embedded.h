/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was saved, inside a page: JSON in a script element that no browser runs, with each `<` written
 * as \u003c, so that nothing in it ends the element; long JSON packed (packed.h). A checksum keeps
 * anybody from taking an edited page for what was measured.
 */
#ifndef FORKTAX_FORMAT_HTML_EMBEDDED_H
#define FORKTAX_FORMAT_HTML_EMBEDDED_H

#include <stdio.h>

void embedded__write(const char *json, FILE *stream);
/*
 * The JSON of the page in `text`, to be freed; NULL and a reason (to be freed) if there is none, or if it is
 * not whole. Cuts `text` behind it.
 */
char *embedded__find(char *text, char **reason);

#endif
