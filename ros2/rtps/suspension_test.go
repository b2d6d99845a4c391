// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestNothingIsSentTwiceAfterSuspension: our process was stopped for longer than its lease: a volatile Cyclone DDS
// reader has received what was sent before, without having acknowledged the last samples, and has lost its state since.
// It gets what is written afterwards, and nothing twice. Without a suspension, the same reader gets what it has not
// acknowledged.
func TestNothingIsSentTwiceAfterSuspension(t *testing.T) {
	for _, c := range []struct {
		name      string
		suspended bool
		opts      []option
		again     []wire.SequenceNumber
	}{
		{"suspended", true, []option{reliable, depth(10)}, []wire.SequenceNumber{6, 7}},
		{"suspended, keep all", true, []option{reliable, keepAll}, []wire.SequenceNumber{6, 7}},
		{"not suspended", false, []option{reliable, depth(10)}, []wire.SequenceNumber{4, 5, 6, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withScripted(t, wire.VendorCyclone, func(s *scripted) {
				w := writer(t, s.p, c.opts...)
				r := s.endpoint(wire.KindReader, reliable)
				time.Sleep(time.Second)
				for i := range 5 {
					write(t, w, number(i, 20))
				}
				s.acknowledge(r.Entity, w.GUID().Entity, 4, 5000) // 4 and 5 were received
				time.Sleep(time.Second)
				// The reader does not know us any more. Both are written before anything else is done.
				if late := [][]byte{number(5, 20), number(6, 20)}; c.suspended {
					if err := rtps.Resume(w, late...); err != nil {
						t.Fatal(err)
					}
				} else {
					write(t, w, late[0])
					write(t, w, late[1])
				}
				s.heard(func(heard) bool { return false })
				s.acknowledge(r.Entity, w.GUID().Entity, 1, 0)
				s.acknowledge(r.Entity, w.GUID().Entity, c.again[0], 1)
				if got := s.received(w.GUID().Entity); !slices.Equal(got, c.again) {
					t.Errorf("sent %v, want %v", got, c.again)
				}
			})
		})
	}
}
