// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/lines/script_lines.h"

const char *const script_source_keys[SCRIPT_SOURCES] = {
	[SCRIPT_FILE] = "file",
	[SCRIPT_COMMANDS] = "commands",
	[SCRIPT_UNKNOWN] = "unknown",
};
