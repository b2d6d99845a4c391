// SPDX-License-Identifier: Apache-2.0

//go:build system

package simulate

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// lateBus is the bus of a robot on a machine that is busy: one of lateEvery transfers is late. It notes the world's age
// at each exchange with the main processor, of which a control cycle makes one.
type lateBus struct {
	i2c.Bus
	world *sim.Simulation

	mu    sync.Mutex
	count int
	ages  []time.Duration
}

const (
	lateEvery     = 97
	mainProcessor = 0x1F // address
)

func (b *lateBus) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	b.count++
	late := b.count%lateEvery == 0
	if addr == mainProcessor {
		b.ages = append(b.ages, b.world.Elapsed())
	}
	b.mu.Unlock()
	if late {
		time.Sleep(120 * time.Millisecond)
	}
	return b.Bus.Tx(addr, w, r)
}

// TestRobotAloneMakesAllItsCycles: the one robot of a simulation makes exactly 20 control cycles a second, each at its
// time, on a machine that is too slow for it. TestRobotAloneMakesAllItsCyclesOnARM runs it as in the program for ARMv6.
func TestRobotAloneMakesAllItsCycles(t *testing.T) {
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%200+1))
	var o simOptions
	f := pflag.NewFlagSet("sim", pflag.ContinueOnError)
	o.flags(f)
	if err := f.Parse([]string{"--world", "empty", "--for", "3s", "--web=off"}); err != nil {
		t.Fatal(err)
	}
	world, err := sim.LoadWorld(o.world)
	if err != nil {
		t.Fatal(err)
	}
	passing, err := newAloneTime(world, o.seed, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	bus := &lateBus{world: passing.world}
	var stdout, stderr bytes.Buffer
	sv := o.service(world, passing.world, passing, frame.Streams{Out: &stdout, Err: &stderr})
	open := sv.Open
	sv.Open = func(n *ros2.Node, log *slog.Logger) (hardware.Parts, error) {
		parts, err := open(n, log)
		bus.Bus, parts.Bus = parts.Bus, bus
		return parts, err
	}
	if err := sv.Run(t.Context(), frame.Streams{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatal(err)
	}
	for i := range 60 { // what follows stops the wheels
		if want := time.Duration(10+50*i) * time.Millisecond; len(bus.ages) < 60 || bus.ages[i] != want {
			t.Fatalf("cycle %d is not at the age %v: %v", i, want, bus.ages)
		}
	}
	for line := range strings.Lines(stderr.String()) {
		// QEMU has no multicast on the loopback interface.
		if !strings.Contains(line, "no discovery by multicast") && (strings.Contains(line, "WARN") || strings.Contains(line, "ERROR")) {
			t.Errorf("the log says: %s", line)
		}
	}
}
