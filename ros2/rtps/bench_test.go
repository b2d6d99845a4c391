// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// link is a writer and a reader in two participants, over real sockets on the loopback interface.
type link struct {
	a, b *rtps.Participant
	w    *rtps.Writer
}

func newLink(b *testing.B, onSample func(*rtps.Sample), opts ...option) *link {
	b.Helper()
	return newLinkOf(b, func(*rtps.Config) {}, false, onSample, opts...)
}

// newLinkOf makes a link of participants with a changed configuration.
func newLinkOf(b *testing.B, change func(*rtps.Config), loans bool, onSample func(*rtps.Sample), opts ...option) *link {
	b.Helper()
	domain := uint32(100 + rand.IntN(100))
	l := &link{a: overLoopback(b, domain, change), b: overLoopback(b, domain, change)}
	l.w = writer(b, l.a, opts...)
	r, err := l.b.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opts...), OnSample: onSample, Loans: loans})
	if err != nil {
		b.Fatal(err)
	}
	await(b, "match", func() bool { return l.w.Matched() == 1 && r.Matched() == 1 })
	return l
}

// BenchmarkThroughput writes as fast as the history allows.
func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{64, 1024} {
		for name, opts := range map[string][]option{"best effort": {bestEffort}, "reliable": {reliable, keepAll}} {
			b.Run(fmt.Sprintf("%s %d", name, size), func(b *testing.B) {
				var received atomic.Int64
				l := newLink(b, func(*rtps.Sample) { received.Add(1) }, opts...)
				payload := number(1, size)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for l.w.Write(payload) != nil { // keep all: full
						time.Sleep(100 * time.Microsecond)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
				if opts[len(opts)-1] != nil && len(opts) == 2 {
					for received.Load() < int64(b.N) {
						time.Sleep(time.Millisecond)
					}
				}
				b.ReportMetric(100*float64(received.Load())/float64(b.N), "%received")
			})
		}
	}
}

// BenchmarkImages writes images of 921,600 bytes as fast as the reader receives them: in fragments, at a rate that is
// no limit, and in shared memory, copied to it and from it, and lent: copied to it only.
func BenchmarkImages(b *testing.B) {
	for name, change := range map[string]func(*rtps.Config){
		"network": func(c *rtps.Config) { c.SendRate, c.SendBurst, c.ReceiveBuffer = 1<<30, 1<<20, 8<<20 },
		"shared":  sharing(12 << 20),
		"lent":    sharing(12 << 20),
	} {
		b.Run(name, func(b *testing.B) {
			var received atomic.Int64
			l := newLinkOf(b, change, name == "lent", func(*rtps.Sample) { received.Add(1) }, reliable, keepAll)
			payload := number(1, imageSize)
			write := func() error {
				if name == "lent" {
					if lent := l.w.Lend(imageSize); lent != nil {
						return l.w.WriteLent(lent, append(lent, payload...))
					}
				}
				return l.w.Write(payload)
			}
			b.SetBytes(imageSize)
			b.ReportAllocs()
			written := int64(0)
			for b.Loop() {
				for written-received.Load() > 4 || write() != nil {
					runtime.Gosched()
				}
				written++
			}
			for received.Load() < written {
				runtime.Gosched()
			}
		})
	}
}

// BenchmarkRoundTrip sends a sample there and back: two writes, four system calls, two wake-ups.
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []int{64, 1024, 40_000} {
		for name, opt := range map[string]option{"best effort": bestEffort, "reliable": reliable} {
			b.Run(fmt.Sprintf("%s %d", name, size), func(b *testing.B) {
				back := make(chan struct{}, 1)
				var echo *rtps.Writer
				l := newLink(b, func(s *rtps.Sample) {
					if err := echo.Write(s.Payload); err != nil {
						b.Error(err)
					}
				}, opt, depth(4))
				var err error
				const name = "rt/echo"
				if echo, err = l.b.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(opt, depth(4))}); err != nil {
					b.Fatal(err)
				}
				r, err := l.a.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(opt), OnSample: func(*rtps.Sample) {
					back <- struct{}{}
				}})
				if err != nil {
					b.Fatal(err)
				}
				await(b, "match", func() bool { return echo.Matched() == 1 && r.Matched() == 1 })
				payload := number(1, size)
				b.ReportAllocs()
				for b.Loop() {
					if err := l.w.Write(payload); err != nil {
						b.Fatal(err)
					}
					<-back
				}
			})
		}
	}
}

// BenchmarkTick writes 30 topics to one peer, corked, as the robot does at 20 Hz.
func BenchmarkTick(b *testing.B) {
	for name, opt := range map[string]option{"best effort": bestEffort, "reliable": reliable} {
		b.Run(name, func(b *testing.B) {
			l := newLink(b, func(*rtps.Sample) {}, opt)
			var writers []*rtps.Writer
			for i := range 30 {
				cfg := rtps.WriterConfig{Topic: fmt.Sprint("rt/t", i), Type: typeName, QoS: qos(opt)}
				w, err := l.a.NewWriter(cfg)
				if err != nil {
					b.Fatal(err)
				}
				_, err = l.b.NewReader(rtps.ReaderConfig{Topic: cfg.Topic, Type: typeName, QoS: cfg.QoS, OnSample: func(*rtps.Sample) {}})
				if err != nil {
					b.Fatal(err)
				}
				writers = append(writers, w)
			}
			for _, w := range writers {
				await(b, "match", func() bool { return w.Matched() == 1 })
			}
			payload := number(1, 60)
			before := l.a.Stats()
			b.ReportAllocs()
			for b.Loop() {
				l.a.Cork()
				for _, w := range writers {
					if err := w.Write(payload); err != nil {
						b.Fatal(err)
					}
				}
				l.a.Uncork()
			}
			after := l.a.Stats()
			b.ReportMetric(float64(after.DatagramsSent-before.DatagramsSent)/float64(b.N), "datagrams/op")
		})
	}
}

// BenchmarkReceive parses and delivers one datagram with one DATA.
func BenchmarkReceive(b *testing.B) {
	n := 0
	l := newLink(b, func(*rtps.Sample) { n++ }, bestEffort)
	d := wire.Data{Writer: l.w.GUID().Entity, SN: 1, Kind: wire.PayloadData, Payload: number(1, 64)}
	build := wire.NewBuilder(1472)
	b.ReportAllocs()
	for b.Loop() {
		d.SN++
		build.Begin(l.a.GUID().Prefix)
		build.Data(&d)
		rtps.Receive(l.b, build.Bytes())
	}
	if n < b.N {
		b.Errorf("%d of %d delivered", n, b.N)
	}
}

// overLoopback creates a participant with real sockets on 127.0.0.1, in a domain that is hardly used.
func overLoopback(t testing.TB, domain uint32, change ...func(*rtps.Config)) *rtps.Participant {
	t.Helper()
	local := func(c *rtps.Config) { c.DomainID, c.LocalhostOnly = domain, true }
	return start(t, udp.System{}, append(change, local)...)
}

// await waits for a condition in real time; the deadline only stops a test that would fail.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}
