// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// crowded creates n readers and n writers, each on its own topic.
func crowded(t *testing.T, n int) *rtps.Participant {
	t.Helper()
	p := start(t, vnet.New(vnet.Config{}).Host(1))
	for i := range n {
		if _, err := p.NewReader(rtps.ReaderConfig{Topic: fmt.Sprint("in", i), Type: typeName, QoS: qos(reliable), OnSample: func(*rtps.Sample) {}}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.NewWriter(rtps.WriterConfig{Topic: fmt.Sprint("out", i), Type: typeName, QoS: qos(reliable, depth(1))}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// allocationsOfAPair returns the allocations for creating and closing a writer and a reader among others.
func allocationsOfAPair(t *testing.T, others int) float64 {
	t.Helper()
	p := crowded(t, others)
	return testing.AllocsPerRun(100, func() {
		w, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(reliable, depth(1))})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(reliable), OnSample: func(*rtps.Sample) {}})
		if err != nil {
			t.Fatal(err)
		}
		if w.Matched() != 1 {
			t.Fatal("writer and reader of a topic don't match")
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// The cost of an endpoint does not grow with the number on other topics: a participant may serve a hundred robots.
func TestEndpointsOfOtherTopicsCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		few, many := allocationsOfAPair(t, 5), allocationsOfAPair(t, 1000)
		t.Logf("%.0f allocations among 10 other endpoints, %.0f among 2000", few, many)
		if many > 2*few {
			t.Errorf("%.0f allocations among 10 other endpoints, %.0f among 2000", few, many)
		}
	})
}

// Late peers discover all existing endpoints, and no closed one, however many were created and closed.
func TestAnnouncementsOfManyEndpoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := vnet.New(vnet.Config{})
		a, early := start(t, n.Host(1)), start(t, n.Host(2))
		var writers []*rtps.Writer
		for i := range 300 {
			w, err := a.NewWriter(rtps.WriterConfig{Topic: fmt.Sprint("out", i), Type: typeName, QoS: qos(reliable, depth(1))})
			if err != nil {
				t.Fatal(err)
			}
			writers = append(writers, w)
		}
		eventually(t, 10*time.Second, "all endpoints", func() bool { return len(early.Endpoints()) == 300 })
		for i, w := range writers {
			if i%3 != 0 {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		late := start(t, n.Host(3))
		for name, p := range map[string]*rtps.Participant{"early": early, "late": late} {
			eventually(t, 10*time.Second, "the endpoints that are left", func() bool { return len(p.Endpoints()) == 100 })
			for i := range 300 {
				if got := len(p.EndpointsOn(fmt.Sprint("out", i))) == 1; got != (i%3 == 0) {
					t.Errorf("%s: writer %d is known: %v", name, i, got)
				}
			}
		}
	})
}
