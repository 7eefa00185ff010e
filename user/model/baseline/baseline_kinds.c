// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/baseline/baseline.h"

#define KIND(id, key, unit, words, gates) [BASELINE_##id] = { key, unit, words, gates },
const struct baseline_kind_words baseline_kinds[BASELINE_KIND_COUNT] = {
#include "model/baseline/baseline_kinds.def"
};
#undef KIND
