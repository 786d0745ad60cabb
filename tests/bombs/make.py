# SPDX-License-Identifier: ISC
"""Small inputs that cost much: each function makes one, of less than a MB.

A bomb is a function with the attribute `commands`, in which FILE stands for the input, and `says`, a text
that each command has to print, or None where the input has become cheap.
"""
import bz2
import gzip
import json
import lzma
import os
import struct
import zlib

MB = 1 << 20
BOMBS = []
FOLDED = [
    "fg-merge FILE", "fg-filter --collapse-recursion FILE", "fg-filter --collapse-cycles FILE",
    "fg-filter --reverse FILE", "fg-filter --min-share 1 FILE", "fg-filter --hide b --last FILE",
    "fg-filter --stable-names --by-module FILE", "fg-filter --root (a|b)+c FILE", "fg-report FILE", "fg-report --tree FILE",
    "fg-report --callers ^a$ FILE", "fg-report --json FILE", "fg-report --brief FILE", "fg-svg FILE", "fg-svg --inverted --reverse FILE",
    "fg-svg --static FILE", "fg-diff FILE FILE", "fg-diff FILE FILE --report", "fg-annotate FILE",
] + ["fg-export --to %s FILE" % t for t in
     "pprof firefox speedscope csv nodes html folded cpuprofile callgrind d3 dot chrome otlp".split()]


def bomb(*commands, says=None):
    def add(f):
        f.commands = commands or ("fg-collapse FILE",)
        f.says = says
        BOMBS.append(f)
        return f
    return add


LIMIT = "--limit"


def js(value):
    return json.dumps(value, separators=(",", ":")).encode()


# Compressed inputs

def zstd(parts):
    """A frame of RFC 8878: PARTS are bytes, or (byte, count) for a run; no compressor is needed."""
    blocks = []
    for part in parts:
        if isinstance(part, tuple):
            byte, left = part
            while left:
                n = min(left, 128 << 10)
                blocks.append((n << 3 | 1 << 1, byte))
                left -= n
        else:
            for i in range(0, len(part), 128 << 10):
                piece = part[i:i + (128 << 10)]
                blocks.append((len(piece) << 3, piece))
    out = [b"\x28\xb5\x2f\xfd\x00\x58"]  # no sizes; a window of 2 MB
    for i, (head, data) in enumerate(blocks):
        out += struct.pack("<I", head | (i == len(blocks) - 1))[:3], data
    return b"".join(out)


@bomb("fg-collapse FILE", "fg-merge FILE", "fg-svg FILE", says=LIMIT)
def zstd_of_folded_text():
    return zstd([b"a;b 1\n", (b"\n", 30 << 30)])


@bomb("fg-collapse FILE", "fg-merge FILE", says=LIMIT)
def zstd_in_zstd():
    return zstd([zstd([b"a;b 1\n", (b"\n", 800 << 20)])])


def packed_lines(pack):
    return pack(b"a;b;c 1\n" * (6 * MB))


@bomb()
def gzip_in_gzip_in_gzip():
    return gzip.compress(gzip.compress(packed_lines(gzip.compress)))


@bomb()
def bzip2_of_lines():
    return packed_lines(bz2.compress)


@bomb()
def xz_in_zstd():
    return zstd([packed_lines(lambda s: lzma.compress(s, preset=1))])


@bomb(says=LIMIT)
def xz_of_zeroes_in_xz():
    half = lzma.compress(b"\n" * (64 * MB), preset=1)
    return lzma.compress(b"".join([lzma.compress(b"a;b 1\n" * 9)] + [half] * 8), preset=1)


@bomb(says=LIMIT)
def gzip_with_many_members():
    return (gzip.compress(b"a;b 1\n") + gzip.compress(b"\n" * (8 * MB)) * 110)[:MB - 100]


@bomb()
def zstd_of_one_long_text_of_json():
    return zstd([b'{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"',
                 (b"a", 1 << 30), b'"}]}}'])


@bomb()
def gzip_of_speedscope():
    frames = b'{"name":"f"},' * (16 * MB)
    return gzip.compress(b'{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[' +
                         frames + b'{}]},"profiles":[{"type":"sampled","samples":[[0]],"weights":[1]}]}')


# Folded text

@bomb(*FOLDED)
def one_deep_stack():
    return b";".join([b"a", b"b"][i & 1] for i in range(499000)) + b" 1\n"


