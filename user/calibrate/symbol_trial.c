// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/trials.h"

#include <dlfcn.h>
#include <unistd.h>

bool symbol_trial__prepare(struct trial_setup *setup)
{
	Dl_info info;

	setup->libc = dladdr((void *)getppid, &info) && info.dli_fname ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
								       : NULL;
	if (!setup->libc)
		setup->libc = RTLD_DEFAULT;
	return true;
}

/* As ld.so looks up a function at its first call, but in the C library alone. */
bool symbol_trial__measure(struct trial_setup *setup, double *ns)
{
	static const char *const names[] = { "getppid", "strtoull", "tolower", "regexec", "nice",
					     "setsid",	"towupper", "ffs" };
	static const size_t count = sizeof(names) / sizeof(names[0]);
	size_t found = 0;
	double begin;

	trial__chill(setup);
	begin = raw__now();
	for (size_t i = 0; i < count; i++)
		found += dlsym(setup->libc, names[i]) != NULL;
	*ns = (raw__now() - begin) / (double)count;
	return found == count;
}
