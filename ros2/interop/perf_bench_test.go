// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// The same measurements with the same program on three stacks: ours, Cyclone DDS and Fast DDS, in sequence, between two
// processes on the loopback interface. Ratios below 1 are in our favour, except for rates.

// perfStack is one of the stacks.
type perfStack struct {
	name  string
	stack *stack // nil: ours
}

var perfStacks = []perfStack{
	{"ours", nil},
	{"cyclone", &stack{
		name:    "cyclone-perf",
		sources: []string{"perf/*"},
		commands: []string{
			`idlc -o . "$T/perf/blob.idl"`,
			`cc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -I. -I"$T/perf" -o peer "$T"/perf/*.c blob.c -lddsc -lpthread`,
		},
		packages: "gcc cyclonedds-dev cyclonedds-tools",
	}},
	{"fastdds", &stack{
		name:    "fastdds-perf",
		sources: []string{"perf/*", "fastdds/raw_type.*"},
		commands: []string{
			`cc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -I"$T/perf" -c -o main.o "$T/perf/main.c"`,
			`c++ -std=c++17 -O2 -Wall -Wextra -I"$T/perf" -I"$T/fastdds" -o peer main.o "$T/perf/fastdds.cpp" "$T/fastdds/raw_type.cpp" -lfastrtps -lfastcdr -lpthread`,
		},
		packages: "gcc g++ libfastrtps-dev libfastcdr-dev",
	}},
}

// perfProcess is one process of a measurement.
type perfProcess struct {
	tb  testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start runs a mode and returns when the program is ready.
func (s perfStack) start(tb testing.TB, domain uint32, mode string, numbers ...float64) *perfProcess {
	tb.Helper()
	needNamespace(tb)
	args := []string{fmt.Sprint(domain), mode}
	for _, n := range numbers {
		args = append(args, fmt.Sprint(n))
	}
	p := &perfProcess{tb: tb}
	if s.stack == nil {
		p.cmd = exec.Command("/proc/self/exe", args...)
		p.cmd.Env = append(os.Environ(), roleVariable+"=perf")
	} else {
		p.cmd = exec.Command(s.stack.path(tb), args...)
	}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = p.cmd.Process.Kill() // of no effect on one that has ended
		_ = p.cmd.Wait()
	})
	if line := p.line(); line != "ready" {
		tb.Fatalf("%s %s says %q, not ready", s.name, mode, line)
	}
	return p
}

// line reads a line; a program that is silent for a minute has failed.
func (p *perfProcess) line() string {
	p.tb.Helper()
	silent := time.AfterFunc(time.Minute, func() { _ = p.cmd.Process.Kill() })
	defer silent.Stop()
	text, err := p.out.ReadString('\n')
	if err != nil {
		p.tb.Fatalf("%v: %v", p.cmd.Args, err)
	}
	return strings.TrimSpace(text)
}

// result closes the input and reads the program's numbers.
func (p *perfProcess) result(numbers ...*float64) {
	p.tb.Helper()
	p.in.Close()
	line := p.line()
	list := make([]any, len(numbers))
	for i, n := range numbers {
		list[i] = n
	}
	if _, err := fmt.Sscan(line, list...); err != nil {
		p.tb.Fatalf("%v says %q: %v", p.cmd.Args, line, err)
	}
}

// perfSizes are a command, a message of medium size, a compressed picture, and a raw one of 640 × 480 pixels.
var perfSizes = []int{64, 1024, 40_000, 921_600}

// figures are results by stack: the best of all iterations, as what else a machine does makes them worse only.
type figures map[string]float64

func (f figures) least(stack string, v float64) {
	if old, seen := f[stack]; !seen || v < old {
		f[stack] = v
	}
}

func (f figures) most(stack string, v float64) { f[stack] = max(f[stack], v) }

// report reports a metric of each stack, and ours relative to theirs.
func (f figures) report(b *testing.B, unit string) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for name, v := range f {
		b.ReportMetric(v, name+"-"+unit)
		if name != "ours" && v != 0 {
			b.ReportMetric(f["ours"]/v, unit+"/"+name)
		}
	}
}

// BenchmarkPerfRoundTrip: there and back, the median, reliable, keep last 1. One iteration is a measurement of the
// whole time.
func BenchmarkPerfRoundTrip(b *testing.B) {
	for _, size := range perfSizes {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			p50, p99 := figures{}, figures{}
			for b.Loop() {
				for _, s := range perfStacks {
					domain := newDomain()
					pong := s.start(b, domain, "pong")
					var middle, slow float64
					s.start(b, domain, "ping", float64(size), perfSeconds()).result(&middle, &slow)
					pong.in.Close()
					p50.least(s.name, middle/1000)
					p99.least(s.name, slow/1000)
				}
			}
			p50.report(b, "p50-µs")
			p99.report(b, "p99-µs")
		})
	}
}

