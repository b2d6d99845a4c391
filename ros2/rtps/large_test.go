// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

const imageSize = 921_600

// TestLargeSamplesArriveInOrder: samples of 686 fragments arrive complete and in order through a socket buffer of 90
// datagrams.
func TestLargeSamplesArriveInOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		net  vnet.Config
		opts []option
	}{
		{"best effort", vnet.Config{}, []option{bestEffort, depth(1)}},
		{"best effort, reordered", vnet.Config{Reorder: 0.05, Duplicate: 0.05}, []option{bestEffort, depth(1)}},
		{"reliable", vnet.Config{}, []option{reliable, depth(5)}},
		{"reliable, bad network", vnet.Config{Loss: 0.1, Reorder: 0.1, Duplicate: 0.1}, []option{reliable, keepAll}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, a, b := pair(t, c.net)
				w := writer(t, a, c.opts...)
				r, in := reader(t, b, c.opts...)
				eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
				for i := range 4 {
					write(t, w, number(i, imageSize+i))
					time.Sleep(200 * time.Millisecond)
				}
				eventually(t, 10*time.Second, "images", func() bool { return len(in.all()) >= 4 })
				for i, s := range in.all() {
					if !bytes.Equal(s.Payload, number(i, imageSize+i)) {
						t.Errorf("image %d of %d bytes differs", i, len(s.Payload))
					}
				}
				if o := n.Counters().Overflowed; o != 0 {
					t.Errorf("%d datagrams overflowed the receiver's buffer", o)
				}
			})
		})
	}
}

// TestStartedLargeSamplesAreCompleted: with depth 1 the writer replaces waiting images, and completes those that it has
// started to send.
func TestStartedLargeSamplesAreCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.SendRate = 2_000_000 })
		b := start(t, n.Host(2))
		w := writer(t, a, bestEffort, depth(1))
		_, in := reader(t, b, bestEffort)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		for i := range 50 { // 9.2 MB/s for 5 s
			write(t, w, number(i, imageSize))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Second)
		got := in.numbers()
		if len(got) < 9 || len(got) > 14 || !slices.IsSorted(got) || got[len(got)-1] != 49 {
			t.Errorf("got %d images: %v", len(got), got)
		}
	})
}

// TestSmallSamplesHavePriority: a small sample does not wait for an image that is being sent.
func TestSmallSamplesHavePriority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a := start(t, n.Host(1), func(c *rtps.Config) { c.SendRate = 1_000_000 })
		b := start(t, n.Host(2))
		images, err := a.NewWriter(rtps.WriterConfig{Topic: "rt/image", Type: typeName, QoS: qos(bestEffort)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.NewReader(rtps.ReaderConfig{Topic: "rt/image", Type: typeName, QoS: qos(bestEffort)}); err != nil {
			t.Fatal(err)
		}
		w := writer(t, a, bestEffort)
		_, in := reader(t, b, bestEffort)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && images.Matched() == 1 })
		write(t, images, number(0, imageSize))
		write(t, w, number(1, 20))
		eventually(t, 2*time.Millisecond, "the small sample", func() bool { return len(in.all()) == 1 })
	})
}

// TestSampleSizes: samples of every size around the limits of one and several fragments arrive.
func TestSampleSizes(t *testing.T) {
	for _, opt := range []option{bestEffort, reliable} {
		synctest.Test(t, func(t *testing.T) {
			_, a, b := pair(t, vnet.Config{})
			w := writer(t, a, opt, depth(100))
			r, in := reader(t, b, opt)
			eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
			sizes := []int{8, 9, 10, 11, 12, 1300, 1343, 1344, 1345, 1346, 1440, 2687, 2688, 2689, 13440, 65507, 65536, 100_001}
			for i, size := range sizes {
				write(t, w, number(i, size))
				time.Sleep(50 * time.Millisecond)
			}
			eventually(t, time.Second, "all", func() bool { return len(in.all()) == len(sizes) })
			for i, s := range in.all() {
				want := number(i, sizes[i])
				if len(s.Payload) < len(want) || len(s.Payload) > len(want)+3 || !bytes.Equal(s.Payload[:len(want)], want) {
					t.Error(fmt.Errorf("size %d: got %d bytes", sizes[i], len(s.Payload)))
				}
			}
		})
	}
}
