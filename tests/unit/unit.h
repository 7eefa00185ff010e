/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every unit test includes, and files as text.
 */
#ifndef FORKTAX_UNIT_H
#define FORKTAX_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A directory of the test's own, with all that is in it. Returns 0, or else. */
static inline int remove_directory(const char *directory)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

/* The contents of a file, NUL-terminated, to be freed. */
static inline char *slurp(const char *path)
{
	FILE *stream = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!stream)
		fail_msg("cannot open %s", path);
	if (getdelim(&text, &room, '\0', stream) < 0)
		fail_msg("cannot read %s", path);
	fclose(stream);
	return text;
}

/* The same to nine digits: of values that were computed in different ways. */
#define assert_close(a, b)                                                                         \
	assert_true(__builtin_fabs((double)(a) - (b)) <= 1e-9 * __builtin_fabs((double)(b)))

/* Of ends that a search comes close to. */
#define assert_close_to(a, b) assert_true(__builtin_fabs((double)(a) - (b)) <= 1e-3)

#endif
