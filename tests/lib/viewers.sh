# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs of others that exports are for, into build/viewers, where tests/exports finds them. To be
# sourced, in the top of the tree:
#
#	. tests/lib/viewers.sh
#	viewers__speedscope	# 1 MB, from npm
#	viewers__promtool	# 19 MB, from Debian's package prometheus, which is not installed
#
# Without npm, or without a network: says so, and goes on.

viewers__speedscope()
{
	local version=1.25.0 to=build/viewers/speedscope
	[ -e "$to/node_modules/speedscope/dist/release/index.html" ] && return 0
	if ! command -v npm >/dev/null; then
		echo "speedscope: no npm: tests that need it are skipped" >&2
		return 0
	fi
	echo "About to install from npm into $to: speedscope@$version"
	mkdir -p "$to"
	if ! npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$to" \
		"speedscope@$version"
	then
		rm -rf "$to"
		echo "speedscope: that failed: going on without; tests that need it are skipped" >&2
	fi
}

viewers__promtool()
{
	local to=$PWD/build/viewers scratch
	{ [ -x "$to/promtool" ] || command -v promtool >/dev/null; } && return 0
	scratch=$(mktemp -d)
	echo "About to take promtool out of Debian's package prometheus, into $to"
	mkdir -p "$to"
	if ! (cd "$scratch" && apt-get download -qq prometheus && dpkg -x prometheus_*.deb . &&
		cp usr/bin/promtool "$to/") 2>"$scratch/said"
	then
		cat "$scratch/said" >&2
		echo "promtool: that failed: going on without; tests that need it are skipped" >&2
	fi
	rm -rf "$scratch"
}
