/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_BENCH_TEXT_H
#define FORKTAX_BENCH_TEXT_H

/* As printf; to be freed. Running out of memory ends the program. */
__attribute__((format(printf, 1, 2))) char *text__of(const char *format, ...);
/* Stores such a text as the reason of a failure. Returns -1. */
__attribute__((format(printf, 2, 3))) int text__wrong(char **reason, const char *format, ...);
/* Lists of texts that end with NULL are freed with what is in them; NULL is fine. */
void text__free_list(char *const *texts);

#endif
