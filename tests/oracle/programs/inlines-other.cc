// SPDX-License-Identifier: ISC
// A second unit, with functions that the first one has as well.
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

long
other(const std::vector<std::string> &words)
{
	std::unordered_map<std::string, long> lengths;

	for (const auto &word : words)
		lengths[word] += static_cast<long>(word.size());
	try {
		lengths.at("none");
	} catch (...) {
		lengths.erase("none");
	}
	return std::accumulate(lengths.begin(), lengths.end(), 0L,
		[](long sum, const auto &item) { return sum + item.second; });
}
