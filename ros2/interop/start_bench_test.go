// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// started is the cost of one start of a program.
type started struct {
	first  time.Duration // from the start of the process to its first sample at a reader that waited
	memory float64       // most resident memory, MB
}

// BenchmarkStart: the simulated robot from the start of its process to its first odom at a waiting reader of Cyclone
// DDS, and its memory; compared with a peer program of each vendor that publishes one sample.
func BenchmarkStart(b *testing.B) {
	for _, s := range stacks {
		b.Run(s.name, func(b *testing.B) {
			var ours, theirs []started
			for b.Loop() {
				ours = append(ours, startOfRobot(b))
				theirs = append(theirs, startOfPeer(b, s))
			}
			mine, other := medianStart(ours), medianStart(theirs)
			millis := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
			b.ReportMetric(millis(mine.first), "start-ms")
			b.ReportMetric(millis(other.first), "peer-start-ms")
			b.ReportMetric(millis(mine.first)/millis(other.first), "start/peer")
			b.ReportMetric(mine.memory, "MB")
			b.ReportMetric(other.memory, "peer-MB")
			b.ReportMetric(mine.memory/other.memory, "MB/peer")
		})
	}
}

func startOfRobot(b *testing.B) started {
	if _, err := program(); err != nil { // built before the clock runs
		b.Fatal(err)
	}
	domain := newDomain()
	observer := stacks[0].start(b, domain, 0)
	observer.send("reader r odometry rt/odom reliable volatile 1")
	begin := time.Now()
	r := startRobot(b, domain)
	observer.sample("r")
	first := time.Since(begin)
	memory := mostResident(b, r.cmd.Process.Pid)
	r.interrupt()
	observer.quit()
	return started{first, memory}
}

func startOfPeer(b *testing.B, s *stack) started {
	domain := newDomain()
	observer := stacks[0].start(b, domain, 0)
	observer.send("reader r string rt/first reliable transient_local 1")
	begin := time.Now()
	p := s.start(b, domain, 0)
	p.send("writer w string rt/first reliable transient_local 1")
	p.send("write w 1")
	observer.sample("r")
	first := time.Since(begin)
	memory := mostResident(b, p.cmd.Process.Pid)
	p.quit()
	observer.quit()
	return started{first, memory}
}

// mostResident gives the most resident memory of a running process in MB. (What wait reports of an ended one begins
// with the memory of the process that started it.)
func mostResident(t testing.TB, pid int) float64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		t.Fatalf("no VmHWM in %s", text)
	}
	kilobytes, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes / 1024
}

func medianStart(all []started) started {
	var first []time.Duration
	var memory []float64
	for _, s := range all {
		first, memory = append(first, s.first), append(memory, s.memory)
	}
	slices.Sort(first)
	slices.Sort(memory)
	return started{first[len(first)/2], memory[len(memory)/2]}
}

// TestMostResident: the figure is the process's own, in megabytes.
func TestMostResident(t *testing.T) {
	if mb := mostResident(t, os.Getpid()); mb < 2 || mb > 500 {
		t.Errorf("%v MB", mb)
	}
}
