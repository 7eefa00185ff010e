/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A profile (profile.proto of google/pprof) while it is written. Mappings are files, functions have names and files;
 * each text, mapping and frame is there once.
 */
#ifndef FORKTAX_REPORT_EXPORT_PROFILE_H
#define FORKTAX_REPORT_EXPORT_PROFILE_H

#include <stdio.h>

#include "base/hash.h"
#include "report/export/protobuf.h"

struct profile {
	struct proto message;
	struct texts strings, files, frames; /* their numbers are from 1 on; string 0 is the empty one */
	uint64_t functions;
};

/* A kind of value that each sample has. */
struct profile_type {
	const char *name, *unit;
};

/* The first type is the one that readers show if they are not asked for another. */
void profile__begin(struct profile *profile, const struct profile_type *types, size_t count);
/* The first file gives the profile its name. `path`: "": not known; in brackets: no file. Its number; 0: it is none. */
uint64_t profile__file(struct profile *profile, const char *path);
/* The number of a function, as the location of a sample. */
uint64_t profile__frame(struct profile *profile, const char *name, const char *path);
/* Begins a sample (all zero) with its locations, the innermost first, and a value of each type. */
void profile__values(struct proto *sample, const uint64_t *locations, size_t count, const uint64_t *values,
		     size_t types);
void profile__label(struct profile *profile, struct proto *sample, const char *key, const char *text);
void profile__add(struct profile *profile, struct proto *sample);
void profile__comment(struct profile *profile, const char *text);
/* When it was taken, in nanoseconds since the epoch, and for how long. */
void profile__began(struct profile *profile, uint64_t ns);
void profile__took(struct profile *profile, uint64_t ns);
/* Writes it, compressed, and frees what it consists of. */
void profile__finish(struct profile *profile, FILE *stream);

#endif
