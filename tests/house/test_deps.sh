#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs scripts/deps with a package system of its own: programs in front of the real ones that
# note what they were asked and answer as told. Prints TAP.

set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/scripts" "$tree/bin"
cp "$root/scripts/deps" "$tree/scripts/deps"
cat >"$tree/scripts/packages" <<'END'
# heading

## build: first
one    # why
two    # why

## test: second
three
END
count=0
failed=0

# fake NAME BODY: a program that notes its call, then does that.
fake()
{
	printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$tree" "$2" >"$tree/bin/$1"
	chmod +x "$tree/bin/$1"
}

# A machine with all three packages, as root; the network is there.
machine()
{
	rm -f "$tree"/bin/*
	fake dpkg-query 'echo "one installed"; echo "two installed"; echo "three installed"'
	fake apt-get 'exit 0'
	fake id 'echo 0'
	local name
	for name in sh env awk dirname tr cat true; do
		ln -s "$(type -P "$name")" "$tree/bin/$name"
	done
}

# run GROUP...: leaves status, said and calls.
run()
{
	: >"$tree/calls"
	said=$(PATH=$tree/bin "$tree/scripts/deps" "$@" 2>&1 </dev/null)
	status=$?
	calls=$(<"$tree/calls")
}

# type_to ANSWER GROUP...: the same on a terminal, where somebody types that.
type_to()
{
	: >"$tree/calls"
	said=$(echo "$1" | PATH=$tree/bin "$(type -P script)" -q -e -c \
		"$tree/scripts/deps ${*:2}" /dev/null 2>&1 | tr -d '\r'
		exit "${PIPESTATUS[1]}")
	status=$?
	calls=$(<"$tree/calls")
}

# expect NAME STATUS SAID-PATTERN CALLS-PATTERN
expect()
{
	count=$((count + 1))
	# shellcheck disable=SC2053 # patterns are meant
	if [ $status -eq "$2" ] && [[ $said == $3 ]] && [[ $calls == $4 ]]; then
		echo "ok $count - $1"
		return
	fi
	printf '# %s\n' "status $status" "said: ${said//$'\n'/ | }" "calls: ${calls//$'\n'/ | }"
	echo "not ok $count - $1"
	failed=1
}

# skip NAME REASON
skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

machine
run build test
expect 'with everything there: one query, not a word' 0 '' 'dpkg-query *one two three'

fake dpkg-query 'echo "one installed"; echo "two config-files"'
run build test
expect 'what is missing is listed and installed' 0 '*
  two three *' '*
apt-get update -q
apt-get install -q -y --no-install-recommends two three'

if script -q -e -c true /dev/null >/dev/null 2>&1 </dev/null; then
	type_to '' build test
	expect 'on a terminal it asks once, and Enter is yes' 0 '*
  two three *
Install them now? \[Y/n\] *' '*recommends two three'

	type_to n build test
	expect 'no means no, and the command is shown' 1 \
		'*not installed, as you wish*apt-get install --no-install-recommends two three*' \
		'dpkg-query *one two three'
else
	skip 'on a terminal it asks once, and Enter is yes' 'no pseudo-terminals here'
	skip 'no means no, and the command is shown' 'no pseudo-terminals here'
fi

run build
expect 'only the group that was asked for' 0 '*
  two *' '*recommends two'

fake dpkg-query 'echo "one:amd64 installed"; exit 1'
run build
expect 'a failing query means that packages are missing' 0 '*' '*recommends one two'

fake apt-get 'exit 100'
run build
expect 'a failing apt-get is reported, with the command' 1 \
	'*apt-get failed*apt-get update && apt-get install --no-install-recommends one two*' \
	'*apt-get update -q'

machine
fake dpkg-query ''
fake id 'echo 1000'
run build
expect 'no root and no sudo: said plainly' 1 \
	'*not root, and no sudo*As root: apt-get install --no-install-recommends one two*' '*id -u'

# The single quotes are for the program that is written here.
# shellcheck disable=SC2016
fake sudo '[ "$1" != -n ] || shift; exec "$@"'
run build
expect 'sudo that asks nothing is used' 0 '*' '*sudo -n apt-get update*sudo -n env DEBIAN_FRONTEND*'

fake sudo 'exit 1'
run build
expect 'sudo that wants a password is no way without a terminal' 1 '*no sudo*' '*sudo -n true'

machine
rm "$tree/bin/dpkg-query"
run build
expect 'another distribution: said plainly, and on it goes' 0 '*not a Debian system*one two*' ''

machine
run nonsense
expect 'an unknown group is a usage error' 2 '*nonsense: no such group*' ''

run
expect 'no group is a usage error' 2 'usage:*' ''

echo "1..$count"
exit $failed
