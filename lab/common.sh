# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# What the lab's scripts share: where things lie, how they say why they stop.

lab_top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
HADAL_CACHE=${HADAL_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/hadal}
lab_build=${HADAL_BUILD:-$lab_top/build}/lab

# say TEXT: progress, for people.
say()
{
	echo "lab: $*" >&2
}

# die TEXT: the lab itself failed.
die()
{
	say "error: $*"
	exit 3
}

# skip TEXT: something that the lab needs is not to be had here; meson knows the status.
skip()
{
	say "SKIP: $*"
	exit 77
}

# need PROGRAM PACKAGE
need()
{
	command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed (Debian package $2)"
}

# locked FOLDER COMMAND...: one run at a time among those that use this folder.
locked()
{
	mkdir -p "$1"
	lock=$1/lock
	shift
	(
		flock 9
		"$@"
	) 9>"$lock"
}

# kernel_release KERNEL: its version, as in /lib/modules.
kernel_release()
{
	cat "$HADAL_CACHE/$1/release"
}

# header SCENARIO KEY DEFAULT: the value of the line "# KEY: VALUE" at the scenario's top.
header()
{
	value=$(sed -n "/^#/!q; s/^# $2: *//p" "$1" | head -n 1)
	echo "${value:-$3}"
}
