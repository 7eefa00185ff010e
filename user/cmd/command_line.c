// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "base/autofree.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "launch/gate.h"
#include "launch/refusal.h"

static int print_split_error(const char *name, int error, const char *line, const char *remedy)
{
	switch (error) {
	case WRDE_BADCHAR:
	case WRDE_CMDSUB:
		return print_error(name, EXIT_USAGE,
				   "\"%s\" needs a shell (one of | & ; < > ( ) { } $( ` or a "
				   "newline stands unquoted): quote it, or use %s",
				   line, remedy);
	case WRDE_NOSPACE:
		return print_error(name, EXIT_FORKTAX, "out of memory");
	default:
		return print_error(name, EXIT_USAGE, "\"%s\": a quote is not closed", line);
	}
}

int split_command(const char *name, const char *line, const char *remedy, char ***words)
{
	wordexp_t expanded;
	int error = wordexp(line, &expanded, WRDE_NOCMD);

	if (error)
		return print_split_error(name, error, line, remedy);
	*words = expanded.we_wordc ? text__copy_list(expanded.we_wordv) : NULL;
	wordfree(&expanded);
	return *words ? 0 : print_error(name, EXIT_USAGE, "an empty command");
}

int find_command(const char *name, const char *word, char **path)
{
	autofree char *reason = NULL;
	int status;

	*path = gate__find(word);
	if (*path)
		return 0;
	status = errno == ENOENT ? EXIT_MISSING : EXIT_REFUSED;
	reason = refusal__text(word, errno);
	print_error(name, 0, "%s", reason);
	return status;
}
