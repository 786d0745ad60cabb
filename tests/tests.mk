# SPDX-License-Identifier: ISC
# The targets that try, measure and show the programs; included by the Makefile.
#
#	make test		the fast suites
#	make check		these and all that need no more than the build does; make check-all: all of them
#	make regen T=name	shows what differs in the cases that match, then replaces
#	make asan fuzz house lint		one suite
#	make demo		a real profile, and its picture in demo.svg
#	make bench		measures; bench-browser: the viewer too; shots: pictures of it

unit_programs = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
fuzz_programs = $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(filter-out $(fuzz_without),$(wildcard tests/fuzz/fuzz_*.c)))
# Those for which something is not here: a parser of others to hold ours against, the recorder.
fuzz_without = $(if $(call has,expat.h),,tests/fuzz/fuzz_document.c) \
	$(if $(filter record,$(ROOMS)),,tests/fuzz/fuzz_events.c)
fuzz_helpers = $(filter-out tests/fuzz/fuzz_%.c,$(wildcard tests/fuzz/*.c))
fuzz_libs = $(BUILD)/librender.a $(BUILD)/libcollapse.a $(BUILD)/libdiff.a $(patsubst %,$(BUILD)/lib%.a,$(filter record,$(ROOMS))) $(BUILD)/libcommon.a
# A make below this one shares its jobs, or has two.
submake = $(MAKE) $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2)

tests_cflags = $(addprefix -iquote,common collapse $(patsubst %/,%,$(wildcard collapse/*/)) render diff record tests/unit)

