// SPDX-License-Identifier: Apache-2.0

package vimu_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

const g0 = 9.80665

// rig is a chip in a robot at rest, and its clock.
type rig struct {
	*vimu.Chip
	t    testing.TB
	now  time.Duration
	body vimu.Motion
}

func (g *rig) Motion() vimu.Motion { return g.body }

func newRig(t testing.TB, cfg vimu.Config) *rig {
	g := &rig{t: t, body: vimu.Motion{Accel: [3]float64{0, 0, g0}, Field: [3]float64{15e-6, 0, -30e-6}, Temperature: 21}}
	cfg.Now, cfg.Body = func() time.Duration { return g.now }, g
	if cfg.Noise == (noise.Source{}) {
		cfg.Noise = noise.New(1)
	}
	g.Chip = vimu.New(cfg)
	return g
}

func (g *rig) wait(ms int) { g.now += time.Duration(ms) * time.Millisecond }

// w writes a register and those after it.
func (g *rig) w(bytes ...byte) { write(g.Chip, bytes...) }

// r reads n registers.
func (g *rig) r(reg byte, n int) []byte { return read(g.Chip, reg, n) }

func write(c vbus.Chip, bytes ...byte) { c.Receive(bytes) }

func read(c vbus.Chip, reg byte, n int) []byte {
	c.Receive([]byte{reg})
	b := make([]byte, n)
	c.Transmit(b)
	return b
}

// words reads n big-endian words.
func (g *rig) words(reg byte, n int) []int16 {
	b := g.r(reg, 2*n)
	w := make([]int16, n)
	for i := range w {
		w[i] = int16(binary.BigEndian.Uint16(b[2*i:]))
	}
	return w
}

// little reads n little-endian words.
func little(c vbus.Chip, reg byte, n int) []int16 {
	b := read(c, reg, 2*n)
	w := make([]int16, n)
	for i := range w {
		w[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return w
}

// wakeICM ends the sleep of an ICM-20948 and lets the gyroscope start.
func (g *rig) wakeICM() {
	g.w(0x7F, 0x00)
	g.w(0x06, 0x01)
	g.wait(60)
}
