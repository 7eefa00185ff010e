// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cmd/completion/completion.h"
#include "cmd/completion/scripts.h"

static const struct script {
	const char *shell, *text;
} scripts[] = {
	{ "bash", script_bash },
	{ "zsh", script_zsh },
	{ "fish", script_fish },
};

bool completion__script(const char *shell, FILE *stream)
{
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		if (strcmp(scripts[i].shell, shell) != 0)
			continue;
		fputs(scripts[i].text, stream);
		return true;
	}
	return false;
}
