// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestLocalMatch: writers and readers of one participant exchange samples without the network.
func TestLocalMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{Loss: 1})
		p := start(t, n.Host(1))
		w := writer(t, p, reliable, transientLocal, depth(3))
		for i := range 5 {
			write(t, w, number(i, 2000))
		}
		r, in := reader(t, p, reliable, transientLocal)
		_, late := reader(t, p, reliable)
		if w.Matched() != 2 || r.Matched() != 1 {
			t.Errorf("matched %d, %d", w.Matched(), r.Matched())
		}
		for i := range 3 {
			write(t, w, number(5+i, 20))
		}
		synctest.Wait()
		if got := in.numbers(); !slices.Equal(got, []int{2, 3, 4, 5, 6, 7}) {
			t.Errorf("got %v", got)
		}
		if got := late.numbers(); !slices.Equal(got, []int{5, 6, 7}) {
			t.Errorf("late one got %v", got)
		}
		if s := in.all()[0]; s.Writer != w.GUID() || s.SN != 3 || s.SourceTime.IsZero() {
			t.Errorf("sample %+v", s)
		}
		r.Close()
		if w.Matched() != 1 {
			t.Errorf("matched %d after the reader closed", w.Matched())
		}
		w.Close()
		synctest.Wait()
		if ev := late.matches(); len(ev) != 2 || ev[1].Kind != rtps.Unmatched {
			t.Errorf("events %+v", ev)
		}
	})
}

// TestWriteFromCallback: user functions may call the package.
func TestWriteFromCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		ping := writer(t, a, reliable, depth(10))
		pong, err := b.NewWriter(rtps.WriterConfig{Topic: "rt/pong", Type: typeName, QoS: qos(reliable, depth(10))})
		if err != nil {
			t.Fatal(err)
		}
		var back inbox
		if _, err := a.NewReader(rtps.ReaderConfig{Topic: "rt/pong", Type: typeName, QoS: qos(reliable), OnSample: back.take}); err != nil {
			t.Fatal(err)
		}
		_, err = b.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(reliable), OnSample: func(s *rtps.Sample) {
			pong.Write(s.Payload)
			_ = b.Stats()
			_ = b.Endpoints()
		}})
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, time.Second, "match", func() bool { return ping.Matched() == 1 && pong.Matched() == 1 })
		for i := range 10 {
			write(t, ping, number(i, 20))
		}
		eventually(t, time.Second, "answers", func() bool { return len(back.all()) == 10 })
	})
}
