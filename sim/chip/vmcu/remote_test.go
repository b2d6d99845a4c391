// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// Fact: the last code is latched without limit, 0 at boot; the seventh bit of an
// extended code becomes bit 7 (ir_remote.c, 226 to 228).
func TestRemoteCodeIsLatched(t *testing.T) {
	g := newRig()
	g.send(0, 0)
	if g.reply[45] != 0 {
		t.Errorf("at boot %d", g.reply[45])
	}
	for _, c := range []struct{ sent, want byte }{{60, 60}, {127, 191}, {200, 136}, {0, 0}, {63, 63}, {64, 128}} {
		g.Remote(c.sent)
		g.send(0, 0)
		if g.reply[45] != c.want {
			t.Errorf("code %d shows as %d", c.sent, g.reply[45])
		}
	}
	g.wait(time.Hour)
	g.send(0, 0)
	if g.reply[45] != 128 {
		t.Errorf("after an hour %d, want 128", g.reply[45])
	}
}

// Fact: codes 1–9, 12, 16, 17, 32, 33 set ±600 steps/s, which the timer makes
// 602.4; other codes do nothing.
func TestRemoteMovesTheRobot(t *testing.T) {
	const v = 602.4
	motions := map[uint8][2]float64{
		1: {0, v}, 2: {v, v}, 3: {v, 0}, 4: {-v, v}, 5: {0, 0}, 6: {v, -v}, 7: {0, -v}, 8: {-v, -v}, 9: {-v, 0},
		12: {0, 0}, 16: {v, -v}, 17: {-v, v}, 32: {v, v}, 33: {-v, -v},
	}
	for code := range uint8(128) {
		g := newRig()
		g.send(250, 250)
		want, ok := motions[code]
		if !ok {
			want = [2]float64{250, 250}
		}
		g.Remote(code)
		g.wait(20 * time.Millisecond)
		l, r := g.Speed()
		if d := max(l-want[0], want[0]-l, r-want[1], want[1]-r); d > 0.05 {
			t.Errorf("code %d: speeds %.1f, %.1f; want %v", code, l, r, want)
		}
	}
}

// Fact: the next packet overwrites what the remote set.
func TestCommandOverridesRemote(t *testing.T) {
	g := newRig()
	g.Remote(2)
	g.send(0, 0)
	wantSpeeds(t, g, "after the next packet", 0, 0)
	if g.reply[45] != 2 {
		t.Errorf("code %d in the reply", g.reply[45])
	}
}

func TestOtherFirmwaresHaveNoRemote(t *testing.T) {
	g := newRig(func(cfg *vmcu.Config) { cfg.Firmware = vmcu.York })
	g.Remote(2)
	wantSpeeds(t, g, "York's firmware", 0, 0)
}
