// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// The quirks that were found by comparing the firmware's own code with this package (docs/reference/firmware.md). Files
// and lines are of the firmware's src folder at commit 517ef07.

// fresh is a processor as it is: just started, with latency.
func fresh(cfg *vmcu.Config) { cfg.Settled, cfg.Latency = false, 0 }

// motors.c, 286 and 302: the timers begin with a period of 65,535 ticks, and the first command, zero speeds too, acts
// at its end (motors.c, 228: pwmChangePeriod goes into the preload register).
func TestTheFirstCommandActsLate(t *testing.T) {
	for _, greeting := range []bool{false, true} {
		g := newRig(fresh)
		if greeting {
			g.send(0, 0)
			g.wait(vmcu.FirstPeriod)
		}
		start := g.now
		g.send(1000, 1000)
		for {
			g.wait(time.Millisecond)
			if l, _ := g.Travel(); l > 0 {
				break
			}
		}
		late := g.now - start
		if greeting && late > 12*time.Millisecond {
			t.Errorf("%v late after a command to stop", late)
		}
		if want := vmcu.FirstPeriod - 4*time.Millisecond; !greeting && (late < want-time.Millisecond || late > want+2*time.Millisecond) {
			t.Errorf("%v late as the first command, want %v", late, want)
		}
	}
}

// usbcfg.c, 337 sleeps a second; the slave answers 1.004 s after the reset, and wheels that were driving turn again at
// 1.66 s.
func TestARestartTakesASecond(t *testing.T) {
	g := newRig(fresh)
	g.send(500, 500)
	g.wait(2 * time.Second)
	g.Restart()
	reset := g.now
	at, _ := g.Travel()
	for !g.Ready() {
		g.wait(time.Millisecond)
	}
	if d := g.now - reset; d != 1004*time.Millisecond {
		t.Errorf("answers after %v", d)
	}
	g.send(500, 500)
	for {
		g.wait(time.Millisecond)
		if l, _ := g.Travel(); l != at {
			break
		}
	}
	if d := g.now - reset; d < 1650*time.Millisecond || d > 1680*time.Millisecond {
		t.Errorf("turns again after %v", d)
	}
}

// leds.c, 93 to 98 clear the colours, and spi_comm.c, 33 sleeps 50 ms before the radio module hears it.
func TestColoursGoDarkAfterAReset(t *testing.T) {
	g := newRig(fresh)
	g.cmd[6] = 80
	g.send(0, 0)
	g.wait(time.Second)
	g.Restart()
	g.wait(1049 * time.Millisecond)
	if g.LEDs().RGB[0][0] != 80 {
		t.Error("dark before the radio module can know")
	}
	g.wait(2 * time.Millisecond)
	if g.LEDs().RGB != [4][3]uint8{} {
		t.Errorf("colours %v", g.LEDs().RGB)
	}
	g.send(0, 0)
	g.wait(time.Millisecond)
	if g.LEDs().RGB[0][0] != 80 {
		t.Error("the next packet's colours do not show")
	}
}

// gumstix.c, 117: an address probe copies the buffer as it is, which repeats the last command; before the first write
// 20 zeros, whose checksum is right.
func TestAProbeRepeatsTheLastCommand(t *testing.T) {
	g := newRig()
	if n := g.raw(nil); n != 0 || g.reply[40] != 10 {
		t.Errorf("a first probe took %d bytes and made the reply % x", n, g.reply)
	}
	g.send(0, 0)
	g.one(18, 4, 1234, 1234) // set the counters: what a probe does to them shows
	g.one(18, 4, 0, 0)
	g.one(18, 4, 77, -77)
	g.send(0, 0)
	g.one(18, 4, 5, 6)
	g.raw(nil)
	if l, r := g.steps(); l != 5 || r != 6 {
		t.Errorf("counters %d, %d after a probe", l, r)
	}
	g.one(4, 2, 0, 0)
	g.wait(16 * time.Second)
	if g.Melody() != 0 {
		t.Fatal("the melody continues")
	}
	if g.raw(nil); g.Melody() != 2 {
		t.Error("a probe does not play the melody again")
	}
}

// gumstix.c, 50: the buffer is 20 bytes, and the rest of a longer write is acknowledged and lost.
func TestLongWrite(t *testing.T) {
	g := newRig()
	g.send(0, 0)
	long := append(g.cmd[:], 1, 2, 3, 4, 5)
	long[0], long[1] = 0xF4, 0x01
	long[19] = xor(long[:19])
	if n := g.raw(long); n != 25 {
		t.Errorf("%d of 25 bytes acknowledged", n)
	}
	wantSpeeds(t, g, "after a long write", 500, 0)
	g.send(0, 0)
	wantSpeeds(t, g, "after the next command", 0, 0)
}

