/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of a call as a record: what its arguments and its result say as numbers and as paths.
 */
#ifndef FORKTAX_SOURCE_STRACE_CALL_READING_H
#define FORKTAX_SOURCE_STRACE_CALL_READING_H

#include "model/files/call_record.h"
#include "source/strace/call_text.h"

/*
 * Arguments, paths, result and outcome; who and when is the caller's, and `name` has to be there
 * before. The paths belong to the record until call_reading__release().
 */
void call_reading__fill(struct call_record *record, const struct call_text *call);
void call_reading__release(struct call_record *record);

#endif
