// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// expectNumbers waits for the samples first to last of one of our readers, in order.
func expectNumbers(t *testing.T, r *ourReader, number func([]byte) (int, error), first, last int) {
	t.Helper()
	for i := first; i <= last; i++ {
		n, err := number(r.next().payload)
		if err != nil {
			t.Fatal(err)
		}
		if n != i {
			t.Fatalf("our reader of %s got %d, not %d", r.topic, n, i)
		}
	}
}

func TestReadStrings(t *testing.T) {
	for _, c := range []struct {
		name            string
		offered, wanted qos
	}{
		{"reliable to reliable", qos{reliable: true, depth: 100}, qos{reliable: true, depth: 100}},
		{"reliable to best effort", qos{reliable: true, depth: 100}, qos{depth: 100}},
		{"best effort to best effort", qos{depth: 100}, qos{depth: 100}},
		{"reliable depth 1", qos{reliable: true, depth: 1}, qos{reliable: true, depth: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				r := startOurs(t, rtps.Config{DomainID: domain}).reader(chatter, typeString, c.wanted)
				p := s.start(t, domain, 0)
				p.send("writer w string %s %s", chatter, c.offered.words())
				p.matched("w", 1)
				r.matched(1)
				const n = 50
				if c.offered.reliable && c.wanted.reliable && c.offered.depth >= n {
					p.send("write w %d", n)
					expectNumbers(t, r, stringNumber, 1, n)
					p.send("acked w")
					return
				}
				for i := 1; i <= n; i++ {
					p.send("write w 1")
					expectNumbers(t, r, stringNumber, i, i)
				}
			})
		})
	}
}

// TestReadTwist: our messages decode the peers' encoding.
func TestReadTwist(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		r := startOurs(t, rtps.Config{DomainID: domain}).reader("rt/cmd_vel", typeTwist, qos{})
		p := s.start(t, domain, 0)
		p.send("writer w twist rt/cmd_vel %s", qos{reliable: true, depth: 1}.words())
		p.matched("w", 1)
		r.matched(1)
		p.send("twist w 0.125 -1.5")
		var m geometry_msgs.Twist
		if err := cdr.Unmarshal(r.next().payload, &m); err != nil {
			t.Fatal(err)
		}
		want := geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.125}, Angular: geometry_msgs.Vector3{Z: -1.5}}
		if m != want {
			t.Errorf("got %+v", m)
		}
	})
}
