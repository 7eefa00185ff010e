/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * binder PLUGIN [now]: eight children, one after the other, that bind functions through the slots of
 * the program, of a library that it is linked with, and of one that it has opened. Compiled three
 * times, the libraries with -DPART; C and C++. With `now` the library is opened with RTLD_NOW.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __cplusplus
#include <sstream>
#define PUBLIC extern "C"
#else
#define PUBLIC
#endif

enum { CHILDREN = 8, ROOM = 30000 };

#define NAME_OF(part)	 part##_binds
#define FUNCTION(part)	 NAME_OF(part)

PUBLIC int linked_binds(void);

#ifdef PART
PUBLIC int FUNCTION(PART)(void);

int FUNCTION(PART)(void)
{
	static const char text[] = "forktax";
	char copy[sizeof(text)];

	memcpy(copy, text, sizeof(text));
	return (int)(getgid() + getegid() + geteuid() + strtoul(text, NULL, 10)) + copy[0];
}
#else
static volatile char initialised[ROOM] = { 1 }, empty[ROOM];
static const char *const relocated[] = { "one", "two", "three" };

static int child(int (*opened)(void))
{
	int sum = linked_binds() + opened() + (int)getppid() + (int)getuid();

#ifdef __cplusplus
	std::ostringstream text;

	text << relocated[1] << sum;
	sum += (int)text.str().size();
#endif
	return sum + (int)strlen(relocated[2]);
}

int main(int argc, char **argv)
{
	void *plugin = dlopen(argv[1], argc > 2 ? RTLD_NOW : RTLD_LAZY);
	int (*opened)(void) = plugin ? (int (*)(void))dlsym(plugin, "opened_binds") : NULL;

	if (!opened)
		return 1;
	initialised[1] = empty[1] = 1;
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (!pid) {
			child(opened);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}
#endif
