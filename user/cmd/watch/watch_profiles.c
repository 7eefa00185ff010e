// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/watch_profiles.h"

#include "base/autofree.h"
#include "base/clock.h"
#include "cmd/commands.h"
#include "model/watch/watch_words.h"
#include "report/watch/watch_profile_files.h"
#include "source/watching.h"

void watch_profiles__begin(struct watch_profiles *profiles)
{
	profiles->began_ns = clock__now_ns();
}

static int try_to_write(struct watch_profiles *profiles, struct watching *watching, const struct watch_sample *sample,
			char **message)
{
	const double now = clock__now_ns();
	struct copy_profile *copies = watching__copies(watching);
	const struct watch_profile profile = {
		.copies = copies,
		.before = profiles->before,
		.sample = sample,
		.seconds = (now - profiles->began_ns) / 1e9,
		.version = FORKTAX_VERSION,
	};
	int err;

	copy_files__resolve(&profiles->files, copies);
	err = watch_profile_files__write(profiles->directory, &profile, message);
	copy_profile__free(copies);
	if (err)
		return err;
	watching__forget_copies(watching);
	watch_sample__free(profiles->before);
	profiles->before = watch_sample__copy(sample);
	profiles->began_ns = now;
	return watch_profile_files__keep(profiles->directory, profiles->keep, message);
}

void watch_profiles__write(struct watch_profiles *profiles, struct watching *watching,
			   const struct watch_sample *sample)
{
	autofree char *message = NULL;
	bool failed;

	if (sample->level != WATCH_CLASSES)
		return;
	failed = try_to_write(profiles, watching, sample, &message) != 0;
	if (failed && !profiles->failed)
		print_error("watch", 0, "%s; it is tried again with each sample", message);
	else if (!failed && profiles->failed)
		print_error("watch", 0, "profiles in %s are written again", profiles->directory);
	profiles->failed = failed;
}

void watch_profiles__release(struct watch_profiles *profiles)
{
	copy_files__release(&profiles->files);
	watch_sample__free(profiles->before);
}
