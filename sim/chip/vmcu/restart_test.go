// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// A restart forgets everything the processor itself knew.
func TestRestart(t *testing.T) {
	g := newRig(func(cfg *vmcu.Config) { cfg.BootTime = 300 * time.Millisecond })
	g.view.delta = [8]int16{70, 70, 70, 70, 70, 70, 70, 70}
	if !g.Ready() {
		t.Fatal("a new processor has not started")
	}
	g.one(18, 1, 0, 0)
	g.wait(1100 * time.Millisecond)
	g.cmd[5], g.cmd[6] = 0x0F, 80
	g.one(4, 1, 500, 500)
	g.Remote(20)
	g.SetButton(true)
	g.wait(time.Second)
	g.send(500, 500)
	travelled, _ := g.Travel()

	g.Disturbed()
	g.Restart()
	if g.Ready() {
		t.Error("ready at once")
	}
	g.wait(299 * time.Millisecond)
	if g.Ready() {
		t.Error("ready before the boot time")
	}
	g.wait(time.Millisecond)
	if !g.Ready() {
		t.Error("not ready after the boot time")
	}
	g.Transmit(g.reply[:])
	if g.reply != [47]byte{} {
		t.Errorf("the old reply is still there: % x", g.reply)
	}
	if g.Melody() != 0 || g.LEDs().Red != [4]bool{} {
		t.Errorf("melody %d, LEDs %v", g.Melody(), g.LEDs())
	}
	if g.LEDs().RGB[0][0] != 80 {
		t.Error("the radio module forgot its colours")
	}
	g.cmd = [20]byte{}
	g.send(500, 500) // not dropped: the error is forgotten too
	if l, r := g.word(41), g.word(43); l != 0 || r != 0 {
		t.Errorf("counters %d, %d", l, r)
	}
	g.wait(20 * time.Millisecond)
	if g.send(500, 500); g.word(0) != 70 {
		t.Errorf("proximity %d: the calibration is still there", g.word(0))
	}
	if g.reply[45] != 0 || g.reply[40] != 0x1A {
		t.Errorf("remote %d, selector and button %#x", g.reply[45], g.reply[40])
	}
	if now, _ := g.Travel(); now != travelled {
		t.Errorf("the wheels jumped from %d to %d half steps", travelled, now)
	}
	g.wait(vmcu.FirstPeriod)
	wantSpeeds(t, g, "after the restart", 500, 500)
}

func TestRestartStopsTheMotors(t *testing.T) {
	g := newRig()
	g.send(500, 500)
	g.wait(time.Second)
	g.Restart()
	wantSpeeds(t, g, "after a restart", 0, 0)
}

func TestRestartEndsACalibration(t *testing.T) {
	g := newRig()
	g.one(18, 1, 0, 0)
	g.wait(500 * time.Millisecond)
	g.Restart()
	if g.Calibrating() || !g.Idle() {
		t.Errorf("calibrating %v, idle %v", g.Calibrating(), g.Idle())
	}
	g.wait(vmcu.BootTime)
	g.send(300, 300)
	g.wait(vmcu.FirstPeriod)
	wantSpeeds(t, g, "after restart in calibration", 301.2, 301.2)
}

func TestIdle(t *testing.T) {
	g := newRig()
	if !g.Idle() {
		t.Error("a new processor is not idle")
	}
	g.send(0, 1)
	if g.Idle() {
		t.Error("idle with a motor on")
	}
	g.send(0, 0)
	if !g.Idle() {
		t.Error("not idle with both motors off")
	}
	late := newRig(func(cfg *vmcu.Config) { cfg.Latency = 0 })
	if late.send(0, 0); late.Idle() {
		t.Error("idle with a command waiting")
	}
	if late.wait(vmcu.Latency); !late.Idle() {
		t.Error("not idle after the command")
	}
}
