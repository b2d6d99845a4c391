// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// view is an environment whose values the test sets.
type view struct {
	ambient [8]uint16
	delta   [8]int16
	asked   int64 // the cycle asked for last

	pressure [4]float64
}

func (v *view) Sound(at *[4]float64) { *at = v.pressure }

func (v *view) Infrared(n int64, s *vmcu.Infrared) {
	v.asked = n
	s.Ambient, s.Delta = v.ambient, v.delta
}

// rig is a processor in a made-up environment, with its infrared cycles. It
// has settled and obeys at once, unless an option says otherwise.
type rig struct {
	*vmcu.MCU
	view  *view
	now   time.Duration
	cmd   [20]byte
	reply [47]byte
}

func newRig(opts ...func(*vmcu.Config)) *rig {
	v := &view{ambient: [8]uint16{4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008}}
	cfg := vmcu.Config{Selector: 10, Noise: noise.New(1), Environment: v, Settled: true, Latency: -1}
	for _, o := range opts {
		o(&cfg)
	}
	return &rig{MCU: vmcu.New(cfg), view: v}
}

// wait advances time by d, with an infrared cycle every 10 ms.
func (g *rig) wait(d time.Duration) {
	end := g.now + d
	for {
		next := g.now.Truncate(vmcu.SamplePeriod) + vmcu.SamplePeriod
		if next > end {
			break
		}
		g.now = next
		g.Advance(g.now)
		g.Sample(int64(g.now / vmcu.SamplePeriod))
	}
	g.now = end
	g.Advance(g.now)
}

// send sends the command in g.cmd with these speeds and a right checksum, and
// reads the reply.
func (g *rig) send(left, right int) {
	binary.LittleEndian.PutUint16(g.cmd[0:], uint16(int16(left)))
	binary.LittleEndian.PutUint16(g.cmd[2:], uint16(int16(right)))
	g.cmd[19] = xor(g.cmd[:19])
	g.raw(g.cmd[:])
}

// raw sends bytes as they are and reads the reply.
func (g *rig) raw(w []byte) int {
	n := g.Receive(w)
	g.Transmit(g.reply[:])
	return n
}

// one sends one command with a byte changed, and puts the byte back.
func (g *rig) one(at int, value byte, left, right int) {
	old := g.cmd[at]
	g.cmd[at] = value
	g.send(left, right)
	g.cmd[at] = old
}

func (g *rig) word(at int) int { return int(int16(binary.LittleEndian.Uint16(g.reply[at:]))) }

// steps returns both counters as they are now, by a read that changes nothing:
// the command is spoiled.
func (g *rig) steps() (left, right int) {
	spoiled := g.cmd
	spoiled[19] = ^xor(spoiled[:19])
	g.raw(spoiled[:])
	return g.word(41), g.word(43)
}

// speeds returns how fast the motors really turn once their timers have taken
// over, steps/s.
func (g *rig) speeds() (left, right float64) {
	g.wait(600 * time.Millisecond)
	return g.Speed()
}

func xor(p []byte) (sum byte) {
	for _, b := range p {
		sum ^= b
	}
	return sum
}

func wantSpeeds(t *testing.T, g *rig, what string, left, right float64) {
	t.Helper()
	l, r := g.speeds()
	if d := max(l-left, left-l, r-right, right-r); d > 0.05 {
		t.Errorf("%s: speeds %.2f, %.2f steps/s; want %.2f, %.2f", what, l, r, left, right)
	}
}
