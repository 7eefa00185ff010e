# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# To be sourced: an apt for one architecture, with all of its state in one directory. It uses the mirrors of this
# machine's apt; neither the sources nor the package lists of the machine are touched.
private_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The archive that this machine's apt is configured with; security has one of its own.
mirror_of() {
	local suite='^[a-z]+$'
	[[ $1 == *-security ]] && suite='-security$'
	apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' |
		awk -v suite="$suite" '$2 ~ suite { print $1; exit }'
}

# private_apt DIRECTORY ARCHITECTURE TOOL ARGUMENTS...
private_apt() {
	local state=$1 architecture=$2 tool=$3
	shift 3
	"$tool" -q -o Dir::State="$state/state" -o Dir::State::status=/dev/null \
		-o Dir::Cache="$state/cache" -o Dir::Etc::sourcelist="$state/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null -o APT::Architecture="$architecture" \
		-o APT::Architectures::="$architecture" -o Acquire::Languages=none \
		-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

# private_apt_update DIRECTORY ARCHITECTURE SUITE... : prints the suites that cannot be reached.
private_apt_update() {
	local state=$1 architecture=$2 suite mirror signed=
	shift 2
	mkdir -p "$state/state/lists/partial" "$state/cache/archives/partial"
	[ -r $private_keyring ] && signed=" signed-by=$private_keyring"
	for suite; do
		mirror=$(mirror_of "$suite")
		[ -n "$mirror" ] && echo "deb [arch=$architecture$signed] $mirror $suite main"
	done >"$state/sources.list"
	private_apt "$state" "$architecture" apt-get update >"$state/update.log" 2>&1 || true
	for suite; do
		compgen -G "$state/state/lists/*_dists_${suite}_main_*Packages*" >/dev/null || echo "$suite"
	done
}
