# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What forktax needs from the distribution. To be sourced:
#
#	. tests/lib/root.sh
#	. tests/lib/packages.sh
#	root__find
#	packages__install tests/packages-build.txt tests/packages-test.txt
#
# says what it is about to install, installs it, and does nothing when all is there. Without root it goes on,
# unless something is missing that is needed: then it says what root has to install.

# The packages of the given lists, without comments; $1 is `all` or `needed`.
packages__list()
{
	local which=$1 name rest
	shift
	# The newline between the files matters only for one without a last newline.
	awk 1 "$@" | while read -r name rest; do
		case $name in
		'' | '#'*) ;;
		'?'*) if [ "$which" = all ]; then echo "${name#?}"; fi ;;
		*) echo "$name" ;;
		esac
	done
}

packages__is_installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Missing ones among the packages named on stdin.
packages__missing()
{
	local name
	while read -r name; do
		packages__is_installed "$name" || echo "$name"
	done
}

packages__apt()
{
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

# bpftool is a package of its own on Debian; Ubuntu before 25.10 has it in linux-tools-common.
packages__resolve()
{
	local name
	while read -r name; do
		if [ "$name" = bpftool ] && command -v bpftool >/dev/null; then
			continue
		fi
		echo "$name"
	done
}

# Packages that apt can install, of those named on stdin; names the others on stderr.
packages__available()
{
	local name
	while read -r name; do
		if apt-cache show "$name" >/dev/null 2>&1; then
			echo "$name"
		else
			echo "packages: $name: this distribution does not have it; going on without" >&2
		fi
	done
}

# Without root.
packages__go_on_without()
{
	local missing needed
	missing=$(paste -sd ' ')
	needed=$(packages__list needed "$@" | packages__resolve | packages__missing | paste -sd ' ')
	if [ -z "$needed" ]; then
		echo "packages: $no_root: going on without $missing" >&2
		return
	fi
	{
		echo "packages: $no_root. Have root install these packages, then start again:"
		echo "    apt-get install --no-install-recommends $needed"
	} >&2
	return 1
}

packages__install()
{
	local missing wanted
	if ! command -v apt-get >/dev/null; then
		echo "packages: no apt-get here: have these installed (the names are Debian's):" >&2
		packages__list all "$@" | paste -sd ' ' >&2
		return 0
	fi
	missing=$(packages__list all "$@" | packages__resolve | packages__missing)
	if [ -z "$missing" ]; then
		return 0
	fi
	if [ -n "$no_root" ]; then
		packages__go_on_without "$@" <<<"$missing"
		return
	fi
	echo "About to install these packages with apt-get: $(paste -sd ' ' <<<"$missing")"
	packages__apt update -q || echo "packages: apt-get update failed; trying with the old lists" >&2
	wanted=$(packages__available <<<"$missing")
	if [ -n "$wanted" ]; then
		# shellcheck disable=SC2086 # one word per package
		packages__apt install -q -y --no-install-recommends $wanted || return
	fi
	missing=$(packages__list needed "$@" | packages__resolve | packages__missing)
	if [ -n "$missing" ]; then
		echo "packages: still missing: $(paste -sd ' ' <<<"$missing")" >&2
		return 1
	fi
}
