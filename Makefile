# SPDX-License-Identifier: MIT
#
# The front door. Meson does the work; each target here is a short way to say it.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

.PHONY: all board demo test lint format bench fuzz lab install deps clean help

# One after the other as they are named: who needs all packages is asked for all of them, once.
.NOTPARALLEL:

all:
	@scripts/deps build
	@scripts/build build

help:
	@echo 'make board     the firmware for QEMU: build/board/board.rom, and its variants'
	@echo 'make demo      build hadal, boot the board in an emulated machine, and show what hadal says there'
	@echo 'make test      build and run every test'
	@echo 'make lint      style, warnings of two compilers, static analysis, licences, includes'
	@echo 'make format    lay the C sources out as lint wants them'
	@echo 'make bench     sizes and instruction counts'
	@echo 'make fuzz      run each fuzz target for FUZZ_SECONDS (default 60)'
	@echo 'make lab       SCENARIO=NAME: run one scenario of tests/vm in an emulated machine'
	@echo 'make install   DESTDIR= PREFIX= (default /usr/local)'
	@echo 'make deps      install the Debian packages that all of the above need'
	@echo 'make clean     remove what was built'

board: all
	@ls build/board/*.rom

demo:
	@scripts/deps build lab
	@scripts/build build
	@scripts/demo

test: deps
	@scripts/test

lint: deps
	@scripts/lint

format: deps
	@git ls-files '*.c' '*.h' | xargs clang-format -i

bench: deps all
	@for bench in $$(find tests/bench -type f -perm -u+x | sort); do "$$bench" || exit; done

fuzz: deps
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

lab: deps all
	$(if $(SCENARIO),,$(error which scenario? make lab SCENARIO=NAME, a name from tests/vm))
	@lab/run $(SCENARIO)

install:
	@scripts/deps build
	@DESTDIR='$(abspath $(DESTDIR))' PREFIX='$(abspath $(PREFIX))' scripts/install

deps:
	@scripts/deps build lab test

clean:
	rm -rf build build-*
