/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of one system call, as strace prints it: "openat(AT_FDCWD, "/etc", O_RDONLY) = 3 <0.000042>"
 */
#ifndef FORKTAX_SOURCE_STRACE_CALL_TEXT_H
#define FORKTAX_SOURCE_STRACE_CALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum call_ending {
	ENDING_TORN,	 /* the text ends in the middle */
	ENDING_UNFINISHED, /* "<unfinished ...>": the rest comes later, or never */
	ENDING_DETACHED,	 /* "<detached ...>": the rest never comes */
	ENDING_NO_RETURN,	 /* "= ?": exit_group, or killed in it */
	ENDING_UNKNOWN,	 /* "= -1 (errno 18446744073709551554)": no error has such a number */
	ENDING_RETURNED,
};

/* The largest number that the kernel gives to an error. */
enum { ERRNO_MOST = 4095 };

struct call_text {
	enum call_ending end;
	const char *arguments; /* between the parentheses, as far as they are known */
	size_t length;
	bool failed;
	const char *error; /* its name, "ENOENT"; NULL: none, or only a number */
	size_t error_length;
	bool has_result; /* it is a number */
	int64_t result; /* -errno is not known here: -1 if it failed with a name */
	const char *result_text; /* of -y: where "3</etc/passwd>" begins; NULL: it is only a number */
	const char *result_end;
	uint64_t time_ns; /* -T; ABSENT */
};

/* `text` begins with "name(" and ends with a NUL at `length`, or with any other byte there. */
void call_text__read(struct call_text *read, const char *text, size_t length);

/*
 * From the begin of an argument to the comma or parenthesis that ends it, or to `end`: quotes,
 * brackets and the <paths> of -y are passed over. NULL: a bracket or a quote is not closed.
 */
const char *call_text__argument_end(const char *at, const char *end);

/*
 * Behind the blanks before an argument, and behind its name: "fd=3" with -N (7.0), and clone's
 * "child_stack=NULL, flags=..." in every version. No flag, number or string begins like one.
 */
const char *call_text__argument_value(const char *at, const char *end);

#endif
