// SPDX-License-Identifier: Apache-2.0

//go:build system

package rtps_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestWriteDoesNotAllocate: in steady state neither writing, nor its consequences in both participants
// (acknowledgments, fragments, assembly, delivery), allocates. AllocsPerRun counts the allocations of all goroutines.
func TestWriteDoesNotAllocate(t *testing.T) {
	domain := uint32(100 + rand.IntN(100))
	a, b := overLoopback(t, domain), overLoopback(t, domain)
	for _, c := range []struct {
		name string
		size int
		opts []option
	}{
		{"small", 60, []option{reliable, depth(10)}},
		{"transient local", 60, []option{reliable, transientLocal, depth(1)}},
		{"keep all", 60, []option{reliable, keepAll}},
		{"several fragments", 10_000, []option{reliable, depth(2)}},
		{"image", imageSize, []option{reliable, depth(1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "rt/" + c.name
			w, err := a.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(c.opts...)})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			received := make(chan struct{}, 1) // waiting on a channel, not spinning: AllocsPerRun runs on one processor
			for _, opt := range []option{reliable, bestEffort} {
				q := qos(opt)
				r, err := b.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: q, OnSample: func(*rtps.Sample) {
					if q.Reliability == wire.Reliable {
						received <- struct{}{}
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				await(t, "match of the reader", func() bool { return r.Matched() == 1 })
			}
			await(t, "match", func() bool { return w.Matched() == 2 })
			payload := number(1, c.size)
			pace := time.NewTicker(100 * time.Microsecond) // keep all must not outrun the acknowledgments
			defer pace.Stop()
			send := func() {
				<-pace.C
				if err := w.Write(payload); err != nil {
					t.Fatal(err)
				}
				<-received
			}
			for range min(1+200_000/c.size, 2000) { // buffers grow to their size
				send()
			}
			runs := max(2_000_000/c.size, 10)
			least := 1e9
			for range 50 { // what else runs in the process may allocate meanwhile, but not every time
				if least = min(least, testing.AllocsPerRun(min(runs, 500), send)); least == 0 {
					return
				}
			}
			t.Errorf("%g allocations a sample", least)
		})
	}
}

// TestSamplesWithoutReaderCostNothing: without a reader a write allocates nothing and sends no datagram.
func TestSamplesWithoutReaderCostNothing(t *testing.T) {
	p := overLoopback(t, uint32(100+rand.IntN(100)))
	w := writer(t, p, reliable, depth(1000))
	payload := number(1, 1000)
	before := p.Stats().BytesSent
	if n := testing.AllocsPerRun(100, func() { write(t, w, payload) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if after := p.Stats().BytesSent; after-before > 100*1000/2 {
		t.Errorf("%d bytes sent", after-before)
	}
}