@bomb(*FOLDED)
def one_deep_stack_of_distinct_frames():
    return b";".join(b"%x" % i for i in range(150000)) + b" 1\n"


@bomb("fg-report --callers . FILE", says=LIMIT)
def callers_of_every_frame():
    return one_deep_stack_of_distinct_frames()


@bomb(*FOLDED)
def one_deep_stack_of_one_frame():
    return b";".join([b"a"] * 499000) + b" 1\n"


@bomb(*FOLDED)
def a_leaf_at_every_depth():
    return b"".join(b"a;" * i + b"b 1\n" for i in range(960))


@bomb(*FOLDED)
def many_short_stacks():
    return b"".join(b"%x 1\n" % i for i in range(130000))


@bomb(*FOLDED)
def one_long_name():
    return b"a" * 990000 + b" 1\n"


@bomb(*FOLDED)
def a_name_full_of_templates():
    return b"f" + b"<(" * 240000 + b")>" * 240000 + b" 1\n"


@bomb(*FOLDED)
def one_deep_stack_of_empty_names():
    return b";" * 499000 + b" 1\n"


@bomb(*FOLDED)
def a_header_with_many_keys():
    return b"#fg " + b" ".join(b"k%d=1" % i for i in range(90000)) + b"\na;b 1\n"


@bomb(*FOLDED)
def a_header_with_many_dimensions():
    return b"#fg by=" + b",".join(b"label:%d" % i for i in range(600)) + b"\n" + b"a;b 1\n" * 100000


@bomb(*FOLDED)
def many_programs():
    return b"#fg unit=samples\n" + b"".join(b"#fg-program p%d 01 /p%d\n" % (i, i) for i in range(30000)) + b"a;b 1\n"


@bomb(*["fg-filter %s FILE" % o for o in
        ("--focus (a*)*c", "--focus (a|aa)+$", "--rename s/(a*)*b/x/", "--hide (.*)(.*)(.*)(.*)x", "--trim-above (a?){40}a{40}")] +
      ["fg-report --callers (a*)*c FILE", "fg-svg --search (a*)*c FILE"])
def names_for_regular_expressions():
    return b"".join(b"a" * 900 + b"%d 1\n" % i for i in range(1000))


# Tables that unfold

def leb(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return leb(number << 3) + leb(value)
    return leb(number << 3 | 2) + leb(len(value)) + value


def pprof(locations, samples, types=field(1, field(1, 1) + field(2, 2)), texts=(b"", b"cpu", b"count", b"f")):
    function = field(5, field(1, 1) + field(2, 3))
    return types + locations + function + samples + b"".join(field(6, t) for t in texts)


@bomb("fg-collapse -f pprof FILE", says=LIMIT)
def pprof_location_with_many_lines():
    line = field(4, field(1, 1))
    sample = field(2, field(1, 1) + field(2, 1))
    return pprof(field(4, field(1, 1) + line * 100000), b"".join(
        field(2, field(1, leb(1) * n) + field(2, leb(1))) for n in range(1, 700)) + sample)


@bomb("fg-collapse -f pprof FILE")
def pprof_with_many_sample_types():
    types = b"".join(field(1, field(1, 1) + field(2, 2)) for i in range(120000))
    return pprof(field(4, field(1, 1) + field(4, field(1, 1))), field(2, field(1, leb(1)) + field(2, leb(1) * 120000)), types)


@bomb("fg-collapse -f pprof FILE")
def pprof_with_many_distinct_sample_types():
    n = 40000
    types = b"".join(field(1, field(1, 4 + i) + field(2, 2)) for i in range(n))
    texts = [b"", b"cpu", b"count", b"f"] + [b"t%d" % i for i in range(n)]
    return pprof(field(4, field(1, 1) + field(4, field(1, 1))), field(2, field(1, leb(1)) + field(2, leb(1) * n)), types, texts)


@bomb("fg-collapse -f pprof FILE", "fg-collapse -f otlp FILE")
def nested_protobuf():
    data = b""
    while len(data) < 900000:
        data = field(2, data) if len(data) < 20000 else field(2, data) * 2
    return data[:990000]


@bomb()
def gzip_of_pprof():
    sample = field(2, field(1, b"\1" * 100) + field(2, b"\1"))
    return gzip.compress(pprof(field(4, field(1, 1) + field(4, field(1, 1))), sample * 2500000))


@bomb(says="too large")
def flamebearer_with_a_long_name():
    depth = 4000
    return js({"flamebearer": {"names": ["total", "x" * 500000], "levels": [[0, depth + 1, 0, 0]] + [
        [0, depth - i, 1, 1] for i in range(depth)], "numTicks": depth + 1, "maxSelf": 1},
        "metadata": {"format": "single", "units": "samples"}})


def speedscope(samples, frames):
    return js({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": frames}, "profiles": [
        {"type": "sampled", "name": "p", "unit": "none", "startValue": 0, "endValue": 9,
         "samples": samples, "weights": [1] * len(samples)}]})


