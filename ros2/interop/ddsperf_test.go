// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ddsperf is Cyclone DDS's own benchmark (Debian: cyclonedds-tools), the
// yardstick of ours. It prints a line a second, reliable over UDP as ours.
const ddsperfSeconds = 4

// runDDSPerf runs two processes of ddsperf, the second for the time of the measurement, and returns the lines of the
// selected one.
func runDDSPerf(t testing.TB, domain uint32, background, foreground string, wantBackground bool) []string {
	t.Helper()
	needNamespace(t)
	if _, err := exec.LookPath("ddsperf"); err != nil {
		unavailable(t, "no ddsperf (Debian: apt install cyclonedds-tools): %v", err)
	}
	command := func(seconds int, mode string) *exec.Cmd {
		args := fmt.Sprintf("-i %d -D %d %s", domain, seconds, mode)
		return exec.Command("ddsperf", strings.Fields(args)...)
	}
	var out [2]lockedBuffer
	back, front := command(ddsperfSeconds+1, background), command(ddsperfSeconds, foreground)
	back.Stdout, front.Stdout = &out[0], &out[1]
	if err := back.Start(); err != nil {
		t.Fatal(err)
	}
	if err := front.Run(); err != nil {
		t.Fatalf("%v: %v", front.Args, err)
	}
	_ = back.Wait() // it reports how the other one left as an error
	text := out[1].tail(1 << 20)
	if wantBackground {
		text = out[0].tail(1 << 20)
	}
	return strings.Split(text, "\n")
}

var (
	pingLine = regexp.MustCompile(`size \d+ mean ([0-9.]+)us min [0-9.]+us 50% ([0-9.]+)us 90% [0-9.]+us 99% ([0-9.]+)us`)
	subLine  = regexp.MustCompile(` delta (\d+) lost \d+ rate ([0-9.]+) kS/s`)
)

// roundTrip is the result of a ping-pong measurement.
type roundTrip struct{ p50, p99 time.Duration }

// ddsperfRoundTrip returns the median over its seconds. ddsperf prints half the round trip, as one-way latency.
func ddsperfRoundTrip(t testing.TB, domain uint32, size int) roundTrip {
	t.Helper()
	r, ok := parsePing(runDDSPerf(t, domain, "pong", fmt.Sprintf("ping size %d", size), false))
	if !ok {
		t.Fatal("ddsperf printed no round trips")
	}
	return r
}

func parsePing(lines []string) (roundTrip, bool) {
	var p50, p99 []float64
	for _, line := range lines {
		if m := pingLine.FindStringSubmatch(line); m != nil {
			p50, p99 = append(p50, number64(m[2])), append(p99, number64(m[3]))
		}
	}
	if len(p50) == 0 {
		return roundTrip{}, false
	}
	micros := func(v float64) time.Duration { return time.Duration(2 * v * float64(time.Microsecond)) }
	return roundTrip{micros(median(p50)), micros(median(p99))}, true
}

// ddsperfThroughput returns the messages per second that its subscriber receives.
func ddsperfThroughput(t testing.TB, domain uint32, size int) float64 {
	t.Helper()
	rate, ok := parseSub(runDDSPerf(t, domain, "sub", fmt.Sprintf("pub size %d", size), true))
	if !ok {
		t.Fatal("ddsperf printed no rates")
	}
	return rate
}

func parseSub(lines []string) (float64, bool) {
	var rates []float64
	for _, line := range lines {
		if m := subLine.FindStringSubmatch(line); m != nil {
			rates = append(rates, 1000*number64(m[2]))
		}
	}
	if len(rates) == 0 {
		return 0, false
	}
	return median(rates), true
}

func number64(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return v
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func TestParseDDSPerf(t *testing.T) {
	lines := func(text string) (list []string) {
		for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
			list = append(list, s.Text())
		}
		return list
	}
	r, ok := parsePing(lines(`[7] participant vm:7: new (self)
[7] 2.000  vm:5 size 256 mean 6.269us min 5.586us 50% 5.857us 90% 8.409us 99% 10.778us max 1061.548us cnt 78957
[7] 2.000  rss:7.6MB vcsw:35293 ivcsw:43823 recvUC:27%+22%`))
	if !ok || r.p50 != 11714*time.Nanosecond || r.p99 != 21556*time.Nanosecond {
		t.Errorf("round trip %v, %v", r, ok)
	}
	rate, ok := parseSub(lines(`[1] 2.000  size 256 total 949214 lost 0 delta 500004 lost 0 rate 500.01 kS/s 1024.02 Mb/s (94.92 kS/s 194.40 Mb/s)`))
	if !ok || rate != 500010 {
		t.Errorf("rate %v, %v", rate, ok)
	}
	if _, ok := parsePing(nil); ok {
		t.Error("a round trip from nothing")
	}
	if _, ok := parseSub(nil); ok {
		t.Error("a rate from nothing")
	}
}
