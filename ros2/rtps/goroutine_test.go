// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestEndpointsNeedNoGoroutine: two participants with hundreds of matched endpoints run as many goroutines as two with
// none.
func TestEndpointsNeedNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		time.Sleep(10 * time.Second)
		before := goroutinesOfBubble()
		var writers []*rtps.Writer
		for range 200 {
			writers = append(writers, writer(t, a, reliable, transientLocal))
		}
		r, _ := reader(t, b, reliable, transientLocal)
		eventually(t, 10*time.Second, "matches", func() bool { return r.Matched() == len(writers) })
		for i, w := range writers {
			write(t, w, number(i, 100))
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if after := goroutinesOfBubble(); after > before {
			t.Errorf("%d goroutines, before the endpoints %d", after, before)
		}
	})
}

// goroutinesOfBubble counts the goroutines of the running synctest bubble.
func goroutinesOfBubble() int {
	stacks := make([]byte, 1<<20)
	for {
		n := runtime.Stack(stacks, true)
		if n < len(stacks) {
			return bytes.Count(stacks[:n], []byte(", synctest bubble "))
		}
		stacks = make([]byte, 2*len(stacks))
	}
}

// TestIdleTraffic: idle matched endpoints send nothing; only the participants' announcements continue.
func TestIdleTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable)
		_, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		write(t, w, number(1, 10))
		eventually(t, time.Second, "sample", func() bool { return len(in.all()) == 1 })
		time.Sleep(10 * time.Second)
		before := n.Counters().Sent
		time.Sleep(30 * time.Second)
		// each once to the group and once to the other, every 3 s
		if sent := n.Counters().Sent - before; sent != 2*10*2 {
			t.Errorf("%d datagrams in 30 s", sent)
		}
	})
}

// TestConcurrentUse: all methods concurrently, for the race detector.
func TestConcurrentUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{Seed: 9, Loss: 0.05, Reorder: 0.1})
		var wg sync.WaitGroup
		for k := range 6 {
			wg.Go(func() {
				p := []*rtps.Participant{a, b}[k%2]
				for i := range 15 {
					w := writer(t, p, reliable, transientLocal, depth(3))
					r, _ := reader(t, p, reliable)
					for j := range 10 {
						p.Cork()
						write(t, w, number(j, 10+500*j))
						p.Uncork()
						time.Sleep(time.Duration(i) * time.Millisecond)
					}
					_, _, _ = p.Stats(), p.Endpoints(), p.Participants()
					r.Close()
					w.Close()
				}
			})
		}
		wg.Wait()
		a.Close()
		if _, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos()}); !errors.Is(err, rtps.ErrClosed) {
			t.Errorf("new writer after close: %v", err)
		}
		if _, err := a.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos()}); !errors.Is(err, rtps.ErrClosed) {
			t.Errorf("new reader after close: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
	})
}

// TestEndpointLimit: the number of local endpoints is bounded.
func TestEndpointLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, vnet.New(vnet.Config{}).Host(1), func(c *rtps.Config) { c.Limits.LocalEndpoints = 3 })
		for i := range 4 {
			_, err := p.NewWriter(rtps.WriterConfig{Topic: fmt.Sprint(i), Type: typeName, QoS: qos()})
			if errors.Is(err, rtps.ErrLimit) != (i == 3) {
				t.Errorf("writer %d: %v", i, err)
			}
		}
	})
}

// TestWriteOfTooLargeSampleFails: writing a sample above the maximum size is an error.
func TestWriteOfTooLargeSampleFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, vnet.New(vnet.Config{}).Host(1))
		if err := writer(t, p).Write(make([]byte, 64<<20+1)); !errors.Is(err, rtps.ErrTooLarge) {
			t.Errorf("error %v", err)
		}
	})
}
