// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// content counts what a datagram holds.
type content struct {
	wire.NopHandler
	builtin, user int
	sources       map[wire.Time]bool
}

func (c *content) HandleData(r *wire.Receiver, m *wire.Data) {
	if m.Writer.IsBuiltin() {
		c.builtin++
		return
	}
	c.user++
	c.sources[r.Timestamp] = true
}

func (c *content) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) {
	if m.Writer.IsBuiltin() {
		c.builtin++
	}
}

// TestCorkedWritesShareDatagrams: corked writes share datagrams and one source time, but no datagram with discovery
// traffic.
func TestCorkedWritesShareDatagrams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		var writers []*rtps.Writer
		var in inbox
		const topics = 20
		for i := range topics {
			name := fmt.Sprint("rt/topic", i)
			q := qos(bestEffort)
			if i%2 == 1 {
				q = qos(reliable)
			}
			w, err := a.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: q})
			if err != nil {
				t.Fatal(err)
			}
			writers = append(writers, w)
			if _, err := b.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: q, OnSample: in.take}); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, time.Second, "matches", func() bool {
			for _, w := range writers {
				if w.Matched() != 1 {
					return false
				}
			}
			return true
		})
		time.Sleep(100 * time.Millisecond)
		var mu sync.Mutex
		datagrams := 0
		n.Watch(func(from, to netip.AddrPort, datagram []byte) {
			mu.Lock()
			defer mu.Unlock()
			c := content{sources: map[wire.Time]bool{}}
			if err := wire.Walk(datagram, &c); err != nil {
				t.Error(err)
			}
			if c.builtin > 0 && c.user > 0 {
				t.Error("discovery and user traffic in one datagram")
			}
			if len(datagram) > 1472 {
				t.Errorf("datagram of %d bytes", len(datagram))
			}
			if c.user > 0 {
				datagrams++
				if len(c.sources) != 1 {
					t.Errorf("%d source times in a datagram", len(c.sources))
				}
			}
		})
		a.Cork()
		a.Cork() // nests
		for i, w := range writers {
			write(t, w, number(i, 60))
			time.Sleep(time.Microsecond)
		}
		a.Uncork()
		synctest.Wait()
		if datagrams != 0 { // one became full, and is sent with the other
			t.Errorf("%d datagrams before Uncork", datagrams)
		}
		a.Uncork()
		eventually(t, time.Second, "samples", func() bool { return len(in.all()) == topics })
		mu.Lock()
		defer mu.Unlock()
		if datagrams != 2 {
			t.Errorf("%d samples took %d datagrams", topics, datagrams)
		}
	})
}

// TestCorkedKeepAllWriterSends: a corked keep-all writer with a full window sends its samples, so that the
// acknowledgments can arrive.
func TestCorkedKeepAllWriterSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(reliable, keepAll), MaxSamples: 60})
		if err != nil {
			t.Fatal(err)
		}
		r, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
		a.Cork()
		begin := time.Now()
		for i := range 500 {
			for w.Write(number(i, 60)) != nil {
				time.Sleep(100 * time.Microsecond)
			}
		}
		took := time.Since(begin)
		a.Uncork()
		eventually(t, time.Second, "samples", func() bool { return len(in.all()) == 500 })
		if took > 500*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}
