// SPDX-License-Identifier: ISC
// Iterators inline a dozen levels deep.
use std::collections::{BTreeMap, HashMap};

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('/').filter(|w| !w.is_empty()).enumerate()
}

fn main() {
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    let mut lengths = BTreeMap::new();
    for (n, argument) in std::env::args().enumerate() {
        for (i, word) in words(&argument) {
            seen.entry(word.to_owned()).or_default().push(i * n);
            *lengths.entry(word.len()).or_insert(0usize) += i;
        }
    }
    let mut all: Vec<_> = seen
        .into_iter()
        .flat_map(|(word, places)| places.into_iter().map(move |p| (p, word.clone())))
        .collect();
    all.sort_by(|a, b| b.cmp(a));
    println!("{:?} {:?}", all, lengths);
}
