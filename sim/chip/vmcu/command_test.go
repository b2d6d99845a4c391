// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// Fact: before the first write the reply is all zeros.
func TestFirstReadIsAllZeros(t *testing.T) {
	g := newRig()
	g.wait(time.Second)
	g.Transmit(g.reply[:])
	if g.reply != [47]byte{} {
		t.Errorf("read % x", g.reply)
	}
}

// Fact: a read alone returns the reply built at the last write.
func TestReadAloneIsStale(t *testing.T) {
	g := newRig()
	g.send(1000, 1000)
	first := g.reply
	g.wait(time.Second)
	g.Transmit(g.reply[:])
	if g.reply != first {
		t.Errorf("after a second of driving the reply changed to % x", g.reply)
	}
	g.send(1000, 1000)
	if l := g.word(41); l < 900 {
		t.Errorf("counter %d after a new write, want about 990", l)
	}
}

// Fact: the reply belongs to the moment the command arrived, before it acts.
func TestReplyIsBuiltBeforeTheCommandActs(t *testing.T) {
	g := newRig()
	g.one(18, 4, 123, -45) // set the counters
	if l, r := g.word(41), g.word(43); l != 0 || r != 0 {
		t.Errorf("the reply shows the new counters %d, %d at once", l, r)
	}
	g.send(0, 0)
	if l, r := g.word(41), g.word(43); l != 123 || r != -45 {
		t.Errorf("the next reply shows %d, %d", l, r)
	}
}

// Fact: a bad checksum drops the command; the reply is valid and new.
func TestBadChecksum(t *testing.T) {
	g := newRig()
	g.send(300, 300)
	g.wait(time.Second)
	for bit := range 8 {
		bad := [20]byte{4: 1, 5: 0xF, 6: 50}
		bad[19] = xor(bad[:19]) ^ 1<<bit
		before := g.reply
		g.wait(20 * time.Millisecond)
		g.raw(bad[:])
		if g.reply == before || xor(g.reply[:46]) != g.reply[46] {
			t.Errorf("bit %d: the reply is old or wrong", bit)
		}
		if g.Melody() != 0 || g.LEDs() != (vmcu.LEDs{}) {
			t.Errorf("bit %d: the command had effect", bit)
		}
	}
	wantSpeeds(t, g, "after bad commands", 301.2, 301.2)
}

// Fact: after an I²C error the next good command is dropped, only that one, and
// the reply to it is valid.
func TestCommandAfterAnErrorIsDropped(t *testing.T) {
	g := newRig()
	g.Disturbed()
	g.Disturbed() // however many errors: one command
	g.send(500, 500)
	if xor(g.reply[:46]) != g.reply[46] || g.reply[40] != 10 {
		t.Errorf("the reply is not valid: % x", g.reply)
	}
	wantSpeeds(t, g, "first command", 0, 0)
	g.send(500, 500)
	wantSpeeds(t, g, "second command", 500, 500)
}

// Fact: the error flag is looked at before the checksum, so a bad command uses
// it up.
func TestBadCommandUsesUpTheError(t *testing.T) {
	g := newRig()
	g.Disturbed()
	bad := [20]byte{19: 1}
	g.raw(bad[:])
	g.send(500, 500)
	wantSpeeds(t, g, "after error and bad command", 500, 500)
}

// Fact: a short write counts as a command of 20 bytes, the missing ones old.
func TestShortWriteMixesWithOldBytes(t *testing.T) {
	g := newRig()
	g.cmd[5] = 0x01
	g.send(500, 500)
	g.raw([]byte{0, 0, 0}) // 0, 0, 0, 1 … with the old checksum
	wantSpeeds(t, g, "short write", 500, 500)
	// 500 is 0x01F4; two equal changes cancel in the checksum: 484 = 0x01E4.
	g.raw([]byte{0xE4, 0x01, 0xE4, 0x01})
	wantSpeeds(t, g, "short write whose checksum happens to fit", 485.4, 485.4)
	if !g.LEDs().Red[0] {
		t.Error("the old LED byte did not stay")
	}
}

// Fact: bit 2 sets the counters and leaves the speed as it was.
func TestSetCounters(t *testing.T) {
	g := newRig()
	g.send(500, -500)
	g.wait(time.Second)
	g.one(18, 4, -30000, 12345)
	if l, r := g.steps(); l != -30000 || r != 12345 {
		t.Errorf("counters %d, %d", l, r)
	}
	wantSpeeds(t, g, "after setting the counters", 500, -500)
	if l, r := g.steps(); l != -30000+300 || r != 12345-300 {
		t.Errorf("after 0.6 s counters %d, %d; want -29700, 12045", l, r)
	}
}

// Fact: bit 1 (obstacle avoidance) and bits 3 to 7 do nothing.
func TestSettingsWithoutEffect(t *testing.T) {
	for _, bits := range []byte{0x02, 0x08, 0xF8, 0xFA} {
		g := newRig()
		g.one(18, bits, 500, 250)
		wantSpeeds(t, g, "settings", 500, 250)
		if g.Calibrating() {
			t.Errorf("settings %#x calibrate", bits)
		}
	}
}

// Fact: the last speed holds without limit; there is no watchdog.
func TestNoWatchdog(t *testing.T) {
	g := newRig()
	g.send(100, 100)
	g.Advance(24 * time.Hour)
	if l, r := g.Speed(); l != 100 || r != 100 {
		t.Errorf("after a day: %v, %v steps/s", l, r)
	}
}
