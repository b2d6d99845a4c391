// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// leftRunning is a robot whose driver went without a word: wheels turning, all lights on.
func leftRunning(t *testing.T) *sim.Firmware {
	t.Helper()
	r := newRig(t, rigOptions{noStart: true})
	dev, err := mcu.New(r.robot.Bus(), nil)
	r.must(err)
	_, err = dev.Exchange(mcu.Command{Left: 200, Right: 100, LEDs: mcu.LED1 | mcu.LED5, RGB: [4]mcu.RGB{{R: 100}, {G: 50}, {B: 3}, {R: 1}}})
	r.must(err)
	for i, colour := range []byte{7, 2} {
		r.must(r.robot.BoardBus().Tx(pipuck.Addr, []byte{byte(i), colour}, nil))
	}
	if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 || truth.LEDs == (vmcu.LEDs{}) || truth.BoardLEDs == ([3]byte{}) {
		t.Fatalf("the robot does not run: %+v", truth)
	}
	return r.robot
}

func TestStopStopsWheelsAndTurnsLEDsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		robot := leftRunning(t)
		if err := Stop(robot.Bus(), robot.BoardBus(), ros2.SystemClock()); err != nil {
			t.Fatal(err)
		}
		truth := robot.GroundTruth()
		if truth.LeftSpeed != 0 || truth.RightSpeed != 0 {
			t.Errorf("the wheels turn at %v and %v rad/s", truth.LeftSpeed, truth.RightSpeed)
		}
		if truth.LEDs != (vmcu.LEDs{}) || truth.BoardLEDs != ([3]byte{}) {
			t.Errorf("lights are on: %+v %v", truth.LEDs, truth.BoardLEDs)
		}
	})
}

func TestStopReturnsErrNotStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		robot := leftRunning(t)
		if err := robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := Stop(robot.Bus(), nil, ros2.SystemClock()); !errors.Is(err, ErrNotStopped) {
			t.Errorf("a robot that does not answer: %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("gave up after %v", took)
		}
	})
	if err := Stop(nil, nil, nil); !errors.Is(err, ErrConfig) {
		t.Errorf("without a bus: %v", err)
	}
}

// TestStopRetriesOnBusErrors: transfers that fail or arrive corrupted are repeated until the wheels are at rest.
func TestStopRetriesOnBusErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		robot := leftRunning(t)
		faults := []vbus.Fault{{Kind: vbus.NAK}, {Kind: vbus.CorruptWrite, Byte: 2}, {Kind: vbus.CorruptRead, Byte: 9}}
		if err := robot.Faults().Next(faults...); err != nil {
			t.Fatal(err)
		}
		if err := Stop(robot.Bus(), nil, ros2.SystemClock()); err != nil {
			t.Fatal(err)
		}
		if truth := robot.GroundTruth(); truth.LeftSpeed != 0 || truth.RightSpeed != 0 {
			t.Errorf("the wheels turn at %v and %v rad/s", truth.LeftSpeed, truth.RightSpeed)
		}
	})
}
