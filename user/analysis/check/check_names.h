/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that mean the same in every run, and in every directory that a repository is checked out to.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_CHECK_NAMES_H
#define FORKTAX_ANALYSIS_CHECK_CHECK_NAMES_H

#include "model/run/run.h"

struct check_names {
	const struct run *run;
	const char *here; /* the directory that the commands ran in, without links */
	char **groups; /* of each group of the run: "fork of sh, exec of make"; several may be alike */
};

struct check_names check_names__of(const struct run *run, const char *here);
void check_names__release(struct check_names *names);

/* Whose numbers: of a group, or (NO_GROUP) of the command. Borrowed. */
const char *check_names__group(const struct check_names *names, uint32_t group);
/* Whose faults these are: those of phase parent are not of the children, but of who made them. */
const char *check_names__row(const struct check_names *names, const struct anatomy_row *row);
/* A path as baselines have it (model/baseline/baseline.h), to be freed; NULL: "a file now gone". */
char *check_names__path(const struct check_names *names, const char *path);
/* Of an executable of the run, with its linkage: "./prog (dynamic-now)"; to be freed. */
char *check_names__image(const struct check_names *names, uint32_t exe);
/*
 * A line of a script by its file and text: where it stands is not what the check is about. "./build.sh: rm -f x";
 * NULL: the line is not known. To be freed.
 */
char *check_names__line(const struct check_names *names, const struct script_line *line);
/* What the child executed first; NULL: nothing. Borrowed from the run. */
const char *check_names__program(const struct check_names *names, const struct group *group);
/* Of an object of the anatomy; NULL: it is none. To be freed. */
char *check_names__object(const struct check_names *names, uint32_t object);

#endif
