// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// trapBus panics in the next transfer when it is armed.
type trapBus struct {
	pi2c.Bus
	armed atomic.Int32 // how many transfers panic
}

func (b *trapBus) Tx(addr uint16, w, r []byte) error {
	if b.armed.Load() > 0 {
		b.armed.Add(-1)
		panic("the trap has sprung")
	}
	return b.Bus.Tx(addr, w, r)
}

func (b *trapBus) SetSpeed(f physic.Frequency) error { return b.Bus.SetSpeed(f) }

// After each way a driver can end, the wheels of the simulated robot are stopped. The robot itself keeps the last
// speed, which the original driver did not handle.
func TestOldDriverDefectWheelsStop(t *testing.T) {
	lost := errors.New("the network is gone")
	for _, c := range []struct {
		name string
		end  func(r *rig, trap *trapBus) error
		want error
	}{
		{"context ends", func(r *rig, _ *trapBus) error { return r.end() }, nil},
		{"Close", func(r *rig, _ *trapBus) error {
			err := r.driver.Close()
			return errors.Join(err, <-r.ended)
		}, nil},
		{"transport lost", func(r *rig, _ *trapBus) error {
			r.transport.Break(lost)
			return <-r.ended
		}, errTransport},
		{"panic", func(r *rig, trap *trapBus) error {
			trap.armed.Store(1)
			return <-r.ended
		}, errPanic},
		{"panic, and the first attempts to stop panic too", func(r *rig, trap *trapBus) error {
			trap.armed.Store(4)
			return <-r.ended
		}, errPanic},
		{"context ends while the bus fails", func(r *rig, _ *trapBus) error {
			r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
			go func() {
				time.Sleep(300 * time.Millisecond)
				r.must(r.robot.Faults().Hold(vbus.Fault{}))
			}()
			return r.end()
		}, nil},
		{"context ends on a bus that loses every third packet", func(r *rig, _ *trapBus) error {
			r.must(r.robot.Faults().SetRates(vbus.Rates{NAK: 0.1, CorruptWrite: 0.1, CorruptRead: 0.1}))
			return r.end()
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				trap := &trapBus{}
				r := newRig(t, rigOptions{bus: func(b pi2c.Bus) pi2c.Bus { trap.Bus = b; return trap }})
				r.drive(0.1, 1, time.Second)
				if truth := r.robot.GroundTruth(); truth.RightSpeed < 1 {
					t.Fatalf("the robot does not drive: %v rad/s", truth.RightSpeed)
				}
				began := time.Now()
				err := c.end(r, trap)
				if took := time.Since(began); took > time.Second {
					t.Errorf("the end took %v", took)
				}
				if !errors.Is(err, c.want) || c.want == nil && err != nil {
					t.Errorf("error %v, want %v", err, c.want)
				}
				if errors.Is(err, ErrNotStopped) {
					t.Errorf("the wheels are stopped, but the driver doesn't know: %v", err)
				}
				r.wantAtRest()
			})
		})
	}
}

func TestEndWithoutBusReturnsErrNotStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		r.drive(0.1, 0, time.Second)
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		began := time.Now()
		if err := r.end(); !errors.Is(err, ErrNotStopped) {
			t.Errorf("error %v, want %v", err, ErrNotStopped)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it tried for %v", took)
		}
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
	})
}

func TestTimeoutStopsTheWheels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p cmd_vel_timeout:=0.33 -p rate:=1.0"})
		time.Sleep(1200 * time.Millisecond) // between two cycles
		r.command(0.1, 0)
		time.Sleep(320 * time.Millisecond)
		if truth := r.robot.GroundTruth(); truth.LeftSpeed < 4 {
			t.Errorf("the wheels turn at %v rad/s before the time is over", truth.LeftSpeed)
		}
		time.Sleep(20 * time.Millisecond) // the next cycle is far, the time-out is not
		r.wantAtRest()
		if n := r.log.count("no cmd_vel"); n != 1 {
			t.Errorf("%d log lines about it", n)
		}
	})
}

func TestTimeoutOfZeroKeepsTheCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p cmd_vel_timeout:=0.0"})
		r.command(0.1, 0)
		time.Sleep(time.Minute)
		if truth := r.robot.GroundTruth(); truth.LeftSpeed < 4 {
			t.Errorf("the wheels turn at %v rad/s", truth.LeftSpeed)
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamTimeout, Value: ros2.DoubleValue(0.5)}))
		time.Sleep(100 * time.Millisecond)
		r.wantAtRest() // the change holds for the command in force
	})
}

func TestLifecycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		synctest.Wait()
		if err := r.driver.Run(t.Context()); !errors.Is(err, mailbox.ErrRunning) {
			t.Errorf("a second Run gives %v", err)
		}
		if err := r.driver.Step(); !errors.Is(err, mailbox.ErrRunning) {
			t.Errorf("Step while running gives %v", err)
		}
		r.must(r.end())
		if err := r.driver.Run(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("Run after Run gives %v", err)
		}
		r.must(r.driver.Close())
		r.must(r.driver.Close())
		if err := r.driver.Step(); !errors.Is(err, errClosed) {
			t.Errorf("Step after Close gives %v", err)
		}
		for _, e := range r.node.Graph().EndpointsOf(r.node.Name()) {
			t.Errorf("%v of %s is left", e.Kind, e.Topic)
		}
	})
}

func TestCloseWithoutRunStopsARobotThatDrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		r.command(0.1, 0)
		r.must(r.driver.Step())
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Fatal("the robot does not drive")
		}
		r.must(r.driver.Close())
		r.wantAtRest()
	})
}

func TestConfigIsChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{noStart: true})
		robot := &chips.Robot{Bus: r.robot.Bus()}
		for _, cfg := range []Config{{}, {Hardware: robot}, {Node: r.node}, {Hardware: &chips.Robot{}, Node: r.node}, {Hardware: robot, Node: r.node, StopTime: -1}} {
			if _, err := New(cfg); !errors.Is(err, ErrConfig) {
				t.Errorf("%+v gives %v", cfg, err)
			}
		}
	})
}