@bomb(says="too large")
def speedscope_with_a_long_name():
    return speedscope([[0] * n for n in range(1, 800)], [{"name": "x" * 200000}])


@bomb()
def speedscope_with_deep_stacks():
    return speedscope([[i % 7 for i in range(400000)]], [{"name": "f%d" % i} for i in range(7)])


@bomb("fg-collapse FILE")
def speedscope_of_open_calls():
    n = 22000
    return js({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "f"}]}, "profiles": [
        {"type": "evented", "name": "p", "unit": "none", "startValue": 0, "endValue": n,
         "events": [{"type": "O", "frame": 0, "at": i} for i in range(n)]}]})


@bomb(says="not in the stack table")
def firefox_with_a_deep_stack_and_many_samples():
    n = 60000
    return js({"meta": {"interval": 1, "preprocessedProfileVersion": 49, "product": "x"}, "libs": [], "threads": [
        {"name": "t", "pid": "1", "tid": "2",
         "samples": {"length": n, "stack": list(range(n)), "timeDeltas": [1] * n},
         "stackTable": {"length": n, "prefix": [None] + list(range(n - 1)), "frame": [0] * n},
         "frameTable": {"length": 1, "address": [-1], "func": [0]}, "funcTable": {"length": 1, "name": [0], "resource": [-1]},
         "resourceTable": {"lib": []}, "stringArray": ["f" * 100]}]})


@bomb("fg-collapse FILE")
def gecko_with_a_deep_stack():
    n = 40000
    return js({"meta": {"version": 13, "interval": 1, "startTime": 1, "stackwalk": 1}, "libs": [], "threads": [
        {"name": "G", "pid": 1, "tid": 2, "samples": {"schema": {"stack": 0, "time": 1}, "data": [[n - 1, 0]] * 9},
         "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[None, 0]] + [[i, 0] for i in range(n - 1)]},
         "frameTable": {"schema": {"location": 0}, "data": [[0]]}, "stringTable": ["f"]}]})


@bomb("fg-collapse FILE")
def cpuprofile_that_is_a_chain():
    n = 6000
    call = {"functionName": "f", "scriptId": "0", "url": "", "lineNumber": 1, "columnNumber": 0}
    return js({"nodes": [{"id": i, "callFrame": call, "hitCount": 1, "children": [i + 1]} for i in range(1, n)]})


@bomb("fg-collapse FILE")
def dhat_with_deep_stacks():
    return js({"dhatFileVersion": 2, "mode": "heap", "verb": "Allocated", "bklt": False, "bkacc": False, "tu": "instrs",
               "Mtu": "Minstr", "cmd": "x", "pid": 1, "te": 9, "pps": [{"tb": 1, "tbk": 1, "fs": [1] * 400000}],
               "ftbl": ["[root]", "0x1: f (w.c:2)"]})


@bomb("fg-collapse -f heaptrack FILE", says=LIMIT)
def heaptrack_with_inlined_functions():
    n = 50000
    return (b"v 10400 2\ns m\ns f\ni 1 1" + b" 2 1 3" * 30000 + b"\n" +
            b"".join(b"t 1 %x\n" % i for i in range(n)) + b"a 10 %x\n+ 0\n" % n)


@bomb("fg-collapse -f heaptrack FILE")
def heaptrack_with_a_deep_trace():
    n = 90000
    return (b"v 10400 3\ns 1 f\ni 1 0 1\n" + b"".join(b"t 1 %x\n" % i for i in range(n)) +
            b"".join(b"a 10 %x\n+ %x\n" % (n, i) for i in range(500)))


