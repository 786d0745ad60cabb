#!/bin/sh
# SPDX-License-Identifier: ISC
# Benchmarks fg-collapse on each format: synthetic profiles of SIZE bytes (60 MB), of 500 repeated stacks and of
# distinct stacks (bench/formats.js). Goals: 300 MB/s repeated and 150 MB/s distinct for text, 300
# MB/s for binary formats.
#
#	bench/formats.sh [row...]	rows of bench/formats.js --list
set -u
cd "$(dirname "$0")/.." || exit 2
. bench/table.sh
command -v node >/dev/null || { say 'no node here: no profiles of other formats' && exit; }
RUNS=${RUNS:-3}
each=${SIZE:-60000000}

measure() {
	profile=$1.$2
	make_once "$profile" node bench/formats.js "$1" "$each" "$2"
	row "$1" "$profile" file "$2" bin/fg-collapse -q
	rm -f "$here/$profile"
}

node bench/formats.js --list | while read -r format kinds; do
	case " $* " in
	'  ' | *" $format "*) for kind in $kinds; do measure "$format" "$kind" </dev/null; done ;;
	esac
done
