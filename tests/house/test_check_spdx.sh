#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Shows scripts/check-spdx a small repository, one file at a time. Prints TAP.

set -u
script=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-spdx
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git init -q "$tree"
count=0
failed=0
tag=SPDX-License-Identifier:

# check NAME FILE TEXT EXPECTED: what is said about that file alone.
check()
{
	local said
	mkdir -p "$tree/$(dirname "$2")"
	printf '%b' "$3" >"$tree/$2"
	git -C "$tree" add -f "$2"
	said=$("$script" "$tree")
	git -C "$tree" rm -q -f "$2"
	count=$((count + 1))
	if [ "$said" = "$4" ]; then
		echo "ok $count - $1"
	else
		echo "# said: $said"
		echo "not ok $count - $1"
		failed=1
	fi
}

none='no SPDX-License-Identifier in its first three lines'
other='not the licence of its folder'
both='(GPL-2.0-only WITH Linux-syscall-note) OR MIT'
check 'a C comment' core/a.c "/* $tag MIT */\n" ''
check 'a line comment' lib/a.c "// $tag MIT\n" ''
check 'below the #! line' scripts/a "#!/bin/sh\n# $tag MIT\n" ''
check 'an HTML comment' docs/a.md "<!-- $tag MIT -->\n# A\n" ''
check 'a man page' man/a.1 ".\\\\\" $tag MIT\n" ''
check 'missing' cli/a.c 'int a;\n' "cli/a.c: $none"
check 'too far down' cli/a.c "\n\n\n/* $tag MIT */\n" "cli/a.c: $none"
check 'GPL in the kernel folder' kernel/a.c "// $tag GPL-2.0-only\n" ''
check 'MIT in the kernel folder' kernel/a.c "// $tag MIT\n" "kernel/a.c: $other: MIT"
check 'GPL in the core' core/a.h "/* $tag GPL-2.0-only */\n" "core/a.h: $other: GPL-2.0-only"
check 'both for uapi' include/uapi/a.h "/* $tag $both */\n" ''
check 'MIT alone for uapi' include/uapi/a.h "/* $tag MIT */\n" "include/uapi/a.h: $other: MIT"
check 'a recording' tests/data/a.bin 'bytes' ''
check 'a note in a folder' lab/README 'text\n' ''
check 'JSON has no comments' docs/schema/a.json '{}' ''
check 'a name with blanks' 'docs/a b.md' '# A\n' "docs/a b.md: $none"
echo "1..$count"
exit $failed
