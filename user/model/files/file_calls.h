/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that deal with files or descriptors: what each does, and which of its arguments say
 * with what. Facts of the manual pages, section 2.
 */
#ifndef FORKTAX_MODEL_FILES_FILE_CALLS_H
#define FORKTAX_MODEL_FILES_FILE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/files/files.h"

/* What a call that succeeds does to the descriptors, or to the working directory, of its process. */
enum file_effect {
	EFFECT_NONE, /* of a call that uses no file either, only its descriptor is of interest */
	EFFECT_OPEN, /* the result is a descriptor of the path */
	EFFECT_MAKE, /* the result is a descriptor of `what` */
	EFFECT_PAIR, /* the same for two descriptors, in memory */
	EFFECT_CLOSE,
	EFFECT_CLOSE_RANGE,
	EFFECT_DUP, /* the result is another descriptor of the same */
	EFFECT_DUP_TO, /* the second argument is, now */
	EFFECT_FCNTL,
	EFFECT_CHDIR,
	EFFECT_FCHDIR,
	EFFECT_UNSHARE,
	EFFECT_EXEC,
};

/* Arguments are numbered from 1; 0: it has none. */
struct file_call {
	const char *name;
	enum file_use use; /* FILE_USE_COUNT: it uses no file */
	enum file_effect effect;
	uint8_t path, directory; /* relative paths begin at this descriptor; 0: the working directory */
	uint8_t other, other_directory; /* of a second path */
	uint8_t descriptor;
	uint8_t flags; /* says whether the new descriptor is closed by an execve ... */
	uint32_t cloexec; /* ... by this bit; UINT32_MAX: always, 0: never */
	const char *what;
	uint8_t pair; /* points to two new descriptors */
	uint8_t length; /* bytes used, where the result does not tell: mmap */
	uint8_t replaced; /* a descriptor that is closed, if it is open: dup2 */
	bool lists; /* its descriptors are in memory: poll */
	uint8_t written; /* a descriptor that is written to, while `descriptor` is read from: sendfile */
};

/* NULL: it deals with none. `name` as in struct syscall_row. */
const struct file_call *file_call__find(const char *name);

#endif
