// SPDX-License-Identifier: Apache-2.0

package vtof_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// rig is a chip in front of a target, its clock, and a host that knows ST's
// procedure by heart.
type rig struct {
	*vtof.Chip
	t      testing.TB
	now    time.Duration
	target vtof.Target
	stop   byte
}

func (g *rig) Target() vtof.Target { return g.target }

func newRig(t testing.TB, seed uint64) *rig {
	g := &rig{t: t, target: vtof.Target{Distance: 0.5, Reflectance: 0.9, Ambient: 1}}
	g.Chip = vtof.New(vtof.Config{
		Now: func() time.Duration { return g.now }, Scene: g, Noise: noise.New(seed), Perfect: true,
	})
	return g
}

// w writes a register and those after it.
func (g *rig) w(bytes ...byte) {
	g.t.Helper()
	if n := g.Receive(bytes); n != len(bytes) {
		g.t.Fatalf("%d of % x acknowledged", n, bytes)
	}
}

// r reads n registers.
func (g *rig) r(reg byte, n int) []byte {
	g.Receive([]byte{reg})
	b := make([]byte, n)
	g.Transmit(b)
	return b
}

// wait lets a millisecond pass at a time until a register has one of the bits.
func (g *rig) wait(reg, mask byte) bool {
	for range 50 {
		if g.r(reg, 1)[0]&mask != 0 {
			return true
		}
		g.now += time.Millisecond
	}
	return false
}

// begin does the first part: the stop variable.
func (g *rig) begin() {
	g.w(0x89, 1)
	g.w(0x80, 1)
	g.w(0xFF, 1)
	g.w(0x00, 0)
	g.stop = g.r(0x91, 1)[0]
	g.w(0x00, 1)
	g.w(0xFF, 0)
	g.w(0x80, 0)
}

// askSPADs asks the memory for number and kind of the SPADs.
func (g *rig) askSPADs() (answer byte, ok bool) {
	g.w(0x80, 1)
	g.w(0xFF, 1)
	g.w(0x00, 0)
	g.w(0xFF, 6)
	g.w(0x83, g.r(0x83, 1)[0]|4)
	g.w(0xFF, 7)
	g.w(0x81, 1)
	g.w(0x94, 0x6B)
	g.w(0x83, 0)
	ok = g.wait(0x83, 0xFF)
	g.w(0x83, 1)
	answer = g.r(0x92, 1)[0]
	g.w(0x81, 0)
	g.w(0xFF, 1)
	g.w(0x00, 1)
	g.w(0xFF, 0)
	g.w(0x80, 0)
	return answer, ok
}

// enableSPADs switches the right ones on, or one more.
func (g *rig) enableSPADs(more int) {
	answer, ok := g.askSPADs()
	if !ok {
		g.t.Fatal("the memory does not answer")
	}
	good, left := g.r(0xB0, 6), int(answer&0x7F)+more
	mask := make([]byte, 6)
	for i := range 48 {
		if (i >= 12) == (answer&0x80 != 0) && left > 0 && good[i/8]>>(i%8)&1 != 0 {
			mask[i/8] |= 1 << (i % 8)
			left--
		}
	}
	g.w(0xFF, 1)
	g.w(0x4F, 0)
	g.w(0x4E, 0x2C)
	g.w(0xFF, 0)
	g.w(0xB6, 0xB4)
	g.w(append([]byte{0xB0}, mask...)...)
}

// tune writes the tuning settings the model looks at and those it computes
// with.
func (g *rig) tune() {
	for _, line := range strings.Fields(`0:24=01 0:66=A0 0:78=21 0:7A=0A 0:35=44 0:46=25 0:50=06 0:51=00 0:52=96 0:70=04
		1:22=32 1:49=FF 1:20=1A 1:0D=01 1:8E=01 1:4C=05 0:71=02 0:72=8A 0:0A=04 0:01=E8`) {
		g.w(0xFF, line[0]-'0')
		g.w(hex(line[2:4]), hex(line[5:7]))
	}
	g.w(0xFF, 0)
}

func hex(s string) (v byte) {
	for _, c := range []byte(s) {
		v = v<<4 | byte(strings.IndexByte("0123456789ABCDEF", c))
	}
	return v
}

// calibrate does one of the reference calibrations and reports its end.
func (g *rig) calibrate(sequence, start byte) bool {
	g.w(0x01, sequence)
	g.w(0x00, start)
	ok := g.wait(0x13, 7)
	g.w(0x0B, 1)
	g.w(0x00, 0)
	g.w(0x01, 0xE8)
	return ok
}

// start begins measuring with a stop variable.
func (g *rig) start(mode, stop byte) {
	g.w(0x80, 1)
	g.w(0xFF, 1)
	g.w(0x00, 0)
	g.w(0x91, stop)
	g.w(0x00, 1)
	g.w(0xFF, 0)
	g.w(0x80, 0)
	g.w(0x00, mode)
}

// bringUp does everything right.
func (g *rig) bringUp() {
	g.begin()
	g.enableSPADs(0)
	g.tune()
	if !g.calibrate(1, 0x41) || !g.calibrate(2, 0x01) {
		g.t.Fatal("a calibration does not end")
	}
	g.start(2, g.stop)
}

// measure waits for a measurement: status and millimetres, false if none comes.
func (g *rig) measure() (status byte, mm int, ok bool) {
	for range 300 {
		if g.r(0x13, 1)[0]&7 == 4 {
			b := g.r(0x14, 12)
			g.w(0x0B, 1)
			return b[0] >> 3 & 15, int(binary.BigEndian.Uint16(b[10:])), true
		}
		g.now += time.Millisecond
	}
	return 0, 0, false
}