@bomb("fg-collapse FILE")
def callgrind_with_a_chain_of_calls():
    return b"# callgrind format\nevents: Ir\n" + b"".join(
        b"fn=(%d) f%d\n1 1\ncfn=(%d) f%d\ncalls=1 1\n1 9\n" % (i, i, i + 1, i + 1) for i in range(16000))


@bomb("fg-collapse FILE")
def callgrind_with_calls_between_all():
    n = 260
    return b"# callgrind format\nevents: Ir\n" + b"".join(
        b"fn=(%d) f%d\n1 1\n" % (i, i) + b"".join(b"cfn=(%d)\ncalls=1\n1 1\n" % j for j in range(n) if j != i)
        for i in range(n))[:990000]


@bomb("fg-collapse FILE")
def massif_with_a_deep_tree():
    out = b"desc: (none)\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=9\n" \
          b"mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\n"
    return out + b"".join(b" " * i + b"n1: 9 0x1: f (a.c:1)\n" for i in range(1380))


@bomb("fg-collapse FILE")
def chrome_trace_of_open_calls():
    return b"[" + b",".join(b'{"ph":"B","ts":%d,"pid":1,"tid":1,"name":"f"}' % i for i in range(20000)) + b"]"


@bomb("fg-collapse FILE")
def chrome_trace_of_many_threads():
    return b"[" + b",".join(b'{"ph":"X","ts":%d,"dur":1,"pid":1,"tid":%d,"name":"f"}' % (i, i) for i in range(17000)) + b"]"


@bomb("fg-collapse FILE")
def stackprof_with_a_deep_stack():
    n = 200000
    return js({"version": 1.2, "mode": "cpu", "interval": 1, "samples": 1, "frames": {"1": {"name": "f", "file": "x"}},
               "raw": [n] + [1] * n + [1]})


@bomb("fg-collapse FILE")
def otlp_json_with_deep_stacks():
    n = 200000
    return js({"resourceProfiles": [{"scopeProfiles": [{"profiles": [{"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": [
        {"stackIndex": 1, "values": ["1"]}]}]}]}], "dictionary": {"mappingTable": [{}], "locationTable": [{}, {"lines": [
            {"functionIndex": 1}]}], "functionTable": [{}, {"nameStrindex": 3}], "stringTable": ["", "cpu", "count", "main"],
            "stackTable": [{}, {"locationIndices": [1] * n}]}})


@bomb("fg-collapse FILE", says=LIMIT)
def otlp_json_location_with_many_lines():
    n = 15000
    return js({"resourceProfiles": [{"scopeProfiles": [{"profiles": [{"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": [
        {"stackIndex": i, "values": ["1"]} for i in range(1, 200)]}]}]}], "dictionary": {"mappingTable": [{}], "locationTable": [{}, {
            "lines": [{"functionIndex": 1}] * n}], "functionTable": [{}, {"nameStrindex": 3}], "stringTable": ["", "cpu", "count", "main"],
            "stackTable": [{}] + [{"locationIndices": [1] * i * 10} for i in range(1, 200)]}})


@bomb("fg-collapse FILE", "fg-collapse -f speedscope FILE", "fg-collapse -f chrome-trace FILE", "fg-collapse -f firefox FILE")
def deep_json():
    return b'{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":' + b"[" * 900000


@bomb("fg-collapse FILE")
def deep_d3_tree():
    n = 30000
    return b'{"name":"a","value":1,"children":[' * n


@bomb("fg-collapse -f xctrace FILE", "fg-collapse -f perfview-xml FILE", "fg-collapse -f instruments FILE")
def deep_xml():
    return b"<?xml version=\"1.0\"?><trace-query-result>" + b"<node>" * 160000


@bomb("fg-collapse -f xctrace FILE", "fg-collapse -f perfview-xml FILE", "fg-collapse -f jfr-xml FILE")
def xml_entities():
    out = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "xxxxxxxxxx">'
    for i in range(1, 12):
        out += b"<!ENTITY e%d \"%s\">" % (i, b"&e%d;" % (i - 1) * 10)
    return out + b"]><trace-query-result>&e11;</trace-query-result>"


# Text

@bomb("fg-collapse -f flamegraph-svg FILE")
def flamegraph_with_brackets_in_a_title():
    return b'<svg xmlns="http://www.w3.org/2000/svg"><g><title>' + b" (" * 240000 + \
        b')</title><rect x="1" y="1" width="1" height="15"/></g></svg>'


