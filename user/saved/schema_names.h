/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The schemas that have no struct in model/, and what is said of a file that has none.
 */
#ifndef FORKTAX_SAVED_SCHEMA_NAMES_H
#define FORKTAX_SAVED_SCHEMA_NAMES_H

#define COMPARE_SCHEMA "forktax-compare/1"
#define BINDNOW_SCHEMA "forktax-bindnow/1"

#define NO_SAVED_RUN "JSON, but not a saved run of forktax"

#endif
