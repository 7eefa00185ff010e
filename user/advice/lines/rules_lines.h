/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at one line of a bash script, and speaks only if the line is understood.
 */
#ifndef FORKTAX_ADVICE_LINES_RULES_LINES_H
#define FORKTAX_ADVICE_LINES_RULES_LINES_H

#include "advice/lines/line_saving.h"
#include "advice/lines/shell_words.h"
#include "base/text.h"

typedef bool line_rule_fn(const struct line_subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) line_rule_fn rule__##name;
#include "model/advice/rules_lines.def"
#undef RULE

/* What a rule that writes substitutions in another way looks for them with. */
struct line_editor {
	const struct line_subject *subject;
	struct shell_edits edits;
};

/* Visits the line's parts with an editor as context, and fills what the edits save (line_saving.h). */
bool line_editor__run(const struct line_subject *subject, struct shell_visitor visitor, const char *why,
		      struct advice *advice);

#endif
