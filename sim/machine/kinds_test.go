// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// TestKindsShareOperations: robots of each kind support the same operations.
func TestKindsShareOperations(t *testing.T) {
	for kind, fields := range map[string]string{"firmware": "level: firmware", "functional": "level: functional", "articulated": "model: epuck2"} {
		t.Run(kind, func(t *testing.T) {
			r := newRig(t, "range_and_bearing: {loss: 0}\narena: {size: [2, 2]}\nrobots:\n  - {name: other, level: functional, position: [0.2, 0]}\n  - {name: r, "+
				fields+", position: [0, 0]}\n")
			a, err := sim.RobotOf[sim.Robot](r.sim, "r")
			b, missing := sim.RobotOf[sim.Robot](r.sim, "other")
			if err != nil || missing != nil || len(r.sim.Robots()) != 2 || r.sim.Robots()[1] != a {
				t.Fatal(err, missing)
			}
			a.Listen(true)
			if err := errors.Join(b.Say([]byte("hello")), a.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.05})); err != nil {
				t.Fatal(err)
			}
			r.pass(sim.MessagePeriod)
			if heard, _ := a.Hear(nil); len(heard) != 1 || string(heard[0].Payload) != "hello" {
				t.Errorf("heard %v", heard)
			}
			r.pass(900 * time.Millisecond)
			if p := a.Pose(); math.Abs(p.X-0.05) > 0.003 || a.GroundTruth().V < 0.049 {
				t.Errorf("driven to %v at %g m/s", p, a.GroundTruth().V)
			}
			if err := a.OverrideMotors(sim.MotorOverride{Held: true, Speed: 0.02, Turning: true, Turn: -1}); err != nil {
				t.Fatal(err)
			}
			r.pass(200 * time.Millisecond)
			if g := a.GroundTruth(); math.Abs(g.Omega+1) > 0.05 || math.Abs(g.V-0.02) > 0.003 {
				t.Errorf("commanded to turn at -1 rad/s: %g rad/s, %g m/s", g.Omega, g.V)
			}
			red := vmcu.LEDs{Red: [4]bool{true}}
			a.OverrideLEDs(red, true)
			if a.GroundTruth().LEDs != red {
				t.Error("LEDs are not overridden")
			}
			parts := a.Parts()
			if err := a.RemovePart(parts[0]); err != nil || len(a.Parts()) != len(parts)-1 {
				t.Error(err, a.Parts())
			}
			if err := errors.Join(a.AddPart(parts[0])); err != nil || !errors.Is(a.AddPart("wings"), sim.ErrNoPart) {
				t.Error(err)
			}
			if err := a.Place(b.Pose()); !errors.Is(err, sim.ErrOccupied) {
				t.Errorf("placed on another robot: %v", err)
			}
			before := r.sim.TraceHash()
			a.Record("topic", []byte{1})
			if r.sim.TraceHash() == before {
				t.Error("the trace has no record")
			}
			var file bytes.Buffer
			if err := r.sim.Snapshot(&file); err != nil {
				t.Fatal(err)
			}
			again, err := sim.Restore(&file, r.opts, nil)
			if err != nil || again.Robots()[1].Pose() != a.Pose() {
				t.Fatal(err)
			}
			a.PickUp()
			if err := b.Place(sim.Pose{X: a.Pose().X}); err != nil || !a.GroundTruth().InAir {
				t.Errorf("picked up: %v", err)
			}
			if err := r.sim.Remove("r"); err != nil || len(r.sim.Robots()) != 1 {
				t.Error(err)
			}
		})
	}
}

// TestBigWheelsNeverOverlap: bodies of robots with larger wheels do not overlap.
func TestBigWheelsNeverOverlap(t *testing.T) {
	var text strings.Builder
	text.WriteString("arena: {size: [1.6, 1.6]}\nrobots:\n")
	for i := range 36 {
		fmt.Fprintf(&text, "  - {name: r%d, level: functional, position: [%g, %g], yaw: %d, variation: {wheel_radii: [0.05, 0.05]}}\n", i,
			0.25*float64(i%6)-0.6, 0.25*float64(i/6)-0.6, i)
	}
	r := newRig(t, text.String())
	robots := sim.RobotsOf[*sim.Functional](r.sim)
	for _, a := range robots {
		a.Do(func(c *sim.Control) { c.SetWheels(6.9, 6.9) })
	}
	for range 60 {
		r.pass(100 * time.Millisecond)
		for i, a := range robots {
			for _, b := range robots[:i] {
				if d := a.Pose().Position().Sub(b.Pose().Position()).Norm(); d < 2*physics.BodyRadius-1e-6 {
					t.Fatalf("%s and %s overlap by %g m", a.Name(), b.Name(), 2*physics.BodyRadius-d)
				}
			}
		}
	}
}
