/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Patterns of the names of cgroups, as user space makes them of glob(7) for the kernel half: so both match alike, and
 * what is created while a run goes on is watched from its creation on.
 */
#pragma once

#include <linux/types.h>

#define CGROUP_NAME 256 /* NAME_MAX, and a NUL */

/* Matches one byte of a name, or any number of them. */
struct cgroup_token {
	__u8 is_star;
	__u8 set[32]; /* the bytes that match: a bit for each */
};

/* For one name of a path. That for the names below follows it, unless it is the last one of the pattern. */
struct cgroup_glob {
	__u32 length;
	__u8 is_last;
	__u8 hides_dots; /* no name matches that begins with a period */
	__u8 was_matched; /* when user space looked */
	struct cgroup_token tokens[CGROUP_NAME];
};

struct cgroup_match {
	__u32 token, at; /* of the pattern, of the name */
	__u32 star_token, star_at; /* where to go on if the latest star takes one byte more */
	__u8 has_star, is_over, matches;
};

/* More steps than that no name needs: each byte for which a star stands begins the comparison again. */
#define CGROUP_MATCH_STEPS (CGROUP_NAME * CGROUP_NAME)

static inline __attribute__((always_inline)) void cgroup_match__step(struct cgroup_match *match,
								     const struct cgroup_glob *glob, const char *name)
{
	const struct cgroup_token *token = &glob->tokens[match->token % CGROUP_NAME];
	const __u8 byte = name[match->at % CGROUP_NAME];
	const __u8 has_token = match->token < glob->length;

	if (has_token && token->is_star) {
		match->has_star = 1;
		match->star_token = ++match->token;
		match->star_at = match->at;
	} else if (has_token && byte && token->set[byte / 8] >> byte % 8 & 1) {
		match->token++;
		match->at++;
	} else if (!has_token && !byte) {
		match->matches = match->is_over = 1;
	} else if (match->has_star && name[match->star_at % CGROUP_NAME]) {
		match->at = ++match->star_at;
		match->token = match->star_token;
	} else {
		match->is_over = 1;
	}
}