@bomb("fg-collapse -f flamegraph-svg FILE")
def flamegraph_of_many_boxes_in_one_row():
    return b'<svg xmlns="http://www.w3.org/2000/svg">' + b"".join(
        b'<g><title>f (1 samples, 1%%)</title><rect x="%d" y="%d" width="1" height="15"/></g>' % (i, 16 * (i % 3)) for i in range(11000)) + b"</svg>"


@bomb("fg-collapse -f perf-script FILE")
def perf_script_with_a_deep_stack():
    return b"a 1 1.000000: cycles: \n" + b"\t1 f (x)\n" * 99000 + b"\n"


@bomb("fg-collapse FILE")
def perf_script_with_many_threads():
    return b"".join(b"a %d/%d 1.%06d: cycles: \n\t1 f (x)\n\n" % (i, i, i) for i in range(24000))


@bomb("fg-collapse -f gdb FILE", "fg-collapse -f jstack FILE", "fg-collapse -f goroutines FILE", "fg-collapse -f java-exceptions FILE",
      "fg-collapse -f dtrace FILE", "fg-collapse -f bcc FILE", "fg-collapse -f macos-sample FILE", "fg-collapse -f ghc-prof FILE",
      "fg-collapse -f vtune FILE", "fg-collapse -f xdebug FILE", "fg-collapse -f pprof-text FILE", "fg-collapse -f bpftrace FILE",
      "fg-collapse -f ftrace FILE", "fg-collapse -f uftrace FILE", "fg-collapse -f austin FILE", "fg-collapse FILE")
def one_long_line():
    return b"f" + b" (" * 200000 + b"\t,;:`@<" * 80000 + b"\n"


@bomb("fg-collapse -f perf-script FILE", "fg-collapse FILE")
def a_symbol_that_is_long_to_demangle():
    return b"a 1 1.000000: cycles: \n" + b"".join(b"\t%d _ZN%s1fE (x)\n" % (i, b"1aIS_S_EIS0_S0_EIS1_S1_EIS2_S2_EIS3_S3_EIS4_S4_E" * 10) for i in range(1500)) + b"\n"


@bomb("fg-collapse -f v8-prof FILE")
def v8_ticks_with_deep_stacks():
    return js({"code": [{"name": "f", "type": "JS", "kind": "Opt"}], "functions": [{"name": "f", "codes": [0]}],
               "ticks": [{"tm": 1, "vm": 0, "s": [0, 0] * 200000}]})


# Programs that a recording names

def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(name):
    return name + bytes(8 - len(name) % 8)


TEXT = 0x401000


def recording(paths, samples, stack=b"", at=None):
    """A pipe of perf record -g, with the SAMPLES of addresses in each of PATHS; with STACK they have snapshots."""
    kind = 1 | 2 | 4 | 1 << 5 | 1 << 8  # address, thread, time, callchain, period
    regs = 0
    if stack:
        kind |= 1 << 12 | 1 << 13  # registers and the stack of user space
        regs = 1 << 6 | 1 << 7 | 1 << 8
    attr = struct.pack("<IIQQQQQIIQQQQIiQIHH", 0, 112, 0, 1000, kind, 0, 0, 0, 0, 0, 0, 0, regs, 65528 if stack else 0, 0, 0, 0, 0, 0)
    out = b"PERFILE2" + struct.pack("<Q", 16) + record(64, 0, attr) + record(3, 0, struct.pack("<II", 7, 7) + padded(b"bomb"))
    for i, path in enumerate(paths):
        base = i * 0x10000000
        out += record(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, base + (TEXT & ~0xfff), 0x100000, 0x2000, 0, 0, 0, 0, 5, 2) + padded(path))
        for k in range(samples):
            ip = base + TEXT + 16 + k * (at or 16)
            body = struct.pack("<QIIQQ", ip, 7, 7, 10 + k, 1000) + struct.pack("<QQQ", 2, 0xfffffffffffffe00, ip)
            if stack:
                body += struct.pack("<QQQQ", 2, 0, 0x7ffe00000000, ip) + struct.pack("<Q", len(stack)) + stack + struct.pack("<Q", len(stack))
            out += record(9, 2, body)
    return out


