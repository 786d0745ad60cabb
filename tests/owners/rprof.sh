#!/bin/sh
# SPDX-License-Identifier: ISC
# Rprof: the self and total samples of each function, and what memory grew by, are those of summaryRprof().
set -u
tool=Rprof
command -v Rscript >/dev/null 2>&1 || { echo "skip $tool: no Rscript" && exit 0; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
cd "$tmp" || exit 2

cat >work.R <<'EOF'
fib <- function(n) if (n < 2) n else fib(n - 1) + fib(n - 2)
grow <- function(n) { v <- c(); for (i in 1:n) v <- c(v, i); sum(v) }
slow <- function(n) { x <- runif(n); sort(x) }
work <- function() { fib(19); grow(6000); slow(3e5) }
for (i in 1:4) work()
EOF
cat >record.R <<'EOF'
record <- function(file, ...) {
	Rprof(file, interval = 0.01, ...)
	source("work.R", keep.source = TRUE)
	Rprof(NULL)
}
put <- function(file, table, column) {
	n <- round(table[[column]] / 0.01)
	text <- sprintf("%s %d", gsub("\"", "", rownames(table)), as.integer(n))
	writeLines(sort(text[n > 0]), file)
}
record("plain.out")
s <- summaryRprof("plain.out")
put("self.theirs", s$by.self, "self.time")
put("total.theirs", s$by.total, "total.time")
record("memory.out", memory.profiling = TRUE, line.profiling = TRUE, gc.profiling = TRUE)
s <- summaryRprof("memory.out", memory = "both")
put("memory-self.theirs", s$by.self, "self.time")
cat(s$by.total["\"source\"", "mem.total"], "\n", file = "memory.theirs")
EOF
Rscript record.R >said 2>&1 || { echo "skip $tool: Rscript failed: $(tail -n 1 said)" && exit 0; }

# Samples of each function from folded stacks: those that end in it, and those that it is in.
self() { awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += n } END { for (f in sum) print f, sum[f] }' | sort; }
total() {
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, part, ";"); split("", seen)
		for (i = 1; i <= k; i++) if (!(part[i] in seen)) { seen[part[i]] = 1; sum[part[i]] += n } }
		END { for (f in sum) print f, sum[f] }' | sort
}

# Compares the file $1.ours with $1.theirs; $2 says what they are.
compare() {
	if cmp -s "$1.ours" "$1.theirs"; then
		echo "ok $tool $2"
	else
		echo "FAIL $tool $2"
		diff "$1.ours" "$1.theirs"
	fi
}

"$BIN/fg-collapse" -q --no-header plain.out >plain.folded
self <plain.folded >self.ours
total <plain.folded >total.ours
sort -o self.theirs self.theirs
sort -o total.theirs total.theirs
compare self "samples that end in each function are those of summaryRprof"
compare total "samples of each function are those of summaryRprof"
"$BIN/fg-collapse" -q --no-header memory.out | self >memory-self.ours
sort -o memory-self.theirs memory-self.theirs
compare memory-self "so they are with memory and lines"
# In MB, as R rounds it.
"$BIN/fg-collapse" -q --no-header --cost memory memory.out |
	awk '{ sum += $NF } END { printf "%.1f\n", sum / 1048576 }' >memory.ours
awk '{ printf "%.1f\n", $1 }' memory.theirs >memory.rounded && mv memory.rounded memory.theirs
compare memory "memory grew by as much"
