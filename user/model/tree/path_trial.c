// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tree/path_trial.h"

const char *const path_output_keys[PATH_OUTPUTS] = {
	[PATH_OUTPUT_NOT_COMPARED] = "not compared",
	[PATH_OUTPUT_SAME] = "same",
	[PATH_OUTPUT_DIFFERS] = "differs",
	[PATH_OUTPUT_VARIES] = "varies",
};
