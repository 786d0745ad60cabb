#!/bin/sh
# SPDX-License-Identifier: ISC
# A Java program says which methods its threads are in and what their states are, by getAllStackTraces, while
# jstack and jcmd look at it; and which methods each throwable has, all of them, that it prints.
set -u
for tool in javac java jstack jcmd; do
	command -v $tool >/dev/null || { echo "skip jstack $tool is not installed"; exit 0; }
done
tmp=$(mktemp -d) || exit 2
trap 'kill "$pid" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
pid=

cat >"$tmp/Work.java" <<'END'
import java.util.*;

public class Work {
	static final Object lock = new Object();
	static class Inner extends Exception { Inner(String m) { super(m); } }
	static class Held implements AutoCloseable { public void close() throws Inner { throw new Inner("held"); } }

	static class Holder implements Runnable {
		public void run() { hold(3); }
		void hold(int n) {
			if (n > 0) { hold(n - 1); return; }
			synchronized (lock) { try { Thread.sleep(1000000); } catch (InterruptedException e) { } }
		}
	}
	static class Wants implements Runnable { public void run() { synchronized (lock) { System.out.println(); } } }
	static class Parks implements Runnable { public void run() { java.util.concurrent.locks.LockSupport.park(); } }
	static class Accepts implements Runnable {
		public void run() { try { new java.net.ServerSocket(0).accept(); } catch (Exception e) { } }
	}

	static void put(String root, StackTraceElement[] frames) {
		StringBuilder b = new StringBuilder(root);
		for (int i = frames.length - 1; i >= 0; i--)
			b.append(b.length() > 0 ? ";" : "").append(frames[i].getClassName()).append('.').append(frames[i].getMethodName());
		System.out.println("FOLDED " + b);
	}
	static void putAll(Throwable t) {
		put("", t.getStackTrace());
		for (Throwable s : t.getSuppressed()) putAll(s);
		if (t.getCause() != null) putAll(t.getCause());
	}

	static void fail(int n) throws Exception {
		if (n > 0) { fail(n - 1); return; }
		try (Held h = new Held()) { throw new Inner("deep"); }
	}
	static void wrap(int n) throws Exception {
		try { fail(n); } catch (Exception e) { throw new IllegalStateException("of\ntwo lines", n % 2 == 0 ? e : new Exception("waiting on", e)); }
	}

	public static void main(String[] a) throws Exception {
		if (a.length > 0) {
			for (int n = 0; n < 6; n++)
				try { wrap(n); } catch (Exception e) { e.printStackTrace(); putAll(e); }
			return;
		}
		Map<String, Runnable> all = new LinkedHashMap<>();
		all.put("holder", new Holder());
		all.put("wants \"it\"", new Wants());
		all.put("parks", new Parks());
		all.put("accepts", new Accepts());
		for (Map.Entry<String, Runnable> e : all.entrySet()) {
			Thread t = new Thread(e.getValue(), e.getKey());
			t.setDaemon(true);
			t.start();
			Thread.sleep(300);
		}
		for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet())
			if (all.containsKey(e.getKey().getName()))
				put(e.getKey().getState() + ";" + e.getKey().getName().replace(' ', '_'), e.getValue());
		System.out.println("READY");
		Thread.sleep(60000);
	}
}
END
javac -d "$tmp" "$tmp/Work.java" || exit 2

# Prints the stacks that the output $1 says, with their weights.
owner() {
	sed -n 's/^FOLDED //p' "$1" | sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2), n }' | sort
}

# Compares the files ours and owner; $1 is the tool.
compare() {
	if [ -s "$tmp/owner" ] && cmp -s "$tmp/ours" "$tmp/owner"; then
		echo "ok $1 $(grep -c '' "$tmp/ours") stacks"
	else
		echo "FAIL $1 stacks differ"
		diff "$tmp/ours" "$tmp/owner" | head -n 20
	fi
}

java -cp "$tmp" Work >"$tmp/said" 2>&1 &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	grep -q READY "$tmp/said" && break
	sleep 0.5
done
jstack "$pid" >"$tmp/jstack" 2>"$tmp/err" || { echo "skip jstack cannot attach to a program here"; exit 0; }
jcmd "$pid" Thread.print >"$tmp/jcmd" 2>>"$tmp/err"
# A thread that accepts connections is RUNNABLE for Java.
owner "$tmp/said" >"$tmp/owner"
for tool in jstack jcmd; do
	"$BIN/fg-collapse" -q --no-header --event-filter '*' "$tmp/$tool" | sed 's/^NETWORK;/RUNNABLE;/' |
		grep -E '^[A-Z_]*;(holder|wants_"it"|parks|accepts);' | sort >"$tmp/ours"
	compare $tool
done
kill "$pid"

java -cp "$tmp" Work fail >"$tmp/said" 2>"$tmp/log"
owner "$tmp/said" >"$tmp/owner"
"$BIN/fg-collapse" -q --no-header --by none "$tmp/log" | sort >"$tmp/ours"
compare java-exceptions
