# SPDX-License-Identifier: ISC
# GNU make. A new .c file in a room is found by itself; a new fg-*.c is a program.
#
#	make			programs into bin/
#	make install		PREFIX=/usr/local DESTDIR=
#	make static		programs without dynamic libraries into build/static/bin/ (Linux)
#	make dist		the source of HEAD into build/fg-VERSION.tar.gz
#	make test		the fast tests; make check has more, make check-all all
#	make demo bench
#	make SAN=1 ...		with the address and undefined-behaviour sanitizers
#	make V=1 ...		show the commands

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
# Where shells look for completions.
SHELLS   = bash zsh fish
bash_DIR = $(PREFIX)/share/bash-completion/completions
zsh_DIR  = $(PREFIX)/share/zsh/site-functions
fish_DIR = $(PREFIX)/share/fish/vendor_completions.d
CC      ?= cc
VERSION := 0.9
SYSTEM  := $(shell uname -s)

ROOMS := $(wildcard collapse diff render)
ifeq ($(SYSTEM),Linux)
ROOMS += $(wildcard record)
endif

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wundef -Wvla -Wpointer-arith -Wwrite-strings -Wcast-qual \
	-Wformat=2 -Wimplicit-fallthrough
CFLAGS  ?= -O2 -g
# A packager's own level stays.
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-D_FORTIFY_SOURCE=2)
HARDEN  = $(FORTIFY) -fstack-protector-strong -fPIE
LDHARDEN = -pie
ifeq ($(SYSTEM),Linux)
HARDEN  += -fstack-clash-protection
LDHARDEN += -Wl,-z,relro,-z,now
endif
BUILD   = build/plain
BIN     = bin
ifdef SAN
BUILD   = build/san
BIN     = build/san/bin
CFLAGS  = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all
HARDEN  =
LDHARDEN =
endif

# Optional libraries: used when their header is there; ZSTD=0, LZMA=0,
# BZIP2=0, DEFLATE=0, DEMANGLE=0 or EXPAT=0 leaves one out. Each is looked for once, not for each object.
# libdebuginfod is not linked but loaded when it is needed; DEBUGINFOD=0 leaves that out.
H := \#
has = $(shell printf '$(H)include <$(1)>\n' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo 1)
define optional
ifeq ($$(origin $(1)),undefined)
$(1) := $$(call has,$(2))
endif
endef
$(eval $(call optional,ZSTD,zstd.h))
$(eval $(call optional,LZMA,lzma.h))
$(eval $(call optional,BZIP2,bzlib.h))
$(eval $(call optional,DEFLATE,libdeflate.h))
$(eval $(call optional,DEMANGLE,libiberty/demangle.h))
$(eval $(call optional,EXPAT,expat.h))
# A program loads only the libraries that it uses.
LIBS = -lz -lm -lpcre2-8
DEBUGINFOD ?= 1
ifeq ($(SYSTEM),Linux)
LIBS := -Wl,--as-needed $(LIBS)
# dlopen, before glibc 2.34.
ifeq ($(DEBUGINFOD),1)
LIBS += -ldl
endif
endif
DEFS = -DFG_VERSION='"$(VERSION)"'
DEFS += -DHAVE_ZSTD=$(or $(ZSTD),0) -DHAVE_LZMA=$(or $(LZMA),0) -DHAVE_BZIP2=$(or $(BZIP2),0) -DHAVE_DEFLATE=$(or $(DEFLATE),0) -DHAVE_DEMANGLE=$(or $(DEMANGLE),0) -DHAVE_EXPAT=$(or $(EXPAT),0)
DEFS += -DHAVE_DEBUGINFOD=$(or $(DEBUGINFOD),0)
ifeq ($(ZSTD),1)
LIBS += -lzstd
endif
ifeq ($(LZMA),1)
LIBS += -llzma
endif
ifeq ($(BZIP2),1)
LIBS += -lbz2
endif
ifeq ($(DEFLATE),1)
LIBS += -ldeflate
endif
ifeq ($(DEMANGLE),1)
LIBS += -liberty
endif
ifeq ($(EXPAT),1)
LIBS += -lexpat
endif

STD = -std=c11 -D_POSIX_C_SOURCE=200809L
COMPILE = $(CC) $(STD) $(WARN) $(DEFS) $(CPPFLAGS) $(CFLAGS) $(HARDEN) -MMD -MP
LINK = $(CC) $(CFLAGS) $(LDFLAGS) $(LDHARDEN)

ifndef V
Q = @
say = @printf '  %-6s %s\n' '$(1)' '$(2)';
endif

# The sources of a room, its mains apart; files of its subfolders belong to it.
sources = $(wildcard $(1)/*.c $(1)/*/*.c)
mains = $(foreach r,$(ROOMS),$(wildcard $(r)/fg-*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(mains),$(call sources,$(1))))
LINKS = $(if $(filter %/fg-run.c,$(mains)),$(BIN)/cargo-fg)
PROGRAMS = $(patsubst %.c,$(BIN)/%,$(notdir $(mains))) $(LINKS)
EMBEDDED = viewer.js flame.css

all: $(PROGRAMS)