def elf(sections, text=0x10000, build=b"\1" * 20):
    """An x86-64 program with TEXT bytes of code, and SECTIONS: (name, type, flags, address, bytes)."""
    rows = [(b".note.gnu.build-id", 7, 2, 0x400200, struct.pack("<III", 4, 20, 3) + b"GNU\0" + build),
            (b".text", 1, 6, TEXT, b"\x90" * text)] + sections
    names, offset, heads, blob = b"\0", 0x1000, b"", b""
    heads = bytes(64)
    placed = []
    for name, kind, flags, address, data in rows:
        if name == b".text":
            blob += bytes(-len(blob) % 0x1000)
        placed.append((len(names), kind, flags, address, offset + len(blob), len(data)))
        names += name + b"\0"
        blob += data + bytes(-len(data) % 16)
    placed.append((len(names), 3, 0, 0, offset + len(blob), len(names) + 10))
    names += b".shstrtab\0"
    blob += names
    for n, kind, flags, address, at, size in placed:
        heads += struct.pack("<IIQQQQIIQQ", n, kind, flags, address, at, size, 0, 0, 1, 0)
    code = placed[1]
    load = struct.pack("<IIQQQQQQ", 1, 5, code[4], TEXT, TEXT, text, text, 4096)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, TEXT, 64, offset + len(blob), 0, 64, 56, 1, 64,
                                                   len(placed) + 1, len(placed))
    return (head + load).ljust(offset, b"\0") + blob + heads


def zlib_section(size, data=None):
    return struct.pack("<IIQQ", 1, 0, size, 1) + zlib.compress(data or bytes(size), 9)


@bomb("fg-collapse --inline FILE", "fg-collapse --srcline FILE", says=LIMIT)
def debug_sections_of_zeroes(put):
    program = elf([(b".debug_info", 1, 0x800, 0, zlib_section(150 * MB)), (b".debug_abbrev", 1, 0x800, 0, zlib_section(150 * MB)),
                   (b".debug_line", 1, 0x800, 0, zlib_section(150 * MB)), (b".debug_str", 1, 0x800, 0, zlib_section(150 * MB))])
    return recording([put("program", program)], 3)


@bomb("fg-collapse --inline FILE", says=LIMIT)
def a_large_file_that_is_no_program(put):
    path = put("large", b"text")
    os.truncate(path, 1 << 36)
    program = elf([(b".debug_%s" % name, 1, 0x800, 0, zlib_section(150 * MB)) for name in (b"info", b"abbrev", b"line", b"str")])
    return recording([path, put("program", program)], 3)


@bomb("fg-collapse FILE", says=LIMIT)
def mini_debug_data_in_many_programs(put):
    packed = lzma.compress(bytes(100 * MB), preset=1)
    return recording([put("program%d" % i, elf([(b".gnu_debugdata", 1, 0, 0, packed)], build=bytes([i] * 20))) for i in range(8)], 3)


def call_frames(n):
    cie = b"\0\0\0\0" + b"\1zR\0" + b"\1\x78\x10" + b"\1\0" + b"\x0c\x07\x08\x90\x01"
    cie += bytes(-len(cie) % 8)
    out = struct.pack("<I", len(cie)) + cie
    fde = struct.pack("<I", len(out) + 4) + struct.pack("<QQ", TEXT, 0x10000) + b"\0" + b"\xc3" * n
    fde += bytes(-len(fde) % 8)
    return out + struct.pack("<I", len(fde)) + fde + bytes(4)


@bomb("fg-collapse FILE", says=LIMIT)
def call_frame_program_that_is_long(put):
    program = elf([(b".eh_frame", 1, 2, 0x500000, call_frames(440000))])
    stack = b"".join(struct.pack("<Q", TEXT + 1 + i * 7919 % 0xfff0) for i in range(8000))
    return recording([put("program", program)], 8, stack)


def line_program(ops):
    header = bytes([1, 1, 1, 0xfb, 14, 13]) + b"\0\1\1\1\1\0\0\0\1\0\0\1" + b"\0" + b"f.c\0\0\0\0" + b"\0"
    body = struct.pack("<HI", 4, len(header)) + header + b"\0\x09\2" + struct.pack("<Q", TEXT) + ops + b"\0\1\1"
    return struct.pack("<I", len(body)) + body


