// SPDX-License-Identifier: Apache-2.0

package firmware_test

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

func TestNoBootTime(t *testing.T) {
	g := newRig(t, "plane", sim.Options{BootTime: -1})
	g.robot.Restart()
	g.exchange(0, 0)
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
