# SPDX-License-Identifier: ISC
# Asks PROGRAM for its completions, so that installing them runs no program.
PROGRAM --completions fish 2>/dev/null | source
