// SPDX-License-Identifier: GPL-2.0-or-later
/* watch-textfile PROM FILE: writes the textfile of a saved sample, for tests. */
#include <err.h>

#include "report/watch/watch_textfile.h"
#include "saved/saved.h"

int main(int argc, char **argv)
{
	struct saved saved;
	char *message;

	if (argc != 3)
		errx(2, "usage: watch-textfile PROM FILE");
	if (saved__load(argv[2], &saved, &message) < 0 || !saved.watch_sample)
		errx(2, "cannot read %s", argv[2]);
	if (watch_textfile__write(argv[1], saved.watch_sample, &message) < 0)
		errx(1, "%s", message);
	return 0;
}
