# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Words of the scenarios boot-*.sh: tables of boot times where boot-fpdt.dsl points to, and what a
# document of hadal's says.

fbpt=0x10000000
s3pt=0x10000100

# put ADDRESS WIDTH VALUE...: values one behind the other, as firmware writes them.
put()
{
	at=$1 width=$2
	shift 2
	for value in "$@"; do
		devmem "$at" "$width" "$value"
		at=$(printf '0x%x' $((at + width / 8)))
	done
}

# put_fbpt RESET-END LOAD LAUNCH EXIT EXITED: a table of this boot, in nanoseconds.
put_fbpt()
{
	put $fbpt 32 0x54504246 56 0x02300002 0
	put 0x10000010 64 "$@"
}

# put_s3pt COUNT LAST AVERAGE
put_s3pt()
{
	put $s3pt 32 0x54503353 32 0x01180000 "$1"
	put 0x10000110 64 "$2" "$3"
}

# spans FILE SOURCE: what a source says in a document, a line each: start duration name
spans()
{
	awk -F '"' -v source="$2" '
		$2 == "spans" { inside = 1 }
		$2 == "name" { name = $4 }
		$2 == "start_ns" || $2 == "duration_ns" { gsub(/[^0-9]/, "", $3); value[$2] = $3 }
		$2 == "source" && $4 == source { mine = 1 }
		/}/ && mine && inside { print value["start_ns"], value["duration_ns"], name }
		/}/ { mine = 0 }' "$1"
}
