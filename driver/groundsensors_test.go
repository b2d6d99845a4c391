// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A robot that crosses a line detects it, and the floor before and after.
func TestGroundSensorsDetectALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "line", parts: true, sim: sim.Options{Now: time.Now, Sleep: pass}})
		var seen [3]func() []*jazzy.Range
		for i, topic := range []string{"gs0", "gs1", "gs2"} {
			seen[i] = listenTo[jazzy.Range](r, topic)
		}
		r.drive(0.05, 0.6, 20*time.Second)
		for i := range seen {
			floor, line := 0, 0
			for _, m := range seen[i]() {
				if math.IsInf(float64(m.Range), 1) {
					line++
				} else if m.Range >= 0 && m.Range <= m.MaxRange {
					floor++
				} else {
					t.Errorf("gs%d: %v m", i, m.Range)
				}
			}
			if floor+line < 350 || line == 0 || floor == 0 {
				t.Errorf("gs%d saw floor %d times, the line %d times", i, floor, line)
			}
		}
	})
}

// edgeBus answers for ground sensors that measure nothing, while over is set.
type edgeBus struct {
	pi2c.Bus
	over atomic.Bool
}

func (b *edgeBus) Tx(addr uint16, w, r []byte) error {
	err := b.Bus.Tx(addr, w, r)
	if addr == ground.Addr && b.over.Load() {
		clear(r[:min(12, len(r))])
	}
	return err
}

// Over an edge in the dark the sensors measure no reflection: the topics stay and report it.
func TestGroundSensorsStayOverAnEdge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		edge := &edgeBus{}
		r := newRig(t, rigOptions{world: "line", parts: true, bus: func(bus pi2c.Bus) pi2c.Bus { edge.Bus = bus; return edge }})
		seen, reports := listenTo[jazzy.Range](r, "gs0"), listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		time.Sleep(3 * time.Second)
		if m := last(r, seen); math.IsInf(float64(m.Range), 1) {
			t.Fatalf("the floor is at %v m", m.Range)
		}
		edge.over.Store(true)
		before := len(seen())
		time.Sleep(10 * time.Second)
		if n := len(seen()) - before; n < 195 || n > 205 {
			t.Errorf("%d of 200 messages over the edge", n)
		}
		if m := last(r, seen); !math.IsInf(float64(m.Range), 1) {
			t.Errorf("over the edge the floor is at %v m", m.Range)
		}
		if s := statusOf(r, last(r, reports), "ground"); !slices.Equal(codes(s), []string{"ground.dark"}) {
			t.Errorf("conditions %v", codes(s))
		}
		edge.over.Store(false)
		time.Sleep(4 * time.Second)
		if s := statusOf(r, last(r, reports), "ground"); len(codes(s)) != 0 {
			t.Errorf("conditions %v on the floor", codes(s))
		}
	})
}