def compile_unit():
    abbrev = b"\1\x11\0\x10\x17\x11\1\x12\7\0\0\0"
    info = struct.pack("<HIB", 4, 0, 8) + b"\1" + struct.pack("<IQQ", 0, TEXT, 0x10000)
    return abbrev, struct.pack("<I", len(info)) + info


@bomb("fg-collapse --srcline FILE")
def line_program_that_is_long(put):
    abbrev, info = compile_unit()
    lines = line_program(b"\x14" * (60 * MB))
    program = elf([(b".debug_abbrev", 1, 0, 0, abbrev), (b".debug_info", 1, 0, 0, info),
                   (b".debug_line", 1, 0x800, 0, zlib_section(len(lines), lines))])
    return recording([put("program", program)], 50)


@bomb("fg-collapse --srcline FILE", "fg-collapse --inline FILE")
def many_units_with_one_abbreviation_table(put):
    abbrev = b"".join(leb(i) + b"\x2e\0\x03\x08\0\0" for i in range(1, 60000)) + b"\0"
    unit = struct.pack("<HIB", 4, 0, 8) + b"\1"
    unit = struct.pack("<I", len(unit)) + unit
    program = elf([(b".debug_abbrev", 1, 0, 0, abbrev), (b".debug_info", 1, 0, 0, unit * 25000)])
    return recording([put("program", program)], 3)


@bomb("fg-collapse FILE")
def one_program_under_many_names(put):
    path = put("program", elf([(b".debug_str", 1, 0x800, 0, zlib_section(20 * MB))]))
    folder, name = path.rsplit(b"/", 1)
    return recording([folder + b"/" + b"./" * i + name for i in range(900)], 1)


@bomb("fg-collapse FILE")
def recording_with_many_mappings(put):
    return recording([b"/nowhere/%d" % i for i in range(6000)], 1)


@bomb("fg-collapse FILE", "fg-collapse --by pid,tid FILE")
def recording_of_threads_with_like_numbers():
    out = [recording([b"/nowhere"], 1)]
    for i in range(1, 65536):
        out += record(3, 0, struct.pack("<II", i << 16, i << 16) + padded(b"bomb")), \
            record(9, 2, struct.pack("<QIIQQQQ", TEXT, i << 16, i << 16, 10, 1000, 1, TEXT))
    return gzip.compress(b"".join(out))


@bomb("fg-collapse FILE")
def recording_of_deep_stacks(put):
    body = struct.pack("<QIIQQ", TEXT, 7, 7, 10, 1000) + struct.pack("<Q", 8000) + struct.pack("<Q", TEXT) * 8000
    return recording([b"/nowhere"], 1) + record(9, 2, body) * 15


# Java Flight Recorder

@bomb("fg-collapse -f jfr FILE", says=LIMIT)
def jfr_constants_with_many_empty_fields():
    texts = [b"root", b"metadata", b"class", b"id", b"10", b"name", b"Big", b"field", b"11", b"Nil", b"12", b"B"]
    place = {t: leb(i) for i, t in enumerate(texts)}

    def element(tag, attributes, children):
        return place[tag] + leb(len(attributes)) + b"".join(place[k] + place[v] for k, v in attributes) + leb(len(children)) + \
            b"".join(children)
    empty = element(b"field", [(b"name", b"B"), (b"class", b"11")], [])
    tree = element(b"root", [], [element(b"metadata", [], [
        element(b"class", [(b"id", b"11"), (b"name", b"Nil")], []),
        element(b"class", [(b"id", b"10"), (b"name", b"Big")], [empty] * 60000)])])
    strings = leb(len(texts)) + b"".join(b"\3" + leb(len(t)) + t for t in texts)

    def event(kind, body):
        size = len(body) + len(kind)
        n = next(k for k in range(1, 9) if len(leb(size + k)) == k)
        return leb(size + n) + kind + body
    metadata = event(b"\0", b"\1\1\1" + strings + tree)
    pool = event(b"\1", b"\1\1" + b"\0" + b"\0" + b"\1" + leb(10) + leb(200000) + b"\1" * 200000)
    size = 68 + len(metadata) + len(pool)
    return b"FLR\0" + struct.pack(">HHQQQQQQQI", 2, 1, size, 68 + len(metadata), 68, 1, 1, 1, 10 ** 9, 1) + metadata + pool
