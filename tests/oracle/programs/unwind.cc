// SPDX-License-Identifier: ISC
// Burns some time in ways that are hard to unwind: calls through libc, exceptions, signals taken in the
// middle of all that and on a stack of their own, threads, deep recursion, realigned frames, children.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char **environ;

static volatile uint64_t sink;

static uint64_t
burn(uint64_t n)
{
	uint64_t x = n | 1;

	for (uint64_t i = 0; i < n; i++)
		x = x * 6364136223846793005 + 1442695040888963407;
	return x;
}

static void
on_alarm(int)
{
	sink = sink + burn(200000);
}

static int
compare(const void *a, const void *b)
{
	auto x = *static_cast<const uint64_t *>(a), y = *static_cast<const uint64_t *>(b);

	sink = sink + burn(20);
	return x < y ? -1 : x > y;
}

static void
sort_through_libc()
{
	std::vector<uint64_t> v(20000);

	for (auto &x : v)
		x = burn(10 + sink % 3) + static_cast<uint64_t>(&x - v.data()) * 2654435761u;
	qsort(v.data(), v.size(), sizeof v[0], compare);
}

__attribute__((noinline)) static uint64_t
recurse(unsigned depth)
{
	return depth ? recurse(depth - 1) + burn(300) : burn(10000);
}

struct Guard {
	~Guard()
	{
		sink = sink + burn(50);
	}
};

__attribute__((noinline)) static void
throw_from(unsigned depth)
{
	Guard guard;

	if (!depth)
		throw std::runtime_error("thrown");
	throw_from(depth - 1);
}

static void
catch_many()
{
	for (unsigned i = 0; i < 3000; i++)
		try {
			throw_from(i % 30);
		} catch (const std::exception &e) {
			sink = sink + e.what()[0];
		}
}

// A frame of this must be aligned more than the ABI says: its CFA is an expression.
__attribute__((noinline)) static double
realigned(unsigned n)
{
	alignas(64) double v[32];

	for (unsigned i = 0; i < 32; i++)
		v[i] = static_cast<double>(burn(n + i) & 0xff);
	std::sort(v, v + 32);
	return v[n % 32];
}

struct Shape {
	virtual ~Shape() = default;
	virtual uint64_t area(unsigned n) const = 0;
};

template <unsigned K> struct Square : Shape {
	uint64_t area(unsigned n) const override
	{
		return burn(n * K);
	}
};

static void
call_virtually()
{
	std::vector<std::unique_ptr<Shape>> shapes;
	std::map<std::string, std::function<uint64_t(unsigned)>> table;

	shapes.push_back(std::make_unique<Square<3>>());
	shapes.push_back(std::make_unique<Square<5>>());
	for (unsigned i = 0; i < 300; i++)
		table["key" + std::to_string(i)] = [&](unsigned n) {
			return shapes[n % 2]->area(n % 500);
		};
	for (auto &entry : table)
		for (unsigned i = 0; i < 20; i++)
			sink = sink + entry.second(i * 31);
}

static void
spawn_children()
{
	char name[] = "true", *const argv[] = { name, nullptr };
	pid_t pid;

	for (unsigned i = 0; i < 30; i++)
		if (posix_spawnp(&pid, name, nullptr, nullptr, argv, environ) == 0)
			waitpid(pid, nullptr, 0);
	for (unsigned i = 0; i < 30; i++) {
		pid = vfork();
		if (pid == 0)
			_exit(0);
		waitpid(pid, nullptr, 0);
	}
}

static void
take_signals(bool own_stack)
{
	static char memory[1 << 16];
	stack_t stack = {};
	struct sigaction action = {};
	itimerval every = { { 0, 3000 }, { 0, 3000 } };

	stack.ss_sp = memory;
	stack.ss_size = sizeof memory;
	action.sa_handler = on_alarm;
	action.sa_flags = SA_RESTART | (own_stack ? SA_ONSTACK : 0);
	if (own_stack)
		sigaltstack(&stack, nullptr);
	sigaction(SIGPROF, &action, nullptr);
	setitimer(ITIMER_PROF, &every, nullptr);
}

static void
work()
{
	sort_through_libc();
	sink = sink + recurse(400);
	catch_many();
	for (unsigned i = 0; i < 1000; i++)
		sink = sink + static_cast<uint64_t>(realigned(i));
	call_virtually();
}

int
main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], nullptr, 10) : 10;

	for (unsigned long i = 0; i < rounds; i++) {
		if (i == rounds / 3)
			take_signals(false);
		if (i == rounds * 2 / 3)
			take_signals(true);
		std::thread other(work);
		work();
		other.join();
		spawn_children();
	}
}
