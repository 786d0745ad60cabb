// SPDX-License-Identifier: ISC

// Leaves what Go's runtime/pprof knows of a small program, in text and as pprof has it.
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

//go:noinline
func keep(n int) {
	kept = append(kept, make([]byte, n))
}

//go:noinline
func brief(n int) int {
	b := make([]byte, n)
	return len(b)
}

func inlined(n int) {
	keep(n)
}

//go:noinline
func hold(m *sync.Mutex, group *sync.WaitGroup) {
	defer group.Done()
	for i := 0; i < 5; i++ {
		m.Lock()
		time.Sleep(time.Millisecond)
		m.Unlock()
	}
}

func write(name string) {
	p := pprof.Lookup(name)
	for _, form := range []struct {
		suffix string
		debug  int
	}{{".txt", 1}, {".pb.gz", 0}} {
		f, err := os.Create(name + form.suffix)
		if err != nil {
			panic(err)
		}
		p.WriteTo(f, form.debug)
		f.Close()
	}
}

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	for i := 0; i < 50; i++ {
		inlined(1000 * i)
		brief(100 * i)
	}
	var m sync.Mutex
	var group sync.WaitGroup
	group.Add(3)
	for i := 0; i < 3; i++ {
		go hold(&m, &group)
	}
	group.Wait()
	stop := make(chan int)
	pprof.Do(context.Background(), pprof.Labels("kind", "de \"mo\"", "step", "7"), func(context.Context) {
		go func() { <-stop }()
	})
	for i := 0; i < 2; i++ {
		go func() { <-stop }()
	}
	time.Sleep(10 * time.Millisecond)
	runtime.GC()
	for _, name := range []string{"heap", "mutex", "block", "goroutine", "threadcreate"} {
		write(name)
	}
}
