# SPDX-License-Identifier: ISC
# Of folded stacks with weights in samples: "SHARE SAMPLES", the share in percent of those of user space whose
# outermost frame is where a program or a thread begins, and how many there are. Then the other outermost frames
# with the one above each, by weight, as far as they have 0.5 % of it.
BEGIN {
	FS = ";"
	names = "_start _start_c main libc_start_main_stage2 clone clone3 __clone __clone3 start_thread thread_start _dl_start _dl_start_user " \
		"runtime.goexit runtime.rt0_go runtime.mstart _rt0_amd64_linux runtime.mcall runtime.morestack " \
		"runtime.systemstack runtime.asmcgocall runtime.clone"
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) entry[list[i]] = 1
}
/^#/ { next }
{
	weight = $0
	sub(/.* /, "", weight)
	sub(/ [0-9]+$/, "")
	# The kernel's own threads, and what a program does before it has any user space.
	if ($2 == "" || $2 ~ /_\[k\]$/) next
	# Of a stripped libc or loader, where a thread or program begins has no name: nothing can be said.
	if ($2 == $3 && $2 ~ /^\[(libc\.so|ld-linux)/) next
	outermost = $2
	sub(/_\[[a-z]\]$/, "", outermost)
	sub(/@.*|\.abi0$/, "", outermost)
	sub(/^__GI_/, "", outermost)
	total += weight
	# A stripped program's _start has no name; what it calls is known.
	if (outermost in entry || outermost ~ /^__libc_start_/ || $3 ~ /^__libc_start_/)
		whole += weight
	else
		other[$2 ";" $3] += weight
}
END {
	printf "%.1f %d\n", total ? 100 * whole / total : 0, total
	for (name in other)
		if (other[name] * 200 >= total)
			printf "\t%5.1f %%  %s\n", 100 * other[name] / total, name | "sort -rn -k1"
}
