// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Fact: 1 to 3 play, other values are ignored, each plays for its length.
func TestMelodies(t *testing.T) {
	for v, want := range map[byte]time.Duration{
		0: 0, 1: 15213 * time.Millisecond, 2: 15858 * time.Millisecond, 3: 10195 * time.Millisecond,
		4: 0, 8: 0, 0x10: 0, 0x20: 0, 255: 0,
	} {
		g := newRig()
		g.one(4, v, 0, 0)
		played := time.Duration(0)
		for g.Melody() == v && v != 0 {
			g.wait(time.Millisecond)
			played += time.Millisecond
		}
		if played != want || g.Melody() != 0 {
			t.Errorf("melody %d played for %v, want %v", v, played, want)
		}
	}
}

// Fact: not interruptible, ignored while one plays, no stop code.
func TestMelodyCannotBeInterrupted(t *testing.T) {
	g := newRig()
	g.one(4, 3, 0, 0)
	for _, v := range []byte{0, 1, 2, 0x20} {
		g.wait(time.Second)
		g.one(4, v, 0, 0)
		if g.Melody() != 3 {
			t.Errorf("value %d stopped or changed the melody", v)
		}
	}
}

// Fact: a value that is still sent starts the melody again when it has ended.
func TestMelodyStartsAgainWhileItIsSent(t *testing.T) {
	g := newRig()
	g.cmd[4] = 3
	starts := 0
	for range 25 * 20 { // 25 s at 20 Hz
		if g.Melody() == 0 {
			starts++
		}
		g.send(0, 0)
		if m := g.Melody(); m != 3 {
			t.Fatalf("melody %d after asking for 3", m)
		}
		g.wait(50 * time.Millisecond)
	}
	if starts != 3 {
		t.Errorf("started %d times in 25 s, want 3", starts)
	}
}

// volumes returns the four microphone values.
func volumes(g *rig) (v [4]float64) {
	for i := range v {
		v[i] = float64(uint16(g.word(32 + 2*i)))
	}
	return v
}

func TestMelodyIsHeard(t *testing.T) {
	g := newRig()
	g.wait(time.Second)
	g.send(0, 0)
	quiet := volumes(g)
	g.one(4, 1, 0, 0)
	g.wait(30 * time.Millisecond)
	g.send(0, 0)
	loud := volumes(g)
	for i := range 4 {
		if quiet[i] > 1000 || loud[i] < 5000 {
			t.Errorf("microphone %d: %v before, %v during the melody", i, quiet[i], loud[i])
		}
	}
	g.wait(16 * time.Second)
	g.send(0, 0)
	for i, v := range volumes(g) {
		if v > 1000 {
			t.Errorf("microphone %d: %v after the melody", i, v)
		}
	}
}

// Fact: microphone 0 measures peak to peak; 1 to 3 measure max(0, max) −
// min(0, min), so a constant part of the signal adds to them in silence.
func TestMicrophoneQuirk(t *testing.T) {
	excess := 0.0
	for seed := range uint64(20) {
		g := newRig(func(cfg *vmcu.Config) { cfg.Noise = noise.New(seed) })
		g.wait(50 * time.Millisecond)
		g.send(0, 0)
		v := volumes(g)
		if v[0] < 30 || v[0] > 140 { // twice the amplitude of 40, ±10 %
			t.Errorf("seed %d: microphone 0 measures %v in silence", seed, v[0])
		}
		for i := 1; i < 4; i++ {
			excess = max(excess, v[i])
		}
	}
	if excess < 140 {
		t.Errorf("microphones 1 to 3 never hear more than %v: no constant part adds", excess)
	}
}

func TestSoundAround(t *testing.T) {
	g := newRig()
	g.wait(time.Second)
	for _, c := range []struct{ amplitude, least, most float64 }{
		{1000, 1300, 3000}, {0, 20, 400}, {math.NaN(), 20, 400}, {-5, 20, 400}, {math.Inf(1), 30000, 65535},
	} {
		g.SetSound(c.amplitude)
		g.wait(20 * time.Millisecond)
		g.send(0, 0)
		for i, v := range volumes(g) {
			if v < c.least || v > c.most {
				t.Errorf("amplitude %v: microphone %d hears %v, want %v to %v", c.amplitude, i, v, c.least, c.most)
			}
		}
	}
}

// A window lasts 10 ms: the values stand still in between.
func TestMicrophoneWindows(t *testing.T) {
	g := newRig()
	g.wait(100 * time.Millisecond)
	g.send(0, 0)
	first := volumes(g)
	g.wait(9 * time.Millisecond)
	if g.send(0, 0); volumes(g) != first {
		t.Error("the volumes changed within a window")
	}
	g.wait(time.Millisecond)
	if g.send(0, 0); volumes(g) == first {
		t.Error("the volumes did not change with the window")
	}
}
