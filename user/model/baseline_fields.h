/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes of parts of a baseline that are released by themselves.
 */
#ifndef FORKTAX_MODEL_BASELINE_FIELDS_H
#define FORKTAX_MODEL_BASELINE_FIELDS_H

#include "model/fields.h"

extern const struct shape baseline_shape, baseline_check_shape, baseline_context_shape;

#endif
