# SPDX-License-Identifier: GPL-2.0-or-later
"""One run of forktax against what strace and wait4 saw of the very same processes."""
from collections import Counter

import rules


def check_errors(check, got, seen, unknown):
    """By call, or by call and errno."""
    for key in sorted(set(got) | set(seen)):
        least, most = seen[key], seen[key] + unknown[key[:2]]
        check.that(least <= got[key] <= most,
                   f"errors of {' '.join(key)}: forktax {got[key]}, strace {least}, "
                   f"and {unknown[key[:2]]} calls whose end it did not see")


def without_errno(errnos):
    total = Counter()
    for (abi, name, _), count in errnos.items():
        total[abi, name] += count
    return total


def check_attempts(check, what, entered, denied, seen, all_seen, misnamed=Counter()):
    """Entered calls and, if they were all shown to strace, denied ones are what strace saw."""
    for key in sorted(set(entered) | set(denied) | set(seen), key=str):
        most = entered[key] + denied[key]
        least = most if all_seen else entered[key]
        check.that(least <= seen[key] <= most + misnamed[key],
                   f"calls of {what} {key}: forktax {entered[key]}, denied {denied[key]}, "
                   f"strace {seen[key]}")


def check_strace(check, run, log, sample=None):
    all_seen = sample in rules.SECCOMP
    denied = run.calls("denied")
    check_attempts(check, "name", rules.drop_abi_of_unknown(run.calls()),
                   rules.drop_abi_of_unknown(denied), rules.strace_calls(log, sample), all_seen,
                   rules.maybe_misnamed(log))
    seen, unknown = rules.strace_errnos(log, denied), rules.outcome_unknown_to_strace(log)
    check_errors(check, rules.drop_abi_of_unknown(run.calls("errors")), without_errno(seen), unknown)
    check_errors(check, rules.drop_abi_of_unknown(run.errnos()), seen, unknown)
    followed = rules.strace_calls_by_process(log)
    entered = run.calls_by_pid()
    if sample in rules.UNTRACED:
        entered = Counter({pid: count for pid, count in entered.items() if pid in followed})
    check_attempts(check, "process", entered, run.calls_by_pid("denied"), followed, all_seen)


def check_wait4(check, run, witnessed):
    minflt, majflt, _ = witnessed
    known = [one for one in run.children() if rules.known_to_wait4(run, one)]
    check.equal("minor faults (forktax, not wait4)", sum(one["minflt"] for one in known), minflt)
    check.equal("major faults (forktax, not wait4)", sum(one["majflt"] for one in known), majflt)
