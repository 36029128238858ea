#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Shows scripts/check-freestanding small cores, right and wrong. Prints TAP.

set -u
script=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-freestanding
count=0
failed=0

# check NAME TARGETS EXPECTED-STATUS EXPECTED-WORDS BODY: a core whose one source has that body.
check()
{
	local tree said status
	tree=$(mktemp -d)
	mkdir -p "$tree/core" "$tree/tests/house/port"
	printf '/* port_clock */\n#include <stdint.h>\n#include <port_impl.h>\n' >"$tree/core/port.h"
	echo 'uint64_t port_clock(void);' >"$tree/tests/house/port/port_impl.h"
	printf '#include "core/port.h"\n%s\n' "$5" >"$tree/core/part.c"
	# shellcheck disable=SC2086 # the targets are words
	said=$("$script" "$tree" $2 2>&1)
	status=$?
	rm -rf "$tree"
	count=$((count + 1))
	if [ $status -eq "$3" ] && [[ $said == *"$4"* ]]; then
		echo "ok $count - $1"
	else
		echo "# status $status, said:"
		echo "${said//$'\n'/$'\n'# }" | sed '1s/^/# /'
		echo "not ok $count - $1"
		failed=1
	fi
}

check 'the port may stay undefined' '' 0 'x86_64: stands alone
i386: stands alone
aarch64: stands alone
riscv64: stands alone' \
	'uint64_t part(void); uint64_t part(void) { return port_clock(); }'
check 'copies that the compiler emits are allowed' riscv64 0 'riscv64: stands alone' \
	'struct big { int a[64]; }; void part(struct big *to, const struct big *from);
	void part(struct big *to, const struct big *from) { *to = *from; }'
check 'a libc function is found' aarch64 1 'aarch64: undefined symbols that core may not need: strlen' \
	'__SIZE_TYPE__ strlen(const char *); unsigned part(const char *text);
	unsigned part(const char *text) { return (unsigned)strlen(text); }'
check 'a port function that the contract does not name is found' x86_64 1 'need: port_log' \
	'void port_log(void); void part(void); void part(void) { port_log(); }'
check '64-bit division is found on i386 only' 'x86_64 i386' 1 'x86_64: stands alone
i386: undefined symbols that core may not need: __udivdi3' \
	'uint64_t part(uint64_t a, uint64_t b); uint64_t part(uint64_t a, uint64_t b) { return a / b; }'
check 'a libc header is not found' x86_64 1 "'string.h' file not found" '#include <string.h>'
check 'a large stack frame is refused' x86_64 1 'does not compile' \
	'void fill(char *); void part(void); void part(void) { char big[2000]; fill(big); }'
echo "1..$count"
exit $failed
