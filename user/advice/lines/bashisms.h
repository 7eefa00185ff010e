/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What only bash understands, as far as the text of a script shows it. It finds too much rather than too little: a
 * script is run by another shell only if nothing was found.
 */
#ifndef FORKTAX_ADVICE_LINES_BASHISMS_H
#define FORKTAX_ADVICE_LINES_BASHISMS_H

/* The first of them, as written in a list of known ones; NULL: none. Lines of comments are left out. */
const char *bashism__in(const char *script);

#endif
