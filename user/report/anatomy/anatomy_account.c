// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/anatomy_account.h"

#include <math.h>

struct anatomy_account anatomy_account__of(const struct run *run, uint32_t group, enum phase phase)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct anatomy_account account = { .total = NAN };

	if (!sample)
		return account;
	account.children = sample->children;
	switch (phase) {
	case PHASE_CHILD:
		account.total = sample->child_faults;
		account.unattributed = sample->child_unattributed;
		account.missed = sample->child_missed;
		account.beyond = sample->child_beyond;
		break;
	case PHASE_EXEC:
		account.total = (double)sample->faults - sample->child_faults;
		account.unattributed = (double)sample->unattributed - sample->child_unattributed;
		account.missed = (double)sample->missed - sample->child_missed;
		account.beyond = (double)sample->beyond - sample->child_beyond;
		account.unsampled = sample->unsampled;
		break;
	case PHASE_PARENT:
		account.beyond = sample->parent_beyond;
		break;
	default:
		break;
	}
	return account;
}

double anatomy_account__rest(const struct anatomy_account *account, double faults)
{
	return isfinite(account->total)
		       ? account->total - faults - account->unattributed - account->missed -
				 account->beyond - account->unsampled
		       : 0;
}
