/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rows of struct workers_flow, for the document that it is part of. Internal to user/model.
 */
#ifndef FORKTAX_MODEL_WORKERS_WORKERS_FLOW_FIELDS_H
#define FORKTAX_MODEL_WORKERS_WORKERS_FLOW_FIELDS_H

#include "model/rows/fields.h"

extern const struct shape workers_flow_shape;

#endif
