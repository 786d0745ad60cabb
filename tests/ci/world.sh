# SPDX-License-Identifier: ISC
# What the cases of contrib/ci/fg-ci share, to be sourced: a repository of two commits, a recorder that makes the samples that
# a command would have, and servers that keep comments in comments.json and write down what they are sent.
# shellcheck shell=sh
PATH=$PWD/programs:$PATH
mkdir programs && for p in fg-run fg-diff; do cp "$(command -v $p)" programs/; done
cat >programs/fg-record <<'END'
#!/bin/sh
for a; do [ "$a" = --help ] && PATH=${PATH#*:} exec fg-record --help; done
[ "$*" != --version ] || PATH=${PATH#*:} exec fg-record --version
while [ "$1" != -- ]; do
	[ "$1" != -o ] || file=$2
	shift
done
folder=$(echo "$*" | sed 's/.*cd \([a-z]*\) .*/\1/')
[ ! -e "$folder/fails" ] || exit 3
awk -v parse="$(cat "$folder/cost")" '
function sample(leaf) {
	printf "prog 1 [000] 1.%06d: 1 cycles:\n\t1 %s+0x1 (/bin/prog)\n\t2 main+0x1 (/bin/prog)\n\n", n++, leaf
}
BEGIN {
	for (i = 0; i < parse; i++) sample("parse")
	for (i = 0; i < 200; i++) sample("draw")
}' >"$file"
END
# A server has comments.json; with the file refuses it lets nobody write.
cat >programs/gh <<'END'
#!/bin/sh
home=${0%/programs/gh}
[ "$1" = api ] && shift || exit 2
method=GET
while [ $# -gt 0 ]; do
	case $1 in
	-X) method=$2 && shift ;;
	-F) body=${2#body=@} && shift ;;
	--jq) query=$2 && shift ;;
	--paginate) ;;
	*) path=$1 ;;
	esac
	shift
done
echo "$method $path" >>"$home/sent"
case $method$path in
GET*/comments\?*) jq -r "$query" "$home/comments.json" && exit ;;
GET*/pulls/*) echo '{"head": {"sha": "1234abcd"}}' | jq -r "$query" && exit ;;
esac
[ ! -e "$home/refuses" ] || { echo 'gh: Resource not accessible by integration (HTTP 403)' >&2 && exit 1; }
cp "$body" "$home/body"
id=${path##*/}
[ "$method" = PATCH ] || id=77
jq --arg id "$id" --rawfile body "$body" \
	'[.[] | select(.id != ($id | tonumber))] + [{id: ($id | tonumber), user: {type: "Bot"}, body: $body}]' \
	"$home/comments.json" >"$home/new.json" && mv "$home/new.json" "$home/comments.json"
END
cat >programs/curl <<'END'
#!/bin/sh
home=${0%/programs/curl}
sed 's/^/config: /' >>"$home/sent"
while [ $# -gt 0 ]; do
	case $1 in
	-X) method=$2 && shift ;;
	--data-urlencode) body=${2#body@} && shift ;;
	--config) shift ;;
	-*) ;;
	*) path=$1 ;;
	esac
	shift
done
echo "$method $path" >>"$home/sent"
[ ! -e "$home/refuses" ] || { echo 'curl: (22) The requested URL returned error: 401' >&2 && exit 22; }
case $method$path in
GET*page=1) cat "$home/comments.json" ;;
GET*) cat "$home/comments-$(echo "$path" | sed 's/.*page=//').json" ;;
*) cp "$body" "$home/body" ;;
esac
END
chmod +x programs/*
export GIT_AUTHOR_DATE='2026-11-23T00:00:00Z' GIT_COMMITTER_DATE='2026-11-23T00:00:00Z'
git init -q . && git config user.name A && git config user.email a@example.org
printf 'programs\n*.json\nsent\nbody\nsummary\n' >.git/info/exclude
echo 200 >cost && git add cost && git commit -qm base
echo 600 >cost && git commit -qam change
echo '[{"id": 5, "user": {"type": "User"}, "body": "<!-- fg-ci: benchmark -->"}, {"id": 6, "user": {"type": "Bot"}, "body": "see <!-- fg-ci: benchmark -->"}]' >comments.json
short=$(git rev-parse --short HEAD) base=$(git rev-parse --short HEAD^)

# Runs fg-ci, without what differs from run to run.
ci() {
	"$TOP/contrib/ci/fg-ci" "$@" >out 2>err
	status=$?
	cat out
	sed "s/ in [0-9.]* s,/ in N s,/; s,$PWD/,,g; s,$PWD,.,g; s/$short/HEAD/g; s/$base/BASE/g" err
	echo "status $status"
}

# Prints a file that has the names of commits.
show() {
	echo "--- $1"
	sed "s/$short/HEAD/g; s/$base/BASE/g; s,$PWD/,,g; s/fg-run [0-9][0-9.]*/fg-run VERSION/" "$1"
}
