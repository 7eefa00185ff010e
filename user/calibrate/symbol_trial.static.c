// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/trials.h"

/* In the place of symbol_trial.c: where there is no ld.so, no look-up can be timed. */
bool symbol_trial__prepare(struct trial_setup *setup)
{
	return false;
}

bool symbol_trial__measure(struct trial_setup *setup, double *ns)
{
	return false;
}
