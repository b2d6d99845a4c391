// SPDX-License-Identifier: Apache-2.0

package ground_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// plane is a floor with one reflectance under each sensor, 3 mm below it.
type plane [5]float64

func (p *plane) Spot(s vground.Sensor) vground.Spot {
	return vground.Spot{Reflectance: p[s], Height: 0.003, Light: 0.2}
}

// rig is the device on a virtual board, which is implemented from the registers' description independently of this
// package.
type rig struct {
	*testing.T
	floor plane
	board *vground.Board
	bus   *vbus.Bus
	dev   *ground.Dev
	now   time.Duration
}

func newRig(t *testing.T, cfg vground.Config) *rig {
	t.Helper()
	r := &rig{T: t, floor: plane{0.9, 0.9, 0.9, 0.9, 0.9}}
	cfg.Floor, cfg.Now = &r.floor, func() time.Duration { return r.now }
	r.board = vground.New(cfg)
	r.bus = vbus.New(vbus.Config{Sleep: func(d time.Duration) { r.now += d }, Seed: 1})
	if err := r.bus.Attach(vground.Address, r.board); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.dev, err = ground.New(r.bus, ground.Addr, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) poll() (g ground.Reading, event string, err error) {
	event, err = i2cfake.Event(r.dev, func() error {
		fresh, err := r.dev.Poll(time.Unix(0, int64(r.now)))
		if fresh {
			err = r.dev.Sense(&g)
		}
		return err
	})
	return g, event, err
}

// TestLineUnderTheRightSensor: a black line is out of range, the white floor next to it at its distance, within the
// noise.
func TestLineUnderTheRightSensor(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, vground.Config{Noise: noise.New(seed)})
		r.floor[vground.Right] = 0.05
		sum, n := 0.0, 0
		for range 400 {
			g, _, err := r.poll()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !math.IsInf((ground.Model{}).Height(g.Reflected[ground.Right]), 1) {
				t.Fatalf("seed %d: the line is not seen: %+v", seed, g)
			}
			for _, i := range []int{ground.Left, ground.Centre} {
				if h := (ground.Model{Near: 900, Far: 270}).Height(g.Reflected[i]); !math.IsInf(h, 1) {
					sum, n = sum+h, n+1
				}
			}
			r.now += vground.Period
		}
		if mean := sum / float64(n); n < 790 || math.Abs(mean-0.003) > 0.0005 {
			t.Errorf("seed %d: mean height %v of %d readings, want 0.003", seed, mean, n)
		}
	}
}

func TestCliffBoard(t *testing.T) {
	r := newRig(t, vground.Config{Cliff: true, NoiseLevel: -1})
	r.floor[vground.CliffLeft] = 0
	g, e, err := r.poll()
	if err != nil || e != "found" || !g.Cliff || g.CliffReflected[0] != 0 || g.CliffReflected[1] < 700 || g.CliffAmbient[0] == 0 {
		t.Errorf("%v %v %+v", e, err, g)
	}
	start := r.now
	if _, _, err = r.poll(); err != nil || r.now-start != time.Duration(r.dev.WireBytes())*90*time.Microsecond {
		t.Errorf("%v: a poll took %v for %d bytes", err, r.now-start, r.dev.WireBytes())
	}
}

// TestNoisyBus: with any faults of the bus a reading is either rejected or within ten bits.
func TestNoisyBus(t *testing.T) {
	r := newRig(t, vground.Config{Noise: noise.New(3), Cliff: true})
	if err := r.bus.Faults().SetRates(vbus.Rates{NAK: .05, DataNAK: .05, Timeout: .05, ReadNAK: .05, ReadTimeout: .05, CorruptWrite: .05, CorruptRead: .05, Restart: .05}); err != nil {
		t.Fatal(err)
	}
	good := 0
	for range 2000 {
		g, _, err := r.poll()
		if err == nil {
			good++
		}
		for i := range 3 {
			if g.Reflected[i] > ground.MaxCount || (err != nil && g.Reflected[i] != 0) {
				t.Fatalf("%v %+v", err, g)
			}
		}
		r.now += 10 * time.Millisecond
	}
	if good < 500 {
		t.Errorf("only %d readings", good)
	}
}

func TestNoAllocation(t *testing.T) {
	r := newRig(t, vground.Config{Noise: noise.New(3)})
	at := time.Unix(0, 0)
	if n := testing.AllocsPerRun(200, func() {
		if _, err := r.dev.Poll(at); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a poll", n)
	}
	r.board.Plug(false)
	for r.dev.Present() {
		_, _ = r.dev.Poll(at)
	}
	if n := testing.AllocsPerRun(200, func() { _, _ = r.dev.Poll(at) }); n != 0 {
		t.Errorf("%v allocations a poll of an absent board", n)
	}
}

// The board over white paper with a black line under its right sensor. On a robot the bus is that of i2c.Open.
func ExampleDev_Poll() {
	bus := vbus.New(vbus.Config{})
	floor := &plane{0.9, 0.9, 0.05}
	_ = bus.Attach(vground.Address, vground.New(vground.Config{Floor: floor, NoiseLevel: -1}))
	dev, err := ground.New(bus, ground.Addr, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var r ground.Reading
	fresh, err := dev.Poll(time.Now())
	fmt.Println(fresh, err, dev.Sense(&r), r.Reflected)
	for _, counts := range r.Reflected {
		fmt.Printf("%.4f m\n", ground.Model{}.Height(counts))
	}
	// Output:
	// true <nil> <nil> [782 782 43]
	// 0.0050 m
	// 0.0050 m
	// +Inf m
}
