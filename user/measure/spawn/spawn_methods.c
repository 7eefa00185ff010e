// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/spawn/spawn.h"

const struct spawn_method_info spawn_methods[SPAWN_METHOD_COUNT] = {
#define METHOD(id, key, name, birth, executes, what) [SPAWN_##id] = { key, name, executes, what },
#include "spawn_methods.def"
#undef METHOD
};
