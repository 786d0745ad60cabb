# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# Asks PROGRAM for its completions, so that installing them runs no program.
eval "$(PROGRAM --completions bash 2>/dev/null || echo false)"
