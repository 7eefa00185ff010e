// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"
#include "measure/pool/pool_ksm.h"

/*
 * Python imports the first sitecustomize that it finds; ours then makes way for the next one. The file
 * "done" tells that a fork came through here: python -I and -S do not import it.
 */
static const char python[] =
	"import gc, os, sys\n"
	"here = os.path.dirname(__file__)\n"
	"def freeze():\n"
	"    gc.freeze()\n"
	"    try:\n"
	"        with open(here + '/done', 'a') as file: file.write('.')\n"
	"    except OSError: pass\n"
	"os.register_at_fork(before=freeze)\n"
	"sys.path[:] = [one for one in sys.path if one != here]\n"
	"ours = sys.modules.pop('sitecustomize')\n"
	"try: import sitecustomize\n"
	"except ImportError: sys.modules['sitecustomize'] = ours\n";

/* Objects age with each collection, and the old ones are not written to any more. */
static const char ruby[] =
	"Process.singleton_class.prepend(Module.new do\n"
	"  def _fork\n"
	"    unless @forktax_done\n"
	"      @forktax_done = true\n"
	"      4.times { GC.start }\n"
	"      GC.compact if GC.respond_to?(:compact)\n"
	"      File.write(\"#{__dir__}/done\", '.') rescue nil\n"
	"    end\n"
	"    super\n"
	"  end\n"
	"end)\n";

/* By enum pool_way: how a runtime is made to do what no setting does. */
static const struct recipe {
	const char *variable; /* that has to name the file, or its directory; NULL: there is no recipe */
	const char *before, *after; /* what stands around the directory in its value */
	char separator; /* before what the user has there */
	const char *file, *text;
	const char *runtime;
} recipes[POOL_WAYS] = {
	[POOL_FREEZE] = { "PYTHONPATH", "", "", ':', "sitecustomize.py", python,
			 "Python has not imported our sitecustomize before it forked (-I, -E, -S, "
			 "another PYTHONPATH keep it from that), or forked without os.fork()" },
	[POOL_COMPACT] = { "RUBYOPT", "-r", "/forktax.rb", ' ', "forktax.rb", ruby,
			  "Ruby has not come by Process._fork (Ruby 3.1) before it forked" },
};

static int write_file(const char *directory, const char *name, const char *text, mode_t mode)
{
	autofree char *path = text__of("%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	ssize_t length = strlen(text);
	int result = fd >= 0 && write(fd, text, length) == length && !fchmod(fd, mode) ? 0 : -1;

	if (fd >= 0)
		close(fd);
	return result;
}

/* The pool may run as another user: all may read the files, and write into the one that tells. */
static int make_files(struct pool_remedy *remedy, const struct recipe *recipe)
{
	const char *base = getenv("TMPDIR");

	remedy->directory = text__of("%s/forktax-XXXXXX", base && *base == '/' ? base : "/tmp");
	if (!mkdtemp(remedy->directory)) {
		free(remedy->directory);
		remedy->directory = NULL;
		return -1;
	}
	if (chmod(remedy->directory, 0755) ||
	    write_file(remedy->directory, recipe->file, recipe->text, 0644))
		return -1;
	return write_file(remedy->directory, "done", "", 0666);
}

/* Before what the user has there. */
static char *setting_of(const struct pool_remedy *remedy, const struct recipe *recipe)
{
	const char *now = getenv(recipe->variable);
	char *setting = text__of("%s=%s%s%s", recipe->variable, recipe->before, remedy->directory, recipe->after);

	if (now && *now)
		text__replace(&setting, "%s%c%s", setting, recipe->separator, now);
	return setting;
}

static bool is_set(const char *setting)
{
	autofree char *name = text__of("%.*s", (int)strcspn(setting, "="), setting);

	return getenv(name);
}

int pool_remedy__prepare(struct pool_remedy *remedy, enum pool_way way, char **reason)
{
	const struct recipe *recipe = &recipes[way];
	autofree char *setting = text__copy(pool_way_settings[way]);

	*remedy = (struct pool_remedy){ .way = way };
	if (way == POOL_MERGE) {
		*reason = pool_ksm__refusal();
		return *reason ? -1 : 0;
	}
	if (setting && is_set(setting))
		return error__set(reason, "%.*s is set already", (int)strcspn(setting, "="), setting);
	if (recipe->variable && make_files(remedy, recipe))
		return error__set(reason, "cannot make files in %s: %s",
				  remedy->directory ? remedy->directory : "a directory of /tmp",
				  strerror(errno));
	if (recipe->variable)
		setting = setting_of(remedy, recipe);
	if (setting)
		remedy->environment = environment__changed((const char *[]){ setting, NULL });
	return 0;
}

static off_t size_of_done(const struct pool_remedy *remedy)
{
	autofree char *path = text__of("%s/done", remedy->directory);
	struct stat status;
	bool good = !stat(path, &status);

	return good ? status.st_size : 0;
}

char *pool_remedy__refusal(const struct pool_remedy *remedy)
{
	if (!remedy->directory || size_of_done(remedy))
		return NULL;
	return checked_strdup(recipes[remedy->way].runtime);
}

void pool_remedy__rewind(const struct pool_remedy *remedy)
{
	char *path;

	if (!remedy->directory)
		return;
	path = text__of("%s/done", remedy->directory);
	if (truncate(path, 0))
		remove(path);
	free(path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	return remove(path);
}

void pool_remedy__release(struct pool_remedy *remedy)
{
	if (remedy->directory)
		nftw(remedy->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(remedy->directory);
	text__free_list(remedy->environment);
	*remedy = (struct pool_remedy){ 0 };
}
