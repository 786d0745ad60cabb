# SPDX-License-Identifier: ISC
# Keeps an interpreter busy for SECONDS (4): calls, dictionaries, sorting, text.
import json
import os
import re
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def words(n):
    text = " ".join("word%d" % (i * 7919 % 1000) for i in range(n))
    counts = {}
    for word in re.findall(r"[a-z]+\d+", text):
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


end = time.monotonic() + float(os.environ.get("SECONDS", "4"))
while time.monotonic() < end:
    fib(18)
    json.loads(json.dumps(words(4000)))