// BenchmarkPerfMessages: one way, reliable, keep all, as fast as the reader takes them; small ones of ours in batches
// of 32. Processor seconds are those of both ends, for a million messages.
func BenchmarkPerfMessages(b *testing.B) {
	for _, size := range perfSizes {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			rate, processor, lost := figures{}, figures{}, 0.0
			for b.Loop() {
				for _, s := range perfStacks {
					domain := newDomain()
					sub := s.start(b, domain, "sub")
					var sent, pubProcessor, received, took, subProcessor float64
					s.start(b, domain, "pub", float64(size), perfSeconds()).result(&sent, &pubProcessor)
					sub.result(&received, &took, &subProcessor)
					if received < 2 {
						b.Fatalf("%s: %v of %v received", s.name, received, sent)
					}
					rate.most(s.name, (received-1)/took*1e9)
					processor.least(s.name, (pubProcessor+subProcessor)/received)
					if s.stack == nil {
						lost += sent - received
					}
				}
			}
			rate.report(b, "msgs/s")
			processor.report(b, "cpu-s/million")
			b.ReportMetric(lost, "lost")
		})
	}
}

// BenchmarkPerfDiscovery: from the start of a participant with 30 readers until each has found its writer in a process
// that was there before.
func BenchmarkPerfDiscovery(b *testing.B) {
	took := figures{}
	for _, s := range perfStacks {
		for range max(b.N, 5) {
			domain := newDomain()
			offer := s.start(b, domain, "offer", 30)
			time.Sleep(time.Second) // its announcements at the start are over
			var nanos float64
			s.start(b, domain, "find", 30).result(&nanos)
			offer.in.Close()
			took.least(s.name, nanos/1e6)
		}
	}
	took.report(b, "30-endpoints-ms")
}

// BenchmarkPerfMemory: resident memory that a participant and an endpoint (a writer or a reader, without a match) add.
func BenchmarkPerfMemory(b *testing.B) {
	const participants, endpoints = 10, 250
	perParticipant, perEndpoint := figures{}, figures{}
	for b.Loop() {
		for _, s := range perfStacks {
			var base, with, all float64
			s.start(b, newDomain(), "memory", participants, endpoints).result(&base, &with, &all)
			perParticipant.least(s.name, (with-base)/participants)
			perEndpoint.least(s.name, (all-with)/(2*endpoints))
		}
	}
	perParticipant.report(b, "KiB/participant")
	perEndpoint.report(b, "KiB/endpoint")
}

// perfSeconds is the time of one measurement.
func perfSeconds() float64 {
	if s := os.Getenv("BENCHTIME"); s != "" {
		if d, err := time.ParseDuration(s); err == nil {
			return min(max(d.Seconds(), 0.2), 10)
		}
	}
	return 1
}

// TestPerf: each mode of each stack returns numbers.
func TestPerf(t *testing.T) {
	if !suite.Long {
		t.Skip("other programs")
	}
	for _, s := range perfStacks {
		t.Run(s.name, func(t *testing.T) {
			positive := func(what string, numbers ...float64) {
				t.Helper()
				for _, n := range numbers {
					if n <= 0 {
						t.Errorf("%s: %v", what, numbers)
					}
				}
			}
			var a, b, c float64
			domain := newDomain()
			pong := s.start(t, domain, "pong")
			s.start(t, domain, "ping", 1024, 0.1).result(&a, &b, &c)
			positive("round trips", a, b, c)
			pong.in.Close()
			domain = newDomain()
			sub := s.start(t, domain, "sub")
			var sent, processor float64
			s.start(t, domain, "pub", 1024, 0.1).result(&sent, &processor)
			sub.result(&a, &b, &c)
			positive("messages", sent, a, b)
			if a > sent {
				t.Errorf("%v sent, %v received", sent, a)
			}
			domain = newDomain()
			offer := s.start(t, domain, "offer", 3)
			s.start(t, domain, "find", 3).result(&a)
			positive("discovery", a)
			offer.in.Close()
			s.start(t, newDomain(), "memory", 1, 1).result(&a, &b, &c)
			positive("memory", a, b, c)
		})
	}
}
