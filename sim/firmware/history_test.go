// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// event is something that a user or the world does to a robot.
type event struct {
	kind    int
	a, b, c float64
	part    sim.Part
	addr    uint16
	fault   vbus.Fault
	pause   time.Duration
}

const eventKinds = 14

func drawEvent(t *rapid.T) event {
	return event{
		kind:  rapid.IntRange(0, eventKinds-1).Draw(t, "kind"),
		a:     rapid.Float64Range(-1, 1).Draw(t, "a"),
		b:     rapid.Float64Range(-1, 1).Draw(t, "b"),
		c:     rapid.Float64Range(-3, 3).Draw(t, "c"),
		part:  rapid.SampledFrom(world.Parts()).Draw(t, "part"),
		addr:  rapid.SampledFrom([]uint16{0x1F, 0x29, 0x60, 0x68, 0x0C, 0x21}).Draw(t, "address"),
		fault: vbus.Fault{Kind: vbus.Kind(rapid.IntRange(0, 9).Draw(t, "fault")), Byte: rapid.IntRange(0, 50).Draw(t, "byte"), Mask: 0x10},
		pause: time.Duration(rapid.IntRange(0, 300).Draw(t, "ms")) * time.Millisecond,
	}
}

// happen lets an event happen. Refusals are part of the game.
func (g *rig) happen(e event) {
	r := g.robot
	switch e.kind {
	case 0:
		_ = r.RemovePart(e.part)
	case 1:
		_ = r.AddPart(e.part)
	case 2:
		_ = r.Tilt(e.a, e.b)
	case 3:
		r.PickUp()
	case 4:
		_ = r.Place(sim.Pose{X: e.a, Y: e.b, Theta: e.c})
	case 5:
		r.SetCharger(e.a > 0)
	case 6:
		_ = r.SetCharge(e.a)
	case 7:
		_ = r.Bus().FaultsAt(e.addr).Next(e.fault, vbus.Fault{}, e.fault)
	case 8:
		r.InjectToF(vtof.Faults{Frozen: e.a > 0, Unplugged: e.b > 0.5})
	case 9:
		r.InjectIMU(vimu.Faults{Frozen: e.a > 0, Unplugged: e.b > 0.5})
	case 10:
		_ = r.Pin(sim.PinRobotReset).Out(e.a > 0)
	case 11:
		r.Restart()
	case 12:
		_ = r.Bus().Tx(e.addr, []byte{byte(e.c * 40), byte(e.a * 100)}, nil) // scribbles
	default:
		_ = g.tryExchange(int(e.a*1100), int(e.b*1100))
	}
}

// After any history the truth makes sense, the parts are those that were put on
// and taken off, and the same history gives the same bytes, however often
// a program looked.
func TestAnyHistory(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.Custom(drawEvent), 1, 25).Draw(t, "events")
		seed := rapid.Uint64().Draw(t, "seed")
		run := func(looks int) string {
			g := newRig(outer, "line", sim.Options{Seed: seed})
			h := sha256.New()
			polls := cycle()
			for _, e := range events {
				g.happen(e)
				for _, p := range polls {
					err := g.robot.Bus().Tx(p.addr, p.w, p.r)
					fmt.Fprint(h, err, p.r)
				}
				end := g.clock.Now().Add(e.pause)
				for range looks {
					g.clock.Sleep(e.pause / time.Duration(looks+1))
					g.sane(t)
				}
				g.clock.Sleep(end.Sub(g.clock.Now()))
			}
			fmt.Fprint(h, g.robot.GroundTruth())
			return string(h.Sum(nil))
		}
		if run(1) != run(7) {
			t.Fatal("the same history gives other bytes")
		}
	})
}

// sane checks what is always so.
func (g *rig) sane(t *rapid.T) {
	truth := g.robot.GroundTruth()
	if !(truth.Charge >= 0 && truth.Charge <= 1 && truth.Voltage > 3 && truth.Voltage < 4.3) {
		t.Fatalf("battery: %+v", truth)
	}
	if p := truth.Pose; !(p.X*p.X <= 0.36 && p.Y*p.Y <= 0.25) {
		t.Fatalf("outside the walls: %+v", p)
	}
	for _, p := range g.robot.Parts() {
		if !slices.Contains(world.Parts(), p) {
			t.Fatalf("carries %q", p)
		}
	}
}
