// SPDX-License-Identifier: ISC
// Several seconds of deeply inlined C++, to measure the cost of naming inlined frames.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace
{

struct Point {
	double x, y, z;
};

template <typename T, typename F>
auto
transformed(const std::vector<T> &from, F f)
{
	std::vector<decltype(f(from[0]))> to;

	to.reserve(from.size());
	std::transform(from.begin(), from.end(), std::back_inserter(to), f);
	return to;
}

double
lengths(const std::vector<Point> &points)
{
	auto squares = transformed(points, [](const Point &p) { return p.x * p.x + p.y * p.y + p.z * p.z; });

	std::sort(squares.begin(), squares.end(), std::greater<double>());
	return std::accumulate(squares.begin(), squares.end(), 0.0);
}

size_t
words(size_t n)
{
	std::map<std::string, int> counts;
	std::regex form("[a-z]+[0-9]+");

	for (size_t i = 0; i < n; i++) {
		std::string word = "word" + std::to_string(i * 7919 % 1000);
		if (std::regex_match(word, form))
			counts[word]++;
	}
	return counts.size();
}

} // namespace

int
main()
{
	auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
	std::vector<Point> points;
	double sum = 0;
	uint32_t seed = 1;

	for (int i = 0; i < 20000; i++) {
		seed = seed * 1664525 + 1013904223;
		points.push_back({ double(seed >> 8), double(seed & 255), double(i) });
	}
	while (std::chrono::steady_clock::now() < end)
		sum += lengths(points) + double(words(300));
	return sum > 0 ? 0 : 1;
}
