// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// carrying adds these devices to the carts of a world.
func carrying(devices ...description.Device) func(*sim.Options) {
	return func(o *sim.Options) {
		o.Mechanisms = machine.Maker(library.Parse, func(string) (*description.Robot, error) {
			d, err := library.Parse("cart", []byte(cart("")))
			if err == nil {
				d.Devices = devices
			}
			return d, err
		})
	}
}

// A device has its mean error also in a quiet world; in others its absolute and relative deviations are added. Every
// value is a multiple of its resolution.
func TestMeanDeviationResolution(t *testing.T) {
	devices := []description.Device{
		{Name: "mean", Kind: description.Infrared, Link: "base", Noise: description.Noise{Mean: 0.125}},
		{Name: "own", Kind: description.Infrared, Link: "base", Noise: description.Noise{Deviation: 0.02}},
		{Name: "share", Kind: description.Infrared, Link: "base", Noise: description.Noise{Deviation: 0.01, Relative: 0.04}},
		{Name: "steps", Kind: description.Infrared, Link: "base", Noise: description.Noise{Deviation: 0.02}, Resolution: 0.0625},
	}
	quiet := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), carrying(devices...))
	for name, want := range map[string]float64{"mean": 1.125, "own": 1, "share": 1, "steps": 1} {
		near(t, name+", quiet", quiet.read(0, name)[0], want, 1e-9)
	}
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), carrying(devices...), func(o *sim.Options) { o.Quiet = false })
	const n = 600
	squares := map[string]float64{}
	for range n {
		r.pass(10 * time.Millisecond)
		near(t, "its mean alone", r.read(0, "mean")[0], 1.125, 1e-9)
		for _, name := range []string{"own", "share"} {
			v := r.read(0, name)[0] - 1
			squares[name] += v * v
		}
		if v := r.read(0, "steps")[0] / 0.0625; v != math.Round(v) {
			t.Fatalf("%g steps", v)
		}
	}
	near(t, "its own deviation", math.Sqrt(squares["own"]/n), 0.02, 0.002)
	near(t, "and its share", math.Sqrt(squares["share"]/n), 0.05, 0.005)
}

// An encoder measures the joint's position in its steps; without a joint it measures 0, as does an unknown battery.
func TestEncodersAndBatteries(t *testing.T) {
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), carrying(
		description.Device{Name: "fine", Kind: description.Encoder, Link: "base", Joint: "turn"},
		description.Device{Name: "coarse", Kind: description.Encoder, Link: "base", Joint: "turn", Resolution: 0.25},
		description.Device{Name: "loose", Kind: description.Encoder, Link: "base"},
		description.Device{Name: "battery", Kind: description.Battery, Link: "base", Energy: &description.Energy{Now: 3, Most: 10}},
	))
	near(t, "charged", r.read(0, "battery")[0], 3, 0)
	r.do(0, func(m *machine.Machine) { m.SetPosition(jointOf(m, "turn"), 1.2, 0) })
	for i := range 120 {
		r.pass(10 * time.Millisecond)
		at := 0.01 * float64(i+1)
		near(t, "fine", r.read(0, "fine")[0], at, 1e-9)
		near(t, "coarse", r.read(0, "coarse")[0], math.Round(at*4-1e-9)/4, 0)
	}
	near(t, "of no joint", r.read(0, "loose")[0], 0, 0)
	near(t, "after 1.2 s of 1.11 W", r.read(0, "battery")[0], 3-1.2*1.11, 1e-9)
	r.pass(time.Minute)
	near(t, "empty", r.read(0, "battery")[0], 0, 0)
}

// A receiver queues the packets that fit its buffer, in their order; packets that are read free their space.
func TestReceiversKeepOrder(t *testing.T) {
	r := newRig(t, "robots:\n"+robotAt("a", "c", 0, 0, 0)+robotAt("b", "c", 1, 0, 0), carrying(
		description.Device{Name: "out", Kind: description.Emitter, Link: "base"},
		description.Device{Name: "in", Kind: description.Receiver, Link: "base", Radio: &description.Radio{Buffer: 100}},
	))
	rapid.Check(t, func(t *rapid.T) {
		var kept [][]byte // by a buffer of 100 bytes
		space := 100
		for range rapid.IntRange(1, 12).Draw(t, "turns") {
			for range rapid.IntRange(0, 4).Draw(t, "packets") {
				data := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "data")
				r.do(0, func(m *machine.Machine) {
					if err := m.Send(0, data); err != nil {
						t.Fatal(err)
					}
				})
				if len(data) <= space {
					kept, space = append(kept, data), space-len(data)
				}
			}
			r.pass(10 * time.Millisecond)
			for range min(len(kept), rapid.IntRange(0, 5).Draw(t, "reads")) {
				r.do(1, func(m *machine.Machine) {
					if p, ok := m.Receive(1); !ok || string(p.Data) != string(kept[0]) || math.Abs(p.Strength-1) > 1e-9 {
						t.Fatalf("%v %v, not %v", ok, p, kept[0])
					}
				})
				space, kept = space+len(kept[0]), kept[1:]
			}
		}
		r.do(1, func(m *machine.Machine) {
			for _, want := range kept {
				if p, ok := m.Receive(1); !ok || string(p.Data) != string(want) {
					t.Fatalf("%v %v, not %v", ok, p, want)
				}
			}
			if p, ok := m.Receive(1); ok {
				t.Fatalf("one too many: %v", p)
			}
		})
	})
}

// LEDs have colors between 0 and 1; other devices have none.
func TestColors(t *testing.T) {
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), carrying(
		description.Device{Name: "led", Kind: description.LED, Link: "base"}, description.Device{Name: "bump", Kind: description.Contact, Link: "base"}))
	rapid.Check(t, func(t *rapid.T) {
		var c [3]float64
		for i := range c {
			c[i] = rapid.Float64Range(-2, 2).Draw(t, "part")
		}
		r.do(0, func(m *machine.Machine) {
			m.SetLED(0, c)
			m.SetLED(1, c)
			for i, v := range m.Measure(0, nil) {
				if v != max(0, min(1, c[i])) {
					t.Fatalf("color %v became %g", c, v)
				}
			}
			if v := m.Measure(1, []float64{7}); len(v) != 2 || v[0] != 7 || v[1] != 0 {
				t.Fatalf("a bumper measures %v", v)
			}
		})
	})
}
