#!/bin/sh
# SPDX-License-Identifier: ISC
# massif: the peak's bytes and those of each place that allocates, against ms_print.
set -u
for tool in valgrind ms_print cc; do
	command -v "$tool" >/dev/null || { echo "skip ms_print: no $tool"; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/heap.c" <<'END'
#include <stdlib.h>
struct node { struct node *next; char data[100]; };
static struct node *push(struct node *l) { struct node *n = malloc(sizeof *n); n->next = l; return n; }
static struct node *make_list(int n) { struct node *l = 0; while (n--) l = push(l); return l; }
static void *make_table(int n) { return calloc(n, 16); }
int main(void)
{
	struct node *l = make_list(100), *next;
	void *t = make_table(1000), *last = malloc(5000);
	for (; l; l = next) { next = l->next; free(l); }
	free(t);
	return last == 0;
}
END
cc -g -O0 -w -o "$tmp/heap" "$tmp/heap.c" || { echo "skip ms_print: cc cannot compile"; exit 0; }
if ! valgrind -q --tool=massif --massif-out-file="$tmp/massif.out" "$tmp/heap" 2>"$tmp/log"; then
	echo "skip ms_print: valgrind cannot run here"
	exit 0
fi
ms_print "$tmp/massif.out" >"$tmp/printed"
"$BIN/fg-collapse" -q "$tmp/massif.out" >"$tmp/folded"

# The tree of the peak: "->58.76% (16,000B) 0x1091A0: make_table (heap.c:4)"; only the outermost of
# its lines begin with "->".
peak=$(sed -n 's/.*[[ ]\([0-9]*\) (peak).*/\1/p' "$tmp/printed" | head -1)
awk -v peak="$peak" '
	$1 ~ /^[0-9]+$/ && NF == 6 { on = $1 == peak; if (on) { gsub(",", ""); print "total", $4 } }
	on && /^->/ && $3 ~ /:$/ { gsub(/[(),B]/, "", $2); print $4, $2 }' "$tmp/printed" | sort >"$tmp/theirs"
awk '!/^#/ { n = $NF; total += n; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += n }
	END { print "total", total; for (f in sum) print f, sum[f] }' "$tmp/folded" | sort >"$tmp/ours"
if [ -n "$peak" ] && diff "$tmp/theirs" "$tmp/ours" >"$tmp/diff"; then
	echo "ok ms_print bytes of the peak, by the place that allocates"
else
	echo "FAIL ms_print bytes of the peak, by the place that allocates"
	cat "$tmp/diff"
fi
