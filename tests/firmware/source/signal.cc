// SPDX-License-Identifier: ISC
// The part of the firmware with mangled names: templates, namespaces, operators, lambdas, methods that are
// inlined.
#include "work.h"

namespace dsp {

template <class T, int N> class Filter {
	T taps[N] = {};
	int at = 0;

public:
	__attribute__((noinline)) T step(T x)
	{
		taps[at = (at + 1) % N] = x;
		return sum();
	}

	T sum() const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s += taps[i] * (i + 1);
		return s;
	}
};

struct Point {
	int32_t x, y;

	Point operator+(const Point &other) const { return { x + other.x, y + other.y }; }
	__attribute__((noinline)) Point operator*(int32_t k) const;
};

Point Point::operator*(int32_t k) const
{
	Point p = *this;

	for (int i = 0; i < (k & 15); i++)
		p = p + *this;
	return p;
}

} // namespace dsp

namespace {

dsp::Filter<int32_t, 16> slow;
dsp::Filter<uint16_t, 8> fast;

template <class F> __attribute__((noinline)) uint32_t repeat(int n, F step)
{
	uint32_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += step(i);
	return sum;
}

__attribute__((noinline)) uint32_t walk(uint32_t x)
{
	dsp::Point p = { int32_t(x & 0xff), 1 };

	for (int i = 0; i < 8; i++)
		p = p * int32_t(x + i) + p;
	return uint32_t(p.x);
}

} // namespace

// Nobody calls it.
uint32_t gone_signal(uint32_t x)
{
	return uint32_t(slow.step(int32_t(x))) + walk(x);
}

uint32_t signal_filter(uint32_t x)
{
	uint32_t sum = repeat(12, [&](int i) { return work_stir(uint32_t(slow.step(int32_t(x >> i)))); });

	sum += repeat(9, [](int i) { return uint32_t(fast.step(uint16_t(i))); });
	return sum + walk(x);
}
