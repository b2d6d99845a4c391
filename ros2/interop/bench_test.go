// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// The benchmarks measure our stack and ddsperf in sequence, between two processes on the loopback interface, and report
// both and their ratio, which depends little on the machine. Pacing, which is for networks, is off in both.

// unpaced is the configuration of both our ends.
func unpaced(domain uint32) rtps.Config {
	return rtps.Config{DomainID: domain, SendRate: 1 << 30, SendBurst: 1 << 22, RepairRate: 1 << 30}
}

var benchSizes = []int{64, 256, 1024, 16384}

// benchWriter and benchReader are the ends in this process.
func benchWriter(b *testing.B, o *ours, topic string, history wire.HistoryKind, window int) *rtps.Writer {
	b.Helper()
	q := wire.DefaultWriterQoS()
	q.History = history
	matched := newMatches(b, topic)
	w, err := o.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeString, QoS: q, OnMatch: matched.put, MaxSamples: window})
	if err != nil {
		b.Fatal(err)
	}
	matched.matched(1)
	return w
}

// benchWindow bounds the samples in flight by the reader's socket buffer. The kernel doubles the requested size (1 MiB,
// if it grants that) and counts each datagram with its overhead, of which there is one for every 1344 bytes of a large
// sample.
func benchWindow(b *testing.B, size int) int {
	b.Helper()
	window, err := window(size)
	if err != nil {
		b.Fatal(err)
	}
	return window
}

func window(size int) (int, error) {
	text, err := os.ReadFile("/proc/sys/net/core/rmem_max")
	if err != nil {
		return 0, err
	}
	granted, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, err
	}
	const overhead = 1300
	datagrams := (size + 1343) / 1344
	return max(2*min(granted, 1<<20)*7/10/(size+datagrams*overhead), 2), nil
}

// benchPayload is CDR with size bytes after the encapsulation header.
func benchPayload(size int) []byte { return append([]byte{0, 1, 0, 0}, make([]byte, size)...) }

// BenchmarkRoundTrip: a sample to another process and back, reliable, keep last 1. The next one is sent from the
// callback of the last, on both sides, as in ddsperf.
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			domain := newDomain()
			startRole(b, "pong", domain)
			o := startOurs(b, unpaced(domain))
			trip := &tripMeter{done: make(chan error, 1), payload: benchPayload(size)}
			q := wire.DefaultReaderQoS()
			q.Reliability = wire.Reliable
			matched := newMatches(b, "rt/pong")
			if _, err := o.p.NewReader(rtps.ReaderConfig{
				Topic: "rt/pong", Type: typeString, QoS: q, OnMatch: matched.put, OnSample: func(*rtps.Sample) { trip.back() },
			}); err != nil {
				b.Fatal(err)
			}
			matched.matched(1)
			trip.w = benchWriter(b, o, "rt/ping", wire.KeepLast, 1)
			const trips = 100 // an iteration
			for b.Loop() {
				trip.left = trips
				trip.leave()
				if err := <-trip.done; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N*trips), "ns/op")
			slices.Sort(trip.times)
			ours := roundTrip{trip.times[len(trip.times)/2], trip.times[len(trip.times)*99/100]}
			theirs := ddsperfRoundTrip(b, newDomain(), size)
			micros := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
			b.ReportMetric(micros(ours.p50), "p50-µs")
			b.ReportMetric(micros(ours.p99), "p99-µs")
			b.ReportMetric(micros(theirs.p50), "ddsperf-p50-µs")
			b.ReportMetric(micros(theirs.p99), "ddsperf-p99-µs")
			b.ReportMetric(micros(ours.p50)/micros(theirs.p50), "p50/ddsperf")
		})
	}
}

// tripMeter times round trips, each begun when the one before has ended.
type tripMeter struct {
	w       *rtps.Writer
	payload []byte
	left    int
	begin   time.Time
	times   []time.Duration
	done    chan error
}

func (m *tripMeter) leave() {
	m.begin = time.Now()
	if err := m.w.Write(m.payload); err != nil {
		m.done <- err
	}
}

func (m *tripMeter) back() {
	m.times = append(m.times, time.Since(m.begin))
	if m.left--; m.left > 0 {
		m.leave()
	} else if m.left == 0 {
		m.done <- nil
	}
}

// BenchmarkMessages: one way to another process, reliable, keep all, as fast as the reader accepts them; each message
// in its own datagram, and packed between Cork and Uncork in batches of 32. ddsperf packs.
func BenchmarkMessages(b *testing.B) {
	for _, size := range benchSizes {
		for _, batch := range []int{1, 32} {
			b.Run(fmt.Sprintf("%dB/batch=%d", size, batch), func(b *testing.B) {
				domain := newDomain()
				reader := startRole(b, "sink", domain)
				o := startOurs(b, unpaced(domain))
				w := benchWriter(b, o, "rt/flood", wire.KeepAll, benchWindow(b, size))
				payload := benchPayload(size)
				written := 0
				begin := time.Now()
				for b.Loop() {
					if batch > 1 {
						o.p.Cork()
					}
					for range batch {
						written += writeWhenSpace(b, w, payload)
					}
					if batch > 1 {
						o.p.Uncork()
					}
				}
				got := reader.stats("flood").Received
				rate := float64(got) / time.Since(begin).Seconds()
				theirs := ddsperfThroughput(b, newDomain(), size)
				b.ReportMetric(rate, "msgs/s")
				b.ReportMetric(theirs, "ddsperf-msgs/s")
				b.ReportMetric(rate/theirs, "msgs/ddsperf")
				b.ReportMetric(float64(written-got)/float64(written), "under-way/written")
			})
		}
	}
}

// writeWhenSpace writes a sample, waiting while the history is full, and returns 1.
func writeWhenSpace(b *testing.B, w *rtps.Writer, payload []byte) int {
	for {
		err := w.Write(payload)
		if err == nil {
			return 1
		}
		if !errors.Is(err, rtps.ErrFull) {
			b.Fatal(err)
		}
		time.Sleep(20 * time.Microsecond)
	}
}
