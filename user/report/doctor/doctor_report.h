/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forktax can do on a machine: the answer, what is missing, and what is there.
 */
#ifndef FORKTAX_REPORT_DOCTOR_DOCTOR_REPORT_H
#define FORKTAX_REPORT_DOCTOR_DOCTOR_REPORT_H

#include "format/table.h"
#include "model/doctor/doctor.h"
#include "report/options.h"

void doctor_report__print(const struct doctor *doctor, const struct report_options *options,
			  const struct table_output *output);

#endif
