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
sleep 2
zpty -w asked $'\003'
ask 'print -r ENDED'
while zpty -r asked line; do
	line=${line//$'\r'/}
	[[ $line == *HIT:* ]] && print -r -- ${${line#*HIT:}%$'\n'}
	[[ $line == ENDED* ]] && break
done
zpty -d asked