// i2c_ms_lld.c, 1074: the slave driver repeats the last byte of a reply that is read too far, the checksum. York's
// firmware has the same driver.
func TestReadPastTheEnd(t *testing.T) {
	g := newRig()
	g.send(0, 0)
	long := make([]byte, 50)
	g.Transmit(long)
	if !bytes.Equal(long[:47], g.reply[:]) || !bytes.Equal(long[47:], bytes.Repeat(g.reply[46:], 3)) {
		t.Errorf("read % x", long)
	}
	short := make([]byte, 5)
	g.Transmit(short)
	if !bytes.Equal(short, g.reply[:5]) {
		t.Errorf("read % x", short)
	}
}

// gumstix.c, 186: the slave's time-out is 100 ms. A write that was given up is a short one at the next start or stop,
// and its bytes are in the buffer.
func TestAWriteThatIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		ended bool
		pause time.Duration
		obeys bool // the command that follows
	}{
		{"a stop", true, 20 * time.Millisecond, true},
		{"the next start", false, 20 * time.Millisecond, true},
		{"too late", false, 100 * time.Millisecond, false},
	} {
		g := newRig()
		g.send(500, 500)
		g.cmd[5] = 0x0F // the given up bytes 0 to 5 do not fit the old checksum
		g.Cut(g.cmd[:6], c.ended)
		g.wait(c.pause)
		g.send(300, 300)
		want := 500.0
		if c.obeys {
			want = 301.2
		}
		wantSpeeds(t, g, c.name, want, want)
	}
	g := newRig()
	g.send(500, 500)
	g.Cut(nil, false) // address only: the last command again
	g.Transmit(g.reply[:])
	wantSpeeds(t, g, "cut after its address", 500, 500)
	// 500 is 0x01F4; two equal changes cancel in the checksum.
	g.Cut([]byte{0xE4, 0x01, 0xE4}, false)
	wantSpeeds(t, g, "not yet ended", 500, 500)
	g = newRig()
	g.send(500, 500)
	g.Cut([]byte{0xE4, 0x01, 0xE4}, false)
	g.wait(20 * time.Millisecond)
	g.Transmit(g.reply[:]) // the start of a read ends it, too
	g.wait(20 * time.Millisecond)
	wantSpeeds(t, g, "cut in the middle, with a checksum that fits", 485.4, 485.4)
}

// spi_comm.c, 118 waits busily for 0.35 to 0.5 ms and keeps the command thread away; 0 to 0.85 ms were measured, 0.40
// on average. The reply does not wait.
func TestLatency(t *testing.T) {
	var sum, longest time.Duration
	const n = 500
	g := newRig(fresh)
	for i := range n {
		g.cmd[5] = byte(i % 2)
		g.send(0, 0)
		start := g.now
		for g.LEDs().Red[0] != (i%2 == 1) {
			g.wait(10 * time.Microsecond)
		}
		sum += g.now - start
		longest = max(longest, g.now-start)
		g.wait(20 * time.Millisecond)
	}
	if mean := sum / n; mean < 350*time.Microsecond || mean > 480*time.Microsecond || longest > 860*time.Microsecond {
		t.Errorf("latency %v on average, %v at most", mean, longest)
	}
}

// A message takes longer on the bus than a command waits for its thread, also on a bus without simulated time: the
// receipts after a command to calibrate come when the thread has taken it.
func TestCommandsAtOneTimeAreAllObeyed(t *testing.T) {
	g := newRig(fresh)
	g.one(18, 1, 0, 0)
	g.one(18, 0, 0, 0)
	if !g.Calibrating() {
		t.Error("the second command has replaced the first")
	}
}

// proximity.c, 334 sleeps 20 ms in ticks of one, so that the first sleep is up to 1 ms shorter.
func TestCalibrationEndsWithATick(t *testing.T) {
	for _, late := range []time.Duration{0, 300 * time.Microsecond, 990 * time.Microsecond} {
		g := newRig()
		g.wait(late)
		g.one(18, 1, 0, 0)
		start := g.now
		for g.Calibrating() {
			g.wait(10 * time.Microsecond)
		}
		if d := g.now - start; d != 1020*time.Millisecond-late {
			t.Errorf("begun %v after a tick it took %v", late, d)
		}
	}
}

