// SPDX-License-Identifier: Apache-2.0

package vground_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var (
	_ vbus.Chip      = (*vground.Board)(nil)
	_ vbus.Restarter = (*vground.Board)(nil)
)

// spots is a floor given sensor by sensor.
type spots [vground.Sensors]vground.Spot

func (s *spots) Spot(i vground.Sensor) vground.Spot { return s[i] }

func level(reflectance, height, light float64) *spots {
	var s spots
	for i := range s {
		s[i] = vground.Spot{Reflectance: reflectance, Height: height, Light: light}
	}
	return &s
}

func dump(b *vground.Board, from byte, n int) []byte {
	p := make([]byte, n)
	b.Receive([]byte{from})
	b.Transmit(p)
	return p
}

func word(p []byte, at int) int { return int(p[at])<<8 | int(p[at+1]) }

// TestResponse: white, grey and black floors at several heights, without noise.
func TestResponse(t *testing.T) {
	for _, c := range []struct{ reflectance, height, want float64 }{
		{1, 0, 1000}, {1, 0.016, 300}, {1, 0.008, 650}, {0.5, 0.008, 325}, {0, 0.003, 0}, {1, math.Inf(1), 0},
		{1, 0.1, 0}, {1, -1, 1000}, {9, 0, 1023}, {-1, 0, 0}, {math.NaN(), 0, 0},
	} {
		p := dump(vground.New(vground.Config{Floor: level(c.reflectance, c.height, 0), NoiseLevel: -1}), 0, 6)
		for i := range 3 {
			if got := word(p, 2*i); got != int(c.want) {
				t.Errorf("reflectance %v at %v m: %d counts, want %v", c.reflectance, c.height, got, c.want)
			}
		}
	}
}

// TestRegisters: each sensor's own registers, the revision, and what is behind the end.
func TestRegisters(t *testing.T) {
	floor := level(0, 0, 0)
	for i := range floor {
		floor[i] = vground.Spot{Reflectance: 0.1 * float64(i+1), Light: 0.1 * float64(i+1)}
	}
	for _, cliff := range []bool{false, true} {
		b := vground.New(vground.Config{Floor: floor, NoiseLevel: -1, Cliff: cliff, Revision: 7})
		p := dump(b, 0, 23)
		for i := range 3 {
			if word(p, 2*i) != 100*(i+1) || word(p, 6+2*i) != 20+90*(i+1) {
				t.Errorf("sensor %d: % x", i, p)
			}
		}
		if p[0x0C] != 7 || p[21] != 0xFF || p[22] != 0xFF {
			t.Errorf("% x", p)
		}
		if cliff {
			if word(p, 0x0D) != 400 || word(p, 0x0F) != 500 || word(p, 0x11) != 380 || word(p, 0x13) != 470 {
				t.Errorf("cliff: % x", p[0x0D:])
			}
		} else if !bytes.Equal(p[0x0D:], bytes.Repeat([]byte{0xFF}, 10)) {
			t.Errorf("no cliff sensors: % x", p[0x0D:])
		}
		for reg := range byte(21) { // byte by byte is the same
			if got := dump(b, reg, 1)[0]; got != p[reg] {
				t.Errorf("register %#02x alone is %#02x, in a burst %#02x", reg, got, p[reg])
			}
		}
	}
}

// TestNoise: 10 % of the value, the same within a period, from the seed, and different between sensors.
func TestNoise(t *testing.T) {
	now := time.Duration(0)
	b := vground.New(vground.Config{Floor: level(0.5, 0, 0), Noise: noise.New(4), Now: func() time.Duration { return now }})
	var sum, square float64
	const n = 4000
	last := []byte(nil)
	same := 0
	for range n {
		p := dump(b, 0, 6)
		if !bytes.Equal(p, dump(b, 0, 6)) {
			t.Fatal("reading changes the measurement")
		}
		if bytes.Equal(p, last) {
			same++
		}
		v := float64(word(p, 0))
		sum, square, last = sum+v, square+v*v, p
		now += vground.Period
	}
	mean := sum / n
	if sd := math.Sqrt(square/n - mean*mean); math.Abs(mean-500) > 4 || math.Abs(sd-50) > 3 || same > 2 {
		t.Errorf("mean %v, deviation %v, %d times the same", mean, sd, same)
	}
	if p := dump(b, 0, 6); word(p, 0) == word(p, 2) && word(p, 2) == word(p, 4) {
		t.Error("all sensors have the same noise")
	}
}

func TestPlug(t *testing.T) {
	b := vground.New(vground.Config{Floor: level(1, 0, 0)})
	bus := vbus.New(vbus.Config{})
	if err := bus.Attach(vground.Address, b); err != nil {
		t.Fatal(err)
	}
	r := make([]byte, 1)
	if err := bus.Tx(vground.Address, []byte{0x0C}, r); err != nil || r[0] != 2 {
		t.Error(err, r)
	}
	b.Plug(false)
	if err := bus.Tx(vground.Address, []byte{0x0C}, r); err == nil {
		t.Error("answers although it is away")
	}
	b.Plug(true)
	b.Disturbed()
	if err := bus.Tx(vground.Address, nil, r); err != nil || r[0] != 3 { // register 0 again: 1000 is 0x03E8
		t.Error(err, r)
	}
}

func ExampleBoard() {
	floor := level(0.9, 0.003, 0)
	floor[vground.Centre].Reflectance = 0.05
	b := vground.New(vground.Config{Floor: floor, NoiseLevel: -1})
	b.Receive([]byte{0})
	p := make([]byte, 6)
	b.Transmit(p)
	fmt.Println(word(p, 0), word(p, 2), word(p, 4))
	// Output: 782 43 782
}
