// SPDX-License-Identifier: ISC
// Burns some time in Rust: closures, iterators, formatting, hash maps, panics that are caught, threads.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::panic;
use std::thread;

#[derive(Clone, Debug)]
enum Expr {
    Number(i64),
    Sum(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
}

fn grow(depth: u32, seed: &mut u64) -> Expr {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let pick = *seed >> 33;
    if depth == 0 || pick % 7 == 0 {
        return Expr::Number((pick % 100) as i64);
    }
    let (a, b) = (Box::new(grow(depth - 1, seed)), Box::new(grow(depth - 1, seed)));
    if pick % 2 == 0 {
        Expr::Sum(a, b)
    } else {
        Expr::Product(a, b)
    }
}

fn value(e: &Expr) -> i64 {
    match e {
        Expr::Number(n) => *n,
        Expr::Sum(a, b) => value(a).wrapping_add(value(b)),
        Expr::Product(a, b) => value(a).wrapping_mul(value(b)),
    }
}

fn count_words(text: &str) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        *counts.entry(word).or_default() += 1;
    }
    let sorted: BTreeMap<_, _> = counts.iter().map(|(k, v)| (v, k)).collect();
    sorted.len()
}

fn work(seed: u64) -> usize {
    let mut seed = seed;
    let mut sum = 0usize;
    for _ in 0..20 {
        let e = grow(12, &mut seed);
        let mut text = String::new();
        write!(text, "{:?} = {}", e, value(&e)).unwrap();
        sum = sum.wrapping_add(count_words(&text));
        let mut words: Vec<String> = text.split(' ').map(|w| w.to_lowercase()).collect();
        words.sort_by(|a, b| b.cmp(a));
        sum = sum.wrapping_add(words.len());
    }
    for i in 0..200usize {
        sum += panic::catch_unwind(move || if i % 2 == 0 { panic!("caught") } else { i }).unwrap_or(1);
    }
    sum
}

fn main() {
    let rounds: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10);
    panic::set_hook(Box::new(|_| {}));
    let mut sum = 0usize;
    for i in 0..rounds {
        let other = thread::spawn(move || work(i * 2));
        sum = sum.wrapping_add(work(i * 2 + 1)).wrapping_add(other.join().unwrap());
    }
    println!("{}", sum);
}
