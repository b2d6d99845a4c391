// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package simulate

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// slowBus is a bus of which the machine takes its user's time now and then, as a busy machine does: before one of so
// many transactions.
type slowBus struct {
	i2c.Bus
	count *atomic.Int64
	every int64
}

func (b slowBus) Tx(addr uint16, w, r []byte) error {
	if b.count.Add(1)%b.every == 0 {
		time.Sleep(120 * time.Millisecond)
	}
	return b.Bus.Tx(addr, w, r)
}

// observed is what the drivers of a run did.
type observed struct {
	mu          sync.Mutex
	cycles      map[string]int
	diagnostics int
	wrong       []string // statuses that are not OK
}

// watch counts a driver's control cycles and listens to its diagnostics.
func (o *observed) watch(r *sim.Firmware, n *ros2.Node, cfg *driver.Config) error {
	cfg.OnCycle = func(answered bool) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if answered {
			o.cycles[r.Name()]++
		}
	}
	_, err := ros2.NewSubscription(n, "/diagnostics", ros2.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros2.MessageInfo) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.diagnostics++
		for _, s := range m.Status {
			// The simulation itself is late, and says so.
			if s.Level != diagnostic_msgs.DiagnosticStatusOK && !strings.HasPrefix(s.Name, "simulation") {
				o.wrong = append(o.wrong, fmt.Sprintf("%s: level %d: %s", s.Name, s.Level, s.Message))
			}
		}
	})
	return err
}

// TestBusyMachineMakesTheSimulationLate: on a machine that has no time for the drivers of 10 and 32 robots, be it now
// and then or almost always, each driver makes exactly its 20 control cycles a simulated second, no part is lost and no
// diagnostic complains; only the simulation is late.
func TestBusyMachineMakesTheSimulationLate(t *testing.T) {
	for name, c := range map[string]struct {
		robots int
		every  int64 // transactions from one that is late to the next; 0: none is
		load   int   // goroutines that take all the time of the one processor there is
		long   bool
	}{
		"10 robots, late transactions":  {robots: 10, every: 97},
		"10 robots, a loaded processor": {robots: 10, load: 4},
		"32 robots, late transactions":  {robots: 32, every: 97, long: true},
		"32 robots, a loaded processor": {robots: 32, load: 4, long: true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.long && !suite.Long {
				t.Skip("10 robots are enough for a short run")
			}
			t.Setenv("ROS_LOCALHOST_ONLY", "1")
			t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(os.Getpid()%200+1))
			seen := &observed{cycles: map[string]int{}}
			o := simOptions{}
			o.open = func(r *sim.Firmware, n *ros2.Node) (driver.Config, func() error, error) {
				cfg, done, err := new(simOptions).hardware(nil, nil)(r, n)
				if err != nil {
					return cfg, done, err
				}
				if c.every > 0 {
					robot := cfg.Hardware.(*chips.Robot)
					robot.Bus = slowBus{robot.Bus, new(atomic.Int64), c.every}
				}
				return cfg, done, seen.watch(r, n, &cfg)
			}
			defer load(c.load)()
			out := simulate(t, &o, "--world", "empty", "--robots", fmt.Sprint(c.robots), "--for", "1s", "--web=off")
			if len(seen.cycles) != c.robots {
				t.Errorf("%d drivers made cycles, want %d", len(seen.cycles), c.robots)
			}
			for robot, n := range seen.cycles {
				if n != 20 {
					t.Errorf("%s: %d control cycles in 1 s, want 20", robot, n)
				}
			}
			if len(seen.wrong) > 0 || seen.diagnostics == 0 {
				t.Errorf("%d diagnostics, wrong %q", seen.diagnostics, seen.wrong)
			}
			if c.every > 0 && !strings.Contains(out, "of simulated time were late") {
				t.Errorf("it does not say that it was late:\n%s", out)
			}
		})
	}
}

// simulate runs sim with these arguments; anything worse than information in its log fails the test.
func simulate(t *testing.T, o *simOptions, args ...string) (out string) {
	t.Helper()
	f := pflag.NewFlagSet("sim", pflag.ContinueOnError)
	o.flags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if err := o.run(t.Context(), frame.Streams{Out: &stdout, Err: &stderr}); err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "WARN") || strings.Contains(line, "ERROR") {
			t.Errorf("the log says: %s", line)
		}
	}
	return stdout.String()
}

// load leaves one processor and lets so many goroutines use all of it, until end is called.
func load(n int) (end func()) {
	if n == 0 {
		return func() {}
	}
	before := runtime.GOMAXPROCS(1)
	var over atomic.Bool
	var group task.Group
	for range n {
		group.Go("load of the processor", func() {
			for x := uint32(1); !over.Load(); x = x*1664525 + 1013904223 {
			}
		})
	}
	return func() {
		over.Store(true)
		group.Wait()
		runtime.GOMAXPROCS(before)
	}
}
