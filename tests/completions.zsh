# SPDX-License-Identifier: ISC
# What zsh offers for the line $2, with the completions in folder $1: it is asked in a terminal of its own, where
# what would be added is printed.
zmodload zsh/zpty || exit 2
zpty asked zsh -f -i
ask() { zpty -w asked "$1" }
ask "unsetopt zle_bracketed_paste; PS1= fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
# Each match is printed, and none is added.
ask 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
typeset -a __hits; builtin compadd -A __hits "$@"; local hit; for hit in $__hits; do print -r -- "HIT:$hit"; done; builtin compadd "$@"; }'
ask 'print -r READY'
zpty -r asked line '*READY*READY*'
zpty -w -n asked "$2"$'\t'
# Half a second behind the first match no more are expected; without one, six seconds are enough on a busy machine.
text= since=0
for n in {1..60}; do
	while zpty -r -t asked line; do text+=$line; done
	[[ $text == *HIT:* ]] && (( ++since > 5 )) && break
	sleep 0.1
done
for line in ${(f)${text//$'\r'/}}; do
	[[ $line == *HIT:* ]] && print -r -- ${line#*HIT:}
done
zpty -d asked
