// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/interpreters.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct interpreter interpreters[] = {
	{ "python", "Keep what children only read in few large objects (bytes, array, mmap): to "
		    "use an object is to write its reference count, and each lies in front of its "
		    "data. If they collect garbage, gc.freeze() before forking, or gc.disable(). "
		    "Python 3.12 no longer counts references to constants." },
	{ "ruby", "Call Process.warmup (Ruby 3.3) before the first fork." },
	{ "perl", "Load and compile everything before the first fork, and keep numbers and strings "
		  "apart: a value that is used as the other is written to. Let children leave by "
		  "POSIX::_exit: exit frees what they have inherited." },
	{ "php", "Preload code with opcache before forking workers." },
};

const struct interpreter *interpreter__named(const char *object)
{
	object += strncmp(object, "lib", 3) ? 0 : 3;
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(interpreters[0]); i++) {
		const size_t length = strlen(interpreters[i].name);

		/* python3.11, libperl.so.5.36, php-fpm8.2; but not perlin */
		if (!strncmp(object, interpreters[i].name, length) && !isalpha((unsigned char)object[length]))
			return &interpreters[i];
	}
	return NULL;
}
