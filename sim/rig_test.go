// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// rig is a simulation on its own clock with one robot under test.
type rig struct {
	t     testing.TB
	clock *sim.Clock
	sim   *sim.Simulation
	robot *sim.Firmware
	cmd   [20]byte
	reply [47]byte
}

// newRig starts a world, a built-in name or the text of a file.
func newRig(t testing.TB, text string, opts sim.Options) *rig {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if len(text) < 20 {
		w, err = sim.LoadWorld(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, clock: sim.NewClock()}
	opts.Now, opts.Sleep, opts.Wait = g.clock.Now, g.clock.Sleep, g.clock.Wait
	opts.Settled = true
	if g.sim, err = sim.New(w, opts); err != nil {
		t.Fatal(err)
	}
	g.robot = sim.RobotsOf[*sim.Firmware](g.sim)[0]
	return g
}

// exchange sends a command with the given speeds (steps/s) and other bytes as
// they are in g.cmd, and receives the reply.
func (g *rig) exchange(left, right int) {
	g.t.Helper()
	if err := g.tryExchange(left, right); err != nil {
		g.t.Fatal(err)
	}
}

func (g *rig) tryExchange(left, right int) error {
	binary.LittleEndian.PutUint16(g.cmd[0:], uint16(int16(left)))
	binary.LittleEndian.PutUint16(g.cmd[2:], uint16(int16(right)))
	g.cmd[19] = xor(g.cmd[:19])
	return g.robot.Bus().Tx(0x1F, g.cmd[:], g.reply[:])
}

// drive sends the speeds and advances time by d.
func (g *rig) drive(left, right int, d time.Duration) {
	g.t.Helper()
	g.exchange(left, right)
	g.clock.Sleep(d)
}

func (g *rig) word(at int) int { return int(int16(binary.LittleEndian.Uint16(g.reply[at:]))) }

func xor(p []byte) (sum byte) {
	for _, b := range p {
		sum ^= b
	}
	return sum
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %g, want %g ± %g", what, got, want, tolerance)
	}
}