# The archives that a test of NOUN may need: its room and common; else those of all rooms.
room_of = $(firstword $(foreach r,common $(ROOMS),$(if $(wildcard $(r)/$(1).[ch] $(r)/*/$(1).[ch]),$(r))))
libs_of = $(patsubst %,$(BUILD)/lib%.a,$(filter-out common,$(or $(call room_of,$(1)),render collapse)) common)

test: all
	+$(Q)MAKE='$(submake)' tests/check fast

check: all
	+$(Q)MAKE='$(submake)' tests/check plain

check-all: all
	+$(Q)MAKE='$(submake)' tests/check all

asan: all
	+$(Q)MAKE='$(submake)' tests/check unit sanitized

fuzz house lint: all
	+$(Q)MAKE='$(submake)' tests/check $@

# One unit test: make unit T=tree, or of it what has the word: make unit T=tree N=merge.
unit:
	+$(Q)$(submake) -s SAN=1 build/san/unit/test_$(T) && build/san/unit/test_$(T) $(N)

regen: all
	$(Q)tests/run --regen $(T)

demo: all
	+$(Q)MAKE='$(submake)' tests/demo

bench: all bench-programs
	$(Q)bench/bench.sh

bench-browser: all bench-programs
	$(Q)bench/bench.sh --browser

shots: all
	$(Q)node tests/browser/shots.js
	$(Q)node tests/browser/readme.js
	$(Q)node tests/realruns/picture.js >docs/significance.svg

unit-programs: $(unit_programs)
unit-objects: $(unit_programs:=.o)

$(BUILD)/unit/%.o: tests/unit/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -c -o $@ $<

define unit_program
$$(BUILD)/unit/test_$(1): $$(BUILD)/unit/test_$(1).o $$(call libs_of,$(1))
	$$(call say,UNIT,$$@)
	$$(Q)$$(LINK) -o $$@ $$^ $$(LIBS)
endef
$(foreach t,$(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c)),$(eval $(call unit_program,$(t))))

# libFuzzer targets; tests/fuzz/run gives the compiler and its flags.
fuzz-programs: $(fuzz_programs)

# What targets and damage share is compiled once.
fuzz_objects = $(patsubst tests/%.c,$(BUILD)/%.o,$(fuzz_helpers))
.SECONDARY: $(fuzz_objects) $(fuzz_programs:=.o)

$(BUILD)/fuzz/%.o: tests/fuzz/%.c
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -c -o $@ $<

$(BUILD)/fuzz/%: $(BUILD)/fuzz/%.o $(fuzz_objects) $(fuzz_libs)
	$(call say,FUZZ,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(if $(filter %_document,$@),-lexpat)

# The same targets, with a main that damages inputs: damage/fuzz_NAME, of those that read what users have.
damage-programs: $(patsubst %,$(BUILD)/damage/fuzz_%,collapse report diff merge filter svg)

$(BUILD)/damage.o: tests/damage.c
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -iquotetests/fuzz -c -o $@ $<

$(BUILD)/damage/%: $(BUILD)/fuzz/%.o $(BUILD)/damage.o $(fuzz_objects) $(fuzz_libs)
	$(call say,DAMAGE,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LIBS)

# Laws: each program but main's name is hidden, so that all go into one.
laws: $(BUILD)/laws/laws

laws_programs = $(patsubst %.c,%,$(filter-out record/%,$(mains)))
laws_mains = $(patsubst %,$(BUILD)/laws/%.o,$(notdir $(laws_programs)))
laws_objects = $(patsubst tests/%.c,$(BUILD)/%.o,$(wildcard tests/laws/*.c))

define laws_main
$$(BUILD)/laws/$(notdir $(1)).o: $$(BUILD)/$(1).o $$(BUILD)/lib$(patsubst %/,%,$(dir $(1))).a $$(BUILD)/libcommon.a
	$$(Q)mkdir -p $$(@D) && $$(LD) -r -o $$@ $$^ && objcopy --redefine-sym main=$(subst -,_,$(notdir $(1)))_main \
		--keep-global-symbol=$(subst -,_,$(notdir $(1)))_main $$@
endef
$(foreach p,$(laws_programs),$(eval $(call laws_main,$(p))))

$(BUILD)/laws/%.o: tests/laws/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -c -o $@ $<

# Static where that can be: to fork is cheaper by a third.
$(BUILD)/laws/laws: $(laws_objects) $(laws_mains) $(BUILD)/libcommon.a
	$(call say,LAWS,$@)
	$(Q)$(if $(SAN),,$(LINK) -static -no-pie -o $@ $^ $(LIBS) 2>/dev/null ||) $(LINK) -o $@ $^ $(LIBS)

# Comparisons with elfutils, which no program of ours links.
oracle-programs: $(patsubst tests/oracle/%.c,$(BUILD)/oracle/%,$(wildcard tests/oracle/*.c))

$(BUILD)/oracle/%: tests/oracle/%.c $(BUILD)/libcollapse.a $(BUILD)/libcommon.a
	$(call say,ORACLE,$@)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -o $@ $< $(filter %.a,$^) $(LIBS) -ldw -lelf

# Programs that the suite realruns records; frame pointers make their stacks whole.
realruns-programs: $(patsubst tests/realruns/%.c,$(BUILD)/tools/realruns/%,$(wildcard tests/realruns/*.c))

$(BUILD)/tools/realruns/%: tests/realruns/%.c
	$(call say,PROGRAM,$@)
	$(Q)mkdir -p $(@D) && $(COMPILE) -O2 -fno-omit-frame-pointer -o $@ $< $(LIBS)

# What samples firmware in an emulator.
firmware-probe: $(BUILD)/tools/firmware-probe

$(BUILD)/tools/firmware-probe: $(wildcard tests/firmware/probe/*.[ch]) $(BUILD)/libcommon.a
	$(call say,PROBE,$@)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -o $@ $(filter %.c %.a,$^) $(LIBS)

# Tools of the tests and benchmarks, each one file.
bench-programs: $(patsubst bench/%.c,$(BUILD)/tools/%,$(wildcard bench/*.c))

$(BUILD)/tools/%: tests/%.c
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -o $@ $< $(LIBS)

$(BUILD)/tools/%: bench/%.c
	$(Q)mkdir -p $(@D) && $(COMPILE) $(tests_cflags) -o $@ $< $(LIBS)

.PHONY: test check check-all asan fuzz house lint regen demo bench bench-browser shots unit unit-programs unit-objects \
	laws fuzz-programs oracle-programs realruns-programs firmware-probe damage-programs bench-programs
