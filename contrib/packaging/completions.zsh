#compdef PROGRAM
# SPDX-License-Identifier: ISC
# Asks PROGRAM for its completions, so that installing them runs no program; the first call replaces this function.
local completions
completions=$(PROGRAM --completions zsh 2>/dev/null) || return
eval "_PROGRAM() {
$completions
}"
_PROGRAM "$@"
