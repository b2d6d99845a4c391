// SPDX-License-Identifier: Apache-2.0

package lanes_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// FuzzParse: whatever is in a file, it is a network whose positions, routes and lights are finite, or a named error.
func FuzzParse(f *testing.F) {
	text, _ := cross(f)
	f.Add([]byte(text))
	f.Add([]byte(`<net><location convBoundary="0,0,1,1"/><edge id="a"><lane id="a_0" speed="1" length="1" shape="0,0 1,0"/></edge>` +
		`<connection from="a" to="a"/><junction id="j" intLanes="a_0"/></net>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := lanes.Parse("fuzz.net.xml", text)
		if err != nil {
			if !errors.Is(err, lanes.ErrNetwork) && !errors.Is(err, xmltree.ErrSyntax) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		for _, l := range n.Lanes[:min(len(n.Lanes), 20)] {
			for _, pos := range []float64{0, l.Length / 2, l.Length} {
				if p, d := l.At(pos); math.IsNaN(p.X+p.Y+d.X+d.Y) || math.IsInf(p.X+p.Y, 0) {
					t.Fatalf("lane %q at %g: %v %v", l.ID, pos, p, d)
				}
			}
			for _, link := range l.Links {
				if v := link.Length(); !(v >= 0) {
					t.Fatalf("a link of %g m", v)
				}
			}
			route, err := n.Route(n.Lanes[0].Edge, l.Edge)
			if err != nil && !errors.Is(err, lanes.ErrNoRoute) || err == nil && route[len(route)-1] != l.Edge {
				t.Fatalf("route %v, %v", route, err)
			}
		}
		for _, light := range n.Lights {
			s := lanes.NewSignals(light)
			s.Advance(time.Minute)
			if len(s.State()) != len(light.Links) {
				t.Fatalf("state %q of %d signals", s.State(), len(light.Links))
			}
		}
	})
}
