// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/rules_lines.h"

bool line_editor__run(const struct line_subject *subject, struct shell_visitor visitor, const char *why,
		      struct advice *advice)
{
	struct line_editor editor = { .subject = subject };

	visitor.context = &editor;
	shell_text__visit(subject->text, &visitor);
	return line_saving__of_edits(subject, &editor.edits, why, advice);
}
