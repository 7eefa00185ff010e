// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cgroups that are created while their patterns are followed (--cgroup): they are watched from their creation on. The
 * kernel reports it before the directory can be seen, so no process can be in it yet; and it creates, and removes,
 * one at a time (cgroup_mutex), so that global variables do.
 */
#include "cgroups.h"

/* User space asks for as many of these two as it has. */
ARRAY_MAP(cgroup_globs, struct cgroup_glob, 1);
HASH_MAP(cgroup_places, struct cgroup_place_key, __u32, 1);

static char new_name[CGROUP_NAME];
static struct cgroup_match match;

struct new_cgroup {
	__u64 id, parent;
	__u64 places; /* patterns for the cgroups below it, so far */
};

static long match_on(__u32 step, void *context)
{
	const struct cgroup_glob *glob = bpf_map_lookup_elem(&cgroup_globs, context);

	if (!glob)
		return 1;
	cgroup_match__step(&match, glob, new_name);
	return match.is_over ? 1 : 0;
}

static __always_inline bool name_matches(const struct cgroup_glob *glob, __u32 index)
{
	if (new_name[0] == '.' && glob->hides_dots)
		return false;
	__builtin_memset(&match, 0, sizeof(match));
	bpf_loop(CGROUP_MATCH_STEPS, match_on, &index, 0);
	return match.matches;
}

/* For its path, which only user space can put together. */
static __always_inline void announce(const struct new_cgroup *cgroup, __u32 glob)
{
	struct cgroup_message *message = bpf_ringbuf_reserve(&messages, sizeof(*message), 0);

	if (!message) {
		lose(glob == CGROUP_UNNAMED ? LOSS_STORAGE_FAILURES : LOSS_LOST_EVENTS);
		return;
	}
	message->kind = MESSAGE_CGROUP;
	message->glob = glob;
	message->id = cgroup->id;
	message->parent = cgroup->parent;
	__builtin_memcpy(message->name, new_name, sizeof(new_name));
	bpf_ringbuf_submit(message, BPF_RB_FORCE_WAKEUP);
}

static __always_inline void watch_new(struct new_cgroup *cgroup, __u32 glob, bool is_last)
{
	struct cgroup_place_key key = { .cgroup = cgroup->id, .number = cgroup->places };
	const __u32 next = glob + 1;
	const __u64 id = cgroup->id;
	const __u8 yes = 1;
	int err;

	if (is_last) {
		err = bpf_map_update_elem(&watched_cgroups, &id, &yes, BPF_ANY);
	} else {
		err = bpf_map_update_elem(&cgroup_places, &key, &next, BPF_ANY);
		cgroup->places++;
	}
	if (err)
		lose(LOSS_MAP_FULL);
	else
		announce(cgroup, glob);
}

static long try_place(__u32 number, void *context)
{
	struct new_cgroup *cgroup = context;
	struct cgroup_place_key key = { .cgroup = cgroup->parent, .number = number };
	const __u32 *index = bpf_map_lookup_elem(&cgroup_places, &key);
	const struct cgroup_glob *glob;
	__u32 at;

	if (!index)
		return 1;
	at = *index;
	glob = bpf_map_lookup_elem(&cgroup_globs, &at);
	if (glob && name_matches(glob, at))
		watch_new(cgroup, at, glob->is_last);
	return 0;
}

/* That of version 2: ids are unique within one hierarchy only. */
static __always_inline bool is_in_hierarchy(struct cgroup *cgroup)
{
	return !cgroup->root->hierarchy_id;
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgroup)
{
	struct new_cgroup new = { .id = cgroup->kn->id };
	struct cgroup_subsys_state *above = cgroup->self.parent;
	struct cgroup_place_key first = {};

	if (!above || !is_in_hierarchy(cgroup))
		return 0;
	new.parent = first.cgroup = above->cgroup->kn->id;
	if (!bpf_map_lookup_elem(&cgroup_places, &first))
		return 0;
	if (may_probe && bpf_probe_read_kernel_str(new_name, sizeof(new_name), cgroup->kn->name) > 0)
		bpf_loop(CGROUP_PLACES, try_place, &new, 0);
	else
		announce(&new, CGROUP_UNNAMED);
	return 0;
}

static long forget_place(__u32 number, void *context)
{
	struct cgroup_place_key key = { .cgroup = *(__u64 *)context, .number = number };

	return bpf_map_delete_elem(&cgroup_places, &key) != 0;
}

/* No process is left in it. One of the same name has another id. */
SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cgroup)
{
	__u64 id = cgroup->kn->id;

	if (!is_in_hierarchy(cgroup))
		return 0;
	bpf_map_delete_elem(&watched_cgroups, &id);
	bpf_loop(CGROUP_PLACES, forget_place, &id, 0);
	return 0;
}
