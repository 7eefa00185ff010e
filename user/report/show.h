/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_REPORT_SHOW_H
#define FORKTAX_REPORT_SHOW_H

#include "format/table.h"

#define report__show table__show

#endif
