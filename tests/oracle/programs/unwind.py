# SPDX-License-Identifier: ISC
"""Burns some time in Python's own code and in its libraries: calls, sorting, JSON, regular expressions."""
import hashlib
import json
import re
import sys
import threading
import zlib


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Item:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < other.n


def raise_and_catch(n):
    if n == 0:
        raise ValueError("caught")
    raise_and_catch(n - 1)


def work(rounds):
    for i in range(rounds):
        fib(17)
        items = sorted(Item((n * 7919 + i) % 1009) for n in range(1500))
        text = json.dumps({str(n.n): [n.n] * 5 for n in items})
        json.loads(text)
        re.findall(r"(\d+)[^\d]+(\d+)", text)
        zlib.compress(text.encode(), 6)
        hashlib.sha256(text.encode() * 3).hexdigest()
        for _ in range(100):
            try:
                raise_and_catch(10)
            except ValueError:
                pass


rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
other = threading.Thread(target=work, args=(rounds,))
other.start()
work(rounds)
other.join()
