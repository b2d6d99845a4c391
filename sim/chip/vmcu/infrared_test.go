// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"
	"time"
)

// Fact: the value sent is max(0, delta − initValue), initValue 0 at boot.
func TestProximityHasItsOffsetUntilCalibrated(t *testing.T) {
	g := newRig()
	g.view.delta = [8]int16{30, 40, 50, 60, 70, 80, 90, 4000}
	g.wait(100 * time.Millisecond)
	g.send(0, 0)
	for i := range 8 {
		if got := g.word(2 * i); got != int(g.view.delta[i]) {
			t.Errorf("sensor %d before calibration: %d, want %d", i, got, g.view.delta[i])
		}
	}
	g.one(18, 1, 0, 0)
	g.wait(1100 * time.Millisecond)
	g.view.delta = [8]int16{20, 40, 55, 160, 70, 80, 90, 4095}
	g.wait(20 * time.Millisecond)
	g.send(0, 0)
	for i, want := range []int{0, 0, 5, 100, 0, 0, 0, 95} {
		if got := g.word(2 * i); got != want {
			t.Errorf("sensor %d after calibration: %d, want %d", i, got, want)
		}
	}
}

// Fact: the mean of 100 samples at 100 Hz, about one second; the old zero is
// cleared first.
func TestCalibrationTakesAHundredSamples(t *testing.T) {
	g := newRig()
	g.view.delta[0] = 50
	g.one(18, 1, 0, 0)
	start := g.now
	for g.Calibrating() {
		g.wait(time.Millisecond)
	}
	// One cycle clears, 100 add up (1.01 s), the thread looks every 20 ms.
	if d := g.now - start; d != 1020*time.Millisecond {
		t.Errorf("took %v, want 1.02s", d)
	}

	g.view.delta[0] = 0
	g.one(18, 1, 0, 0)
	g.wait(510 * time.Millisecond) // the clearing cycle and 50 of the 100
	g.view.delta[0] = 80
	g.send(0, 0)
	if got := g.word(0); got != 80 {
		t.Errorf("during calibration %d, want the bare 80", got)
	}
	g.wait(600 * time.Millisecond)
	g.send(0, 0)
	if got := g.word(0); got != 40 {
		t.Errorf("after calibrating on 0 and 80: %d, want 80 − 40", got)
	}
}

// The zero stays in force until the next infrared cycle clears it.
func TestOldZeroIsClearedByTheNextCycle(t *testing.T) {
	g := newRig()
	g.view.delta[3] = 60
	g.one(18, 1, 0, 0)
	g.wait(1100 * time.Millisecond)
	g.one(18, 1, 0, 0)
	g.wait(5 * time.Millisecond)
	g.send(0, 0)
	if got := g.word(6); got != 0 {
		t.Errorf("before the next cycle %d, want 0", got)
	}
	g.wait(5 * time.Millisecond)
	g.send(0, 0)
	if got := g.word(6); got != 60 {
		t.Errorf("after the next cycle %d, want 60", got)
	}
}

// Fact: the motors keep their speed meanwhile, and the calibrating command's
// own speed comes at the end.
func TestMotorsTurnOnDuringCalibration(t *testing.T) {
	g := newRig()
	g.send(500, 500)
	g.wait(100 * time.Millisecond)
	g.one(18, 1, 250, -250)
	wantSpeeds(t, g, "during calibration", 500, 500) // 0.6 s later
	g.wait(500 * time.Millisecond)
	wantSpeeds(t, g, "after calibration", 250, -250)
}

// Fact: commands are latched meanwhile, the latest wins; replies continue. Melody
// and LEDs of the calibrating command act at once.
func TestCommandsAreLatchedDuringCalibration(t *testing.T) {
	g := newRig()
	g.cmd[4], g.cmd[5] = 2, 1
	g.one(18, 1, 0, 0)
	if g.Melody() != 2 || !g.LEDs().Red[0] {
		t.Error("melody and LEDs wait for the calibration")
	}
	g.cmd[4] = 0
	for i := range 5 {
		g.cmd[5] = byte(i)
		g.send(100*i, 100*i)
		g.wait(100 * time.Millisecond)
		if xor(g.reply[:46]) != g.reply[46] || g.reply[40] != 10 {
			t.Fatal("no valid reply during calibration")
		}
		if g.LEDs().Red != [4]bool{true} {
			t.Errorf("command %d acts during calibration: %v", i, g.LEDs())
		}
	}
	wantSpeeds(t, g, "latest command", 400, 400)
	if g.LEDs().Red != [4]bool{false, false, true} { // 4
		t.Errorf("LEDs %v, want those of the latest command", g.LEDs().Red)
	}
}

// Fact: the error flag and the checksum are looked at when the thread comes to
// the command.
func TestErrorDuringCalibrationCostsTheLatchedCommand(t *testing.T) {
	g := newRig()
	g.one(18, 1, 0, 0)
	g.send(300, 300)
	g.Disturbed()
	g.wait(1100 * time.Millisecond)
	wantSpeeds(t, g, "latched command", 0, 0)
	g.send(300, 300)
	wantSpeeds(t, g, "next command", 301.2, 301.2)
}

// Fact: a repeated bit starts over at once.
func TestRepeatedBitCalibratesAgain(t *testing.T) {
	g := newRig()
	g.cmd[18] = 1
	g.send(0, 0)
	g.wait(500 * time.Millisecond)
	g.send(0, 0)
	g.cmd[18] = 0
	g.wait(1000 * time.Millisecond)
	if !g.Calibrating() {
		t.Error("the repeated bit was forgotten")
	}
	g.wait(600 * time.Millisecond)
	if g.Calibrating() {
		t.Error("a third calibration")
	}
}

// Quirk: after a calibration the firmware looks at bit 2 of the newest message,
// so the calibrating command's speeds may become counters.
func TestSettingsOfTheNewestMessageDecide(t *testing.T) {
	g := newRig()
	g.send(500, 500)
	g.one(18, 1, 111, 222)
	// A message with a wrong checksum is not obeyed, but it is in the buffer.
	bad := [20]byte{18: 4, 19: 0xFF}
	g.raw(bad[:])
	g.wait(1020 * time.Millisecond)
	if l, r := g.steps(); l != 111 || r != 222 {
		t.Errorf("counters %d, %d; want 111, 222", l, r)
	}
	wantSpeeds(t, g, "after", 500, 500)
}

// Fact: sensors are sampled at 100 Hz.
func TestProcessorAsksForTheLatestCycle(t *testing.T) {
	g := newRig()
	g.wait(1234 * time.Millisecond)
	g.send(0, 0)
	if g.view.asked != 123 {
		t.Errorf("asked for cycle %d at 1.234 s, want 123", g.view.asked)
	}
}
