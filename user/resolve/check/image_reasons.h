/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Executables that are linked otherwise than before: what that means for those that run them, by the
 * files themselves. `names` is of one of the runs; NULL: there is none, and no file is looked at.
 */
#ifndef FORKTAX_RESOLVE_CHECK_IMAGE_REASONS_H
#define FORKTAX_RESOLVE_CHECK_IMAGE_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/*
 * Is the executable "./prog (static)" one of the baseline that was linked otherwise, and is nothing lost
 * by that? What is bound when it is linked, or when it starts, no child binds again.
 */
bool image__loses_nothing(const struct baseline_context *then, const char *name, const struct check_names *names);

/* Is the executable of that path linked otherwise now, and worse? */
bool image__is_linked_worse(const struct check_result *result, const char *name);

/* Was this object, or the executable of this path, linked with -z now in the baseline, and is not now? */
bool image__lost_bind_now(const struct check_result *result, const char *object, const struct check_names *names);

/* Is LD_BIND_NOW set in its environment, to whatever value? */
bool context__binds_now(const struct baseline_context *context);

/* For a finding of an image. */
void image_reasons__add(struct check_finding *finding, const struct check_result *result,
			const struct check_names *names);

#endif
