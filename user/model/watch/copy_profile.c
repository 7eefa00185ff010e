// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/watch/copy_profile.h"

#include <stdlib.h>

#include "model/rows/fields.h"

void copy_profile__free(struct copy_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->sample_count; i++)
		free(profile->samples[i].unit);
	for (size_t i = 0; i < profile->object_count; i++)
		free(profile->objects[i].path);
	free(profile->samples);
	free(profile->objects);
	free(profile->ids);
	shape__free(&stacks_shape, profile->stacks);
	free(profile);
}
