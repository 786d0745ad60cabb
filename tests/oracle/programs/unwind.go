// SPDX-License-Identifier: ISC
// Maps, sorting, recursion, closures and two goroutines, for as many tenths of a second as the first argument says.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
)

type shape interface{ area() int }
type square struct{ side int }

func (s square) area() int { return s.side * s.side }

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func keys(m map[string]int) []string {
	list := []string{}
	for k := range m {
		list = append(list, k)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] > list[j] })
	return list
}

func work(end time.Time, done chan int) {
	sum := 0
	for time.Now().Before(end) {
		m := map[string]int{}
		for i := 0; i < 5000; i++ {
			m[fmt.Sprint("k", i*7919%997)] += i
		}
		var s shape = square{len(keys(m))}
		sum += fib(18) + s.area()
	}
	done <- sum
}

func main() {
	tenths := 5
	if len(os.Args) > 1 {
		tenths, _ = strconv.Atoi(os.Args[1])
	}
	end, done := time.Now().Add(time.Duration(tenths)*100*time.Millisecond), make(chan int)
	for i := 0; i < 2; i++ {
		go work(end, done)
	}
	fmt.Println(<-done + <-done)
}