// proximity.c, 192 and 351: the difference has no lower bound, and a negative offset makes values above 4095.
func TestNegativeOffset(t *testing.T) {
	g := newRig()
	g.view.delta = [8]int16{-3, 0, -5}
	g.one(18, 1, 0, 0)
	if g.word(0) != 0 {
		t.Errorf("a negative difference is sent as %d", g.word(0))
	}
	g.wait(1100 * time.Millisecond)
	g.view.delta = [8]int16{4095, 100, -5}
	g.wait(20 * time.Millisecond)
	g.send(0, 0)
	for i, want := range []int{4098, 100, 0} {
		if got := g.word(2 * i); got != want {
			t.Errorf("sensor %d: %d, want %d", i, got, want)
		}
	}
}

// ir_remote.c, 257 to 316: no sleep after a code that comes after a pause; a code during the sleep is lost to the
// motors.
func TestRemoteCodesInARow(t *testing.T) {
	g := newRig()
	g.wait(time.Second)
	for i, code := range []uint8{2, 8, 2} {
		if i > 0 {
			g.wait(60 * time.Millisecond)
		}
		g.Remote(code)
	}
	g.wait(300 * time.Millisecond)
	if l, r := g.Speed(); l > -602 || r > -602 {
		t.Errorf("codes 2, 8, 2 end with %v, %v steps/s, want backwards", l, r)
	}
	g.Remote(5)
	g.wait(20 * time.Millisecond)
	if l, _ := g.Speed(); l != 0 {
		t.Errorf("speed %v: a code after the sleep has no effect", l)
	}
}

// ir_remote.c, 226 to 228: an extended code is none of those that move the robot.
func TestExtendedCodesMoveNothing(t *testing.T) {
	g := newRig()
	g.Remote(64 + 2)
	if g.send(0, 0); g.reply[45] != 0x82 {
		t.Errorf("byte 45 is %#x", g.reply[45])
	}
	wantSpeeds(t, g, "extended code 66", 0, 0)
}

// main.c, 103 to 374: the programs of some positions look at the selector again, those of others never.
func TestTurnedToTenLater(t *testing.T) {
	const never = 0
	looks := map[uint8]time.Duration{
		2: 100 * time.Millisecond, 5: 100 * time.Millisecond, 6: 10 * time.Millisecond, 11: 10 * time.Millisecond,
		12: 50 * time.Millisecond, 13: 50 * time.Millisecond, 15: 500 * time.Millisecond,
	}
	for sel := range uint8(16) {
		if sel == 10 {
			continue
		}
		g := newRig(func(cfg *vmcu.Config) { cfg.Selector = sel })
		g.wait(3 * time.Second)
		g.SetSelector(10)
		start := g.now
		for !g.Ready() && g.now < start+2*time.Second {
			g.wait(time.Millisecond)
		}
		took, want := g.now-start, looks[sel]
		if g.Ready() != (want != never) || want != never && took > want {
			t.Errorf("started at %d and turned to 10: answers %v after %v", sel, g.Ready(), took)
		}
		if g.Ready() {
			g.SetSelector(3)
			if g.wait(time.Second); !g.Ready() {
				t.Error("a slave looks at the selector")
			}
		}
	}
	g := newRig(func(cfg *vmcu.Config) { cfg.Selector = 2 })
	g.SetSelector(3) // on the way: the program of 3 never comes back
	g.wait(200 * time.Millisecond)
	g.SetSelector(10)
	if g.wait(3 * time.Second); g.Ready() {
		t.Error("came back from position 3")
	}
}

// microphone.c, 85 to 88: the values are differences of 16-bit numbers and reach 65,535.
func TestMicrophonesReachTheirEnd(t *testing.T) {
	g := newRig(func(cfg *vmcu.Config) { cfg.Noise = noise.New(3) })
	g.SetSound(32767)
	g.wait(time.Second)
	top := 0.0
	for range 50 {
		g.wait(20 * time.Millisecond)
		g.send(0, 0)
		for _, v := range volumes(g) {
			top = max(top, v)
		}
	}
	if top != 65535 {
		t.Errorf("the loudest value is %v", top)
	}
}

// Nothing is measured yet within 10 ms of the start: all ambient values are 0.
func TestFirstReplyHasNoLight(t *testing.T) {
	g := newRig(fresh)
	if g.send(0, 0); g.word(16) != 0 {
		t.Errorf("ambient %d at the start", g.word(16))
	}
	g.wait(10 * time.Millisecond)
	if g.send(0, 0); g.word(16) != 4001 {
		t.Errorf("ambient %d 10 ms later", g.word(16))
	}
}
