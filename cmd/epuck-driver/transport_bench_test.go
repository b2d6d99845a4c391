// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
)

// processorTime is what this process has used so far, all threads together: a middleware has its own.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// resident is the memory of this process in bytes.
func resident(b *testing.B) int64 {
	b.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// BenchmarkTransport is what a control cycle costs on each transport that is built in: processor time of all threads,
// and the memory of the process, the simulated robot's included. One transport to a process, else the memory is that
// of both: scripts/bench.sh runs them apart. The listener is another process, on the default transport.
func BenchmarkTransport(b *testing.B) {
	for _, name := range build.Transports() {
		b.Run(name, func(b *testing.B) {
			for _, c := range []struct {
				name string
				all  bool
			}{{"idle", false}, {"all", true}} {
				b.Run(c.name, func(b *testing.B) {
					r := newWholeRobotOn(b, name)
					r.findParts(b)
					if c.all {
						r.subscribeAll(b)
					}
					b.ReportAllocs()
					before := processorTime(b)
					for b.Loop() {
						r.step(b)
					}
					b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/float64(b.N), "cpu-ns/cycle")
					b.ReportMetric(float64(resident(b))/(1<<20), "MB")
				})
			}
		})
	}
}
