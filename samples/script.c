/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A script whose interpreter is a script: one execve, one new image, three files. The scripts are
 * made in /tmp for the run and removed by it.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "sample.h"

enum { CALLS = 12, PATH = 200 };

extern char **environ;

/* Makes a script of its first line only; `path` ends with XXXXXX and becomes its name. */
static void write_script(char *path, const char *interpreter)
{
	int fd = mkstemp(path);

	if (fd < 0 || fchmod(fd, 0700) || write(fd, "#!", 2) != 2 ||
	    write(fd, interpreter, strlen(interpreter)) != (ssize_t)strlen(interpreter) ||
	    write(fd, "\n", 1) != 1 || close(fd))
		sample__fail("script: cannot write a script in /tmp\n");
}

int main(int argc, char **argv)
{
	char inner[] = "/tmp/forktax-sample-XXXXXX", outer[] = "/tmp/forktax-sample-XXXXXX";
	char interpreter[PATH + 10];
	char *const script[] = {outer, NULL};
	ssize_t length;

	/* SELF --leaf INNER OUTER, as the kernel composed it from the two first lines. */
	if (sample__is_leaf(argc, argv)) {
		raw__repeat(NR_getppid, 0, CALLS);
		return unlink(argv[2]) || unlink(argv[3]);
	}
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 2,
			.calls = {{"execve", .calls = 2, .of_root = 2},
				  {"getppid", .calls = CALLS, .of_root = CALLS},
				  {CALL_OF_UNLINK, .calls = 2, .of_root = 2}},
		});
	length = readlink("/proc/self/exe", interpreter, PATH);
	if (length < 0 || length > 110)
		sample__skip("script: the path of this program is too long for a first line\n");
	strcpy(interpreter + length, " --leaf");
	write_script(inner, interpreter);
	write_script(outer, inner);
	execve(outer, script, environ);
	sample__fail("script: cannot execute it; is /tmp mounted noexec?\n");
}
