// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bindnow/bindnow_report.h"

#include <stdlib.h>

#include "format/wrap.h"
#include "report/bindnow/bindnow_words.h"

enum { HANG = 11 }; /* column of the text behind a label */

static void print_finding(const char *label, char *text, const struct table_output *output)
{
	wrap__print(label, text, 0, HANG, output);
	wrap__separate(output);
	free(text);
}

static bool has_break_even(const struct bindnow *bindnow)
{
	return bindnow->children > 0 && bindnow__may_matter(bindnow); /* NAN is not */
}

static void print_break_even(const struct bindnow *bindnow, const struct table_output *output)
{
	if (!has_break_even(bindnow))
		return;
	print_finding("In faults:", bindnow_words__break_even(&bindnow->in_faults, false), output);
	if (bindnow->verdict.outcome != OUTCOME_UNEXPLAINED)
		print_finding("In time:", bindnow_words__break_even(&bindnow->in_time, true), output);
}

static void print_notes(const struct bindnow *bindnow, const struct table_output *output)
{
	if (bindnow->comparison->columns[SIDE_LAZY].settings)
		wrap__print(NULL, "LD_BIND_NOW was set already: the first column is without it.", 0, 0, output);
	if (bindnow->files->is_secure)
		wrap__print(NULL,
			    "The command gains rights when it is executed (set-user-ID or the like): "
			    "newer versions of glibc may ignore LD_BIND_NOW then, and the kernel ignores --no-aslr.",
			    0, 0, output);
}

void bindnow_report__print_answer(const struct comparison *comparison, const struct table_output *output)
{
	const struct bindnow bindnow = bindnow__of(comparison);

	wrap__paragraph(NULL, bindnow_words__verdict(&bindnow), output);
	print_break_even(&bindnow, output);
	print_notes(&bindnow, output);
}
