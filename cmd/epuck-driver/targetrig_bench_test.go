// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Marks start and stop the instruction counter of scripts/benchtarget. A mark is a system call that does nothing
// on any system: getpriority of an undefined kind.
const (
	markBegin  = iota // count from zero
	markEnd           // report what was counted since; the second argument comes with it
	markPause         // what the robot's hardware does, not its processor
	markResume        // the driver again
	markMagic  = 0x45500000
)

// targetListenerEnv is set if another process subscribes to everything.
const targetListenerEnv = "EPUCK_TARGET_LISTENER"

// targetViewerEnv is where the page is served, for a viewer in another process who looks at everything.
const targetViewerEnv = "EPUCK_TARGET_VIEWER"

func mark(op, arg int) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_GETPRIORITY, uintptr(markMagic|op), uintptr(arg), 0)
}

// markedBus is a simulated bus whose chips cost the counter nothing. Like a transfer through the kernel it blocks the
// thread once, for as long as the wire takes.
type markedBus struct {
	pi2c.Bus
	wire *wireTime
}

func (b markedBus) Tx(addr uint16, w, r []byte) error {
	mark(markPause, 0)
	err := b.Bus.Tx(addr, w, r)
	mark(markResume, 0)
	b.wire.wait()
	return err
}

func (b markedBus) SetSpeed(f physic.Frequency) error { return b.Bus.SetSpeed(f) }

// wireTime adds up the time that a transfer takes on the wire. Only one goroutine has a bus at a time.
type wireTime struct{ sum atomic.Int64 }

// pass is the sim's Sleep.
func (t *wireTime) pass(d time.Duration) { t.sum.Add(int64(d)) }

func (t *wireTime) wait() {
	ts := syscall.NsecToTimespec(t.sum.Swap(0))
	_ = syscall.Nanosleep(&ts, nil)
}

// targetRobot is a whole robot: the simulated one's buses, the driver, the real transport. A listener in another
// process, if there is one, has the same domain.
type targetRobot struct {
	driver    *driver.Driver
	node      *ros2.Node
	transport *rmw.Transport
	robot     *sim.Firmware
	clock     *ros2.ManualClock // nil in real time
	left      atomic.Int32      // cycles of Run until wait is to be woken
	passed    chan struct{}     // when they have passed
}

func newTargetRobot(b *testing.B, realTime bool) *targetRobot {
	b.Helper()
	transport, err := localTransport()
	if err != nil {
		b.Fatal(err)
	}
	return newTargetRobotOn(b, transport, realTime)
}

// newTargetRobotOn makes one on a transport, which it closes.
func newTargetRobotOn(b *testing.B, transport *rmw.Transport, realTime bool) *targetRobot {
	b.Helper()
	r := &targetRobot{transport: transport, passed: make(chan struct{}, 1)}
	wire := &wireTime{}
	options, nodeConfig := sim.Options{Now: time.Now, Sleep: wire.pass}, ros2.NodeConfig{Name: driver.NodeName, Standard: true}
	if !realTime {
		r.clock = ros2.NewManualClock(time.Unix(1_700_000_000, 0))
		options, nodeConfig.Clock = sim.Options{Now: r.clock.Now}, r.clock
	}
	world, err := sim.LoadWorld("arena")
	if err != nil {
		b.Fatal(err)
	}
	if err := world.Refit(sim.Equipment{Magnetometer: "bmm150"}); err != nil { // so that no part is looked for in vain
		b.Fatal(err)
	}
	simulation, err := sim.New(world, options)
	if err != nil {
		b.Fatal(err)
	}
	r.robot = sim.RobotsOf[*sim.Firmware](simulation)[0]
	hw, err := hardware.Simulated(r.robot, r.robot.Bus(), r.robot.BoardBus())
	if err != nil {
		b.Fatal(err)
	}
	nodeConfig.Transport = r.transport
	if r.node, err = ros2.NewNode(nodeConfig); err != nil {
		b.Fatal(err)
	}
	hw.Bus, hw.Board = markedBus{hw.Bus, wire}, markedBus{hw.Board, wire}
	config := hw.Config(r.node)
	config.Camera = nil // pictures are measured apart, and drawing them would count
	if realTime {
		config.OnCycle = func(bool) { // wakes no goroutine each cycle: that would count
			if r.left.Add(-1) == 0 {
				r.passed <- struct{}{}
			}
		}
	}
	if r.driver, err = driver.New(config); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := errors.Join(r.driver.Close(), r.node.Close(), r.transport.Close()); err != nil {
			b.Error(err)
		}
	})
	if realTime {
		r.start(b)
	}
	return r
}

// start runs the control loop until the benchmark ends.
func (r *targetRobot) start(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.driver.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			b.Error(err)
		}
	})
}

// wait lets control cycles pass: at least one.
func (r *targetRobot) wait(b *testing.B, n int) {
	if r.clock == nil {
		r.left.Store(int32(n))
		<-r.passed
		return
	}
	for range n {
		r.clock.Advance(50 * time.Millisecond)
		if err := r.driver.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

// viewerSteps is for how many cycles a viewer must not have subscribed to more, to have all it wants.
const viewerSteps = 300

// settle returns when every part is there, every topic is subscribed if a listener is awaited, and two seconds more
// have passed.
func (r *targetRobot) settle(b *testing.B) {
	b.Helper()
	listener, viewer := os.Getenv(targetListenerEnv) != "", os.Getenv(targetViewerEnv) != ""
	steady, last := 0, 0
	for deadline := time.Now().Add(10 * time.Minute); time.Now().Before(deadline); { // emulated
		r.wait(b, 1)
		if r.clock != nil {
			time.Sleep(time.Millisecond) // discovery takes real time
		}
		status, missing := r.driver.Status(), 0
		for _, part := range status.Parts {
			if part.State != device.Running {
				missing++
			}
		}
		if steady++; viewer && (status.Subscribed() != last || last == 0) {
			steady, last = 0, status.Subscribed()
		}
		if viewer && steady < viewerSteps { // it leaves some topics out, and subscribes as they appear
			continue
		}
		if missing == 0 && (!listener || status.Subscribed() == len(status.Topics)) {
			r.wait(b, 40)
			return
		}
	}
	status := r.driver.Status()
	b.Fatalf("%d of %d topics subscribed; parts %+v", status.Subscribed(), len(status.Topics), status.Parts)
}
