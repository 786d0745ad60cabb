// SPDX-License-Identifier: ISC
// Templates, lambdas, local classes, constructors, virtual functions.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shapes
{
struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};

template <class T> struct box : shape {
	T w, h;
	box(T w, T h) : w(w), h(h)
	{
	}
	double area() const override
	{
		return double(w) * double(h);
	}
};
} // namespace shapes

namespace
{
template <int N> struct power {
	static long of(long x)
	{
		return x * power<N - 1>::of(x) + N;
	}
};

template <> struct power<0> {
	static long of(long x)
	{
		return x ^ 1;
	}
};

struct counter {
	std::map<std::string, int> seen;
	int add(const std::string &s)
	{
		return ++seen[s];
	}
};
} // namespace

extern long other(const std::vector<std::string> &words);

static std::vector<std::string>
split(const char *text)
{
	std::vector<std::string> words;
	std::string word;

	for (; *text; text++) {
		if (*text != '/') {
			word += *text;
			continue;
		}
		words.push_back(word);
		word.clear();
	}
	words.push_back(word);
	return words;
}

int
main(int argc, char **argv)
{
	std::vector<std::unique_ptr<shapes::shape>> all;
	counter c;
	long s = 0;

	for (int i = 0; i < argc; i++) {
		all.push_back(std::make_unique<shapes::box<int>>(i, argc));
		all.push_back(std::make_unique<shapes::box<float>>(float(i), 2.5f));
		for (auto &word : split(argv[i]))
			s += c.add(word);
	}
	struct by_area {
		bool operator()(const std::unique_ptr<shapes::shape> &a,
			const std::unique_ptr<shapes::shape> &b) const
		{
			return a->area() < b->area();
		}
	};
	std::sort(all.begin(), all.end(), by_area());
	std::function<long(long)> f = [&](long x) {
		auto g = [&](long y) { return power<6>::of(y + s) + x; };
		return g(x) + g(s);
	};
	std::printf("%ld %ld\n", f(argc), other(split(argv[0])));
	return std::any_of(all.begin(), all.end(),
		[&](const auto &p) { return p->area() > double(s); });
}
