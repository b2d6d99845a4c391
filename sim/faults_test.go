// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// What each fault does to a command that starts the motors: does the master
// see an error, does the command act, does the next one.
func TestFaultsSeenThroughTheBus(t *testing.T) {
	for _, c := range []struct {
		fault       vbus.Fault
		err         error
		checksum    bool // of the reply
		first, next bool // command obeyed
	}{
		{vbus.Fault{}, nil, true, true, true},
		{vbus.Fault{Kind: vbus.NAK}, system.EREMOTEIO, false, false, true},
		// Only errors of the bus itself cost the next command: what is given up is a short write.
		{vbus.Fault{Kind: vbus.DataNAK, Byte: 7}, system.EREMOTEIO, false, false, true},
		{vbus.Fault{Kind: vbus.Timeout, Byte: 7}, syscall.ETIMEDOUT, false, false, true},
		{vbus.Fault{Kind: vbus.ReadNAK}, system.EREMOTEIO, false, true, true},
		{vbus.Fault{Kind: vbus.ReadTimeout}, syscall.ETIMEDOUT, false, true, true},
		{vbus.Fault{Kind: vbus.Glitch, Byte: 7}, system.EREMOTEIO, false, false, false},
		{vbus.Fault{Kind: vbus.CorruptWrite, Byte: 3, Mask: 0x40}, nil, true, false, true},
		{vbus.Fault{Kind: vbus.CorruptRead, Byte: 30, Mask: 0x08}, nil, false, true, true},
		{vbus.Fault{Kind: vbus.Restart}, system.EREMOTEIO, false, false, false},
		{vbus.Fault{Kind: vbus.Stuck}, syscall.ETIMEDOUT, false, false, true},
	} {
		g := newRig(t, "plane", sim.Options{})
		if err := g.robot.Faults().Next(c.fault); err != nil {
			t.Fatal(err)
		}
		err := g.tryExchange(500, 400)
		if !errors.Is(err, c.err) {
			t.Errorf("%v: error %v, want %v", c.fault.Kind, err, c.err)
		}
		if good := xor(g.reply[:46]) == g.reply[46] && g.reply[40] == 10; err == nil && good != c.checksum {
			t.Errorf("%v: reply good: %v, want %v", c.fault.Kind, good, c.checksum)
		}
		g.clock.Sleep(20 * time.Millisecond)
		if moves := g.robot.GroundTruth().LeftSpeed > 3; moves != c.first {
			t.Errorf("%v: the command acts: %v, want %v", c.fault.Kind, moves, c.first)
		}
		_ = g.tryExchange(250, 250)
		g.clock.Sleep(20 * time.Millisecond)
		if obeyed := g.robot.GroundTruth().LeftSpeed > 1 && g.robot.GroundTruth().LeftSpeed < 2; obeyed != c.next {
			t.Errorf("%v: the next command acts: %v, want %v", c.fault.Kind, obeyed, c.next)
		}
	}
}

// A processor that restarts does not answer for a while, then is as new.
func TestRestartSeenThroughTheBus(t *testing.T) {
	g := newRig(t, "plane", sim.Options{BootTime: 200 * time.Millisecond})
	g.drive(500, 500, time.Second)
	g.robot.Restart()
	failed := 0
	for g.tryExchange(0, 0) != nil {
		failed++
		g.clock.Sleep(50 * time.Millisecond)
	}
	if failed != 4 {
		t.Errorf("%d exchanges failed, want 4 in 200 ms", failed)
	}
	if g.word(41) != 0 {
		t.Errorf("counter %d after the restart", g.word(41))
	}
	g.clock.Sleep(vmcu.FirstPeriod)
	x := g.robot.Pose().X
	near(t, "x", x, 500*0.0001256637, 0.001)
	g.drive(500, 500, time.Second)
	if g.robot.Pose().X < x+0.05 {
		t.Error("does not drive after the restart")
	}
}

// Without an option robots have just been switched on: after a reset the
// processor does not answer for 1.004 s, and the first command acts late.
func TestSwitchedOnThisMoment(t *testing.T) {
	clock := sim.NewClock()
	w, err := sim.LoadWorld("plane")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: clock.Now, Sleep: clock.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, clock: clock, sim: s, robot: sim.RobotsOf[*sim.Firmware](s)[0]}
	g.drive(500, 500, 600*time.Millisecond)
	if x := g.robot.Pose().X; x != 0 {
		t.Errorf("moved %v m within the first period of its timers", x)
	}
	g.drive(500, 500, 100*time.Millisecond)
	if g.robot.Pose().X == 0 {
		t.Error("is stopped after it")
	}
	g.robot.Restart()
	start := clock.Now()
	for g.tryExchange(0, 0) != nil {
		clock.Sleep(time.Millisecond)
	}
	if d := clock.Now().Sub(start); d < 1004*time.Millisecond || d > 1015*time.Millisecond {
		t.Errorf("answers after %v", d)
	}
}

func TestNoBootTime(t *testing.T) {
	g := newRig(t, "plane", sim.Options{BootTime: -1})
	g.robot.Restart()
	g.exchange(0, 0)
}

// The bus hangs for the time-out, and the robot drives on meanwhile.
func TestTimeoutTakesTime(t *testing.T) {
	g := newRig(t, "plane", sim.Options{BusTimeout: 35 * time.Millisecond})
	g.drive(1000, 1000, time.Second)
	_ = g.robot.Faults().Hold(vbus.Fault{Kind: vbus.Stuck})
	start, x := g.clock.Now(), g.robot.Pose().X
	for range 10 {
		if err := g.tryExchange(0, 0); !errors.Is(err, syscall.ETIMEDOUT) {
			t.Fatal(err)
		}
	}
	if d := g.clock.Now().Sub(start); d != 350*time.Millisecond {
		t.Errorf("ten hangs took %v", d)
	}
	near(t, "way driven meanwhile", g.robot.Pose().X-x, 0.35*0.12566, 0.001)
}

func TestFirmwaresSeenThroughTheBus(t *testing.T) {
	for firmware, answers := range map[string]bool{"extension": true, "standard": false, "york": true} {
		g := newRig(t, "robots: [{name: r, firmware: "+firmware+"}]", sim.Options{})
		if err := g.tryExchange(0, 0); (err == nil) != answers {
			t.Errorf("%s firmware: %v", firmware, err)
		}
	}
	g := newRig(t, "robots: [{name: r, selector: 3}]", sim.Options{})
	if err := g.tryExchange(0, 0); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("selector 3: %v, want EREMOTEIO", err)
	}
	if err := g.robot.TurnSelector(10); err != nil {
		t.Fatal(err)
	}
	g.robot.Restart()
	g.clock.Sleep(vmcu.BootTime)
	g.exchange(0, 0)
}

func TestOtherAddressesAreEmpty(t *testing.T) {
	g := newRig(t, "robots: [{name: r, imu: none, camera: none, without: [tof, ground, leds, battery]}]", sim.Options{})
	for addr := range uint16(0x80) {
		err := g.robot.Bus().Tx(addr, nil, nil)
		if want := addr == 0x1F; (err == nil) != want {
			t.Errorf("address %#x: %v", addr, err)
		}
	}
}