# An archive depends on its folders too, so that it forgets a file that is gone.
define room_archive
$$(BUILD)/lib$(1).a: $$(call objects,$(1)) $(1) $$(wildcard $(1)/*/)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach r,common $(ROOMS),$(eval $(call room_archive,$(r))))
$(BUILD)/librender.a: $(EMBEDDED:%=$(BUILD)/render/%.o)

# A program links its own room and common, nothing else.
define program
$$(BIN)/$(notdir $(basename $(1))): $$(BUILD)/$(basename $(1)).o \
		$$(BUILD)/lib$(patsubst %/,%,$(dir $(1))).a $$(BUILD)/libcommon.a
	$$(call say,LINK,$$@)
	$$(Q)mkdir -p $$(BIN) && $$(LINK) -o $$@ $$^ $$(LIBS)
endef
$(foreach m,$(mains),$(eval $(call program,$(m))))

# cargo-fg is fg-run under another name.
ifneq ($(LINKS),)
$(LINKS): $(BIN)/fg-run
	$(call say,LINK,$@)
	$(Q)ln -sf fg-run $@
endif

# An object sees common, and the folders of its own room.
$(BUILD)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -iquotecommon -iquote$(firstword $(subst /, ,$<)) -iquote$(dir $<) \
		-c -o $@ $<

# It has the version.
$(BUILD)/common/opt.o: Makefile

# The viewer, in the order in which its files run.
VIEWER = $(patsubst %,render/viewer/%.js,data views label format layout graph header controls chips colors table focus minimap card edit search location range save times strip chart compare events)

# Script and style go into the picture without comments and indentation.
strip.js = sed -e 's/^[[:space:]]*//' -e '/^\/\//d' -e '/^$$/d'
strip.css = sed -e 's/^[[:space:]]*//' -e '/^\/\*.*\*\/$$/d' -e '/^$$/d'

define stripped
$$(BUILD)/render/$(1): $(2) Makefile
	$$(Q)mkdir -p $$(@D) && $$(strip$(suffix $(1))) $(2) >$$@
endef
$(eval $(call stripped,viewer.js,$(VIEWER)))
$(eval $(call stripped,flame.css,render/flame.css))

# Each becomes an array of bytes.
define embed
$$(BUILD)/render/$(1).c: $$(BUILD)/render/$(1)
	$$(call say,EMBED,$(1))
	$$(Q){ printf '#include <stddef.h>\nextern const unsigned char embed_$(subst .,_,$(1))[];\n'; \
	  printf 'extern const size_t embed_$(subst .,_,$(1))_size;\n'; \
	  printf 'const unsigned char embed_$(subst .,_,$(1))[] = {\n'; \
	  od -An -v -tu1 $$< | sed 's/  *\([0-9][0-9]*\)/\1,/g'; \
	  printf '};\nconst size_t embed_$(subst .,_,$(1))_size = sizeof embed_$(subst .,_,$(1));\n'; \
	} >$$@.tmp && mv $$@.tmp $$@
$$(BUILD)/render/$(1).o: $$(BUILD)/render/$(1).c
	$$(Q)$$(COMPILE) -iquotecommon -iquoterender -c -o $$@ $$<
endef
$(foreach e,$(EMBEDDED),$(eval $(call embed,$(e))))

install: all
	mkdir -p '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man5' \
		'$(DESTDIR)$(MANDIR)/man7'
	for p in $(filter-out $(LINKS),$(PROGRAMS)); do install -m 755 "$$p" '$(DESTDIR)$(BINDIR)/' || exit 1; done
	for p in $(notdir $(LINKS)); do ln -sf fg-run '$(DESTDIR)$(BINDIR)/'"$$p" || exit 1; done
	for m in man/*.[157]; do \
		page='$(DESTDIR)$(MANDIR)'/man"$${m##*.}/$${m##*/}"; \
		sed 's/^\.Os$$/.Os fg $(VERSION)/' "$$m" >"$$page" && chmod 644 "$$page" || exit 1; done
	mkdir -p $(foreach s,$(SHELLS),'$(DESTDIR)$($(s)_DIR)')
	for p in $(notdir $(PROGRAMS)); do \
		sed "s/PROGRAM/$$p/g" contrib/packaging/completions.bash >'$(DESTDIR)$(bash_DIR)/'$$p && \
		sed "s/PROGRAM/$$p/g" contrib/packaging/completions.zsh >'$(DESTDIR)$(zsh_DIR)/_'$$p && \
		sed "s/PROGRAM/$$p/g" contrib/packaging/completions.fish >'$(DESTDIR)$(fish_DIR)/'$$p.fish || exit 1; done

uninstall:
	for p in $(notdir $(PROGRAMS)); do rm -f '$(DESTDIR)$(BINDIR)/'"$$p"; done
	for m in man/*.[157]; do rm -f '$(DESTDIR)$(MANDIR)'/man"$${m##*.}/$${m##*/}"; done
	for p in $(notdir $(PROGRAMS)); do \
		rm -f '$(DESTDIR)$(bash_DIR)/'$$p '$(DESTDIR)$(zsh_DIR)/_'$$p \
			'$(DESTDIR)$(fish_DIR)/'$$p.fish; done

# For machines without these libraries, and for containers: static, at random addresses all the same. It needs the
# libraries' archives. Such a program cannot load a library.
static:
	+$(Q)$(MAKE) BUILD=build/static BIN=build/static/bin DEBUGINFOD=0 LDHARDEN='-static-pie -Wl,-z,relro,-z,now' all

# The same bytes for the same commit.
dist:
	$(Q)mkdir -p build
	$(Q)git archive --prefix=fg-$(VERSION)/ HEAD | gzip -9n >build/fg-$(VERSION).tar.gz
	$(call say,DIST,build/fg-$(VERSION).tar.gz)

# The formats in the manual, the README and docs/formats.md.
tables:
	docs/tables

clean:
	rm -rf build bin

-include tests/tests.mk
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: all tables install uninstall static dist clean
.DELETE_ON_ERROR:
