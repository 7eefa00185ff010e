/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which call it is: see arch.h.
 */
#ifndef FORKTAX_ARCH_CALLS_H
#define FORKTAX_ARCH_CALLS_H

#define LAUNCH_EXECVE NR_execve /* what forktax's own launcher calls */

static __always_inline bool is_execve(const struct call_key *key)
{
	return IS_CALL(key, execve) || IS_CALL(key, execveat);
}

static __always_inline bool is_exit(const struct call_key *key)
{
	return IS_CALL(key, exit) || IS_CALL(key, exit_group);
}

static __always_inline bool is_waitid(const struct call_key *key)
{
	return IS_CALL(key, waitid);
}

static __always_inline bool is_wait(const struct call_key *key)
{
	return IS_CALL(key, wait4) || is_waitid(key) || IS_CALL(key, waitpid);
}

static __always_inline bool is_seccomp(const struct call_key *key)
{
	return IS_CALL(key, seccomp);
}

static __always_inline bool is_futex(const struct call_key *key)
{
	return IS_CALL(key, futex) || IS_CALL(key, futex_time64) || IS_CALL(key, futex_waitv) ||
	       IS_CALL(key, futex_wake) || IS_CALL(key, futex_wait) || IS_CALL(key, futex_requeue);
}

static __always_inline bool is_creation(const struct call_key *key)
{
	return IS_CALL(key, clone) || IS_CALL(key, fork) || IS_CALL(key, vfork) || IS_CALL(key, clone3);
}

static __always_inline enum tree_call tree_call_of(const struct call_key *key)
{
	if (is_creation(key))
		return TREE_CALL_CREATES;
	if (is_execve(key))
		return TREE_CALL_EXECUTES;
	if (is_wait(key))
		return TREE_CALL_WAITS;
	if (is_exit(key))
		return TREE_CALL_ENDS;
	return TREE_CALL_OTHER;
}

/* `nr`: of a task that is, or is not, in a call of 32-bit programs. */
static __always_inline enum flags_place flags_place(long nr, bool compat)
{
	nr = plain_number(nr);
	if (nr == (compat ? COMPAT_clone : NR_clone))
		return FLAGS_IN_ARGUMENT;
	if (nr == (compat ? COMPAT_fork : NR_fork))
		return FLAGS_OF_FORK;
	if (nr == (compat ? COMPAT_vfork : NR_vfork))
		return FLAGS_OF_VFORK;
	return nr == NR_clone3 ? FLAGS_IN_MEMORY : FLAGS_NOWHERE; /* the first word there */
}

/* Is a number that of a fork in some convention? Others may have it, too, but hardly any call comes through. */
static __always_inline bool may_be_fork(long nr)
{
	nr = plain_number(nr);
	return nr == NR_clone || nr == NR_fork || nr == NR_clone3 || nr == COMPAT_clone || nr == COMPAT_fork;
}

#endif
