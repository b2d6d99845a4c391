// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// simulated are the folders whose packages run in a simulation: the world, its robots and the drivers on them. In them
// time comes from an injected clock and random numbers from the simulation's seed.
var simulated = []string{"driver", "i2c", "odometry", "sim", "fleet"}

// machineTime are the functions of package time that read the machine's clock or wait on it.
var machineTime = []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}

// generators are the packages of random numbers that no seed of the simulation determines.
var generators = []string{"crypto/rand", "hash/maphash", "math/rand", "math/rand/v2"}

// machineClockUses are the files that use the machine's clock all the same, how often, and why it has no part in what
// happens in the simulation.
var machineClockUses = map[string]struct {
	n   int
	why string
}{
	"i2c/i2cfake/faulty.go":           {1, "a generator with a seed, for tests"},
	"i2c/mcu/dev.go":                  {1, aDefault},
	"i2c/meter.go":                    {1, aDefault},
	"sim/cuse/adapter.go":             {2, "measures transfers of other processes"},
	"sim/groundtruth/watcher.go":      {2, "observes a run from outside, for a file"},
	"sim/options.go":                  {1, aDefault},
	"cosim/traci/client.go":           {2, aConnection},
	"cosim/traci/server.go":           {2, aStatus},
	"cosim/traci/turns.go":            {3, aConnection},
	"sim/vcamera/device.go":           {2, aDefault},
	"cosim/webots/server.go":          {2, aStatus},
	"cosim/webots/session.go":         {6, aConnection},
	"cosim/webots/turns.go":           {4, aConnection},
	"cosim/wifi/radio.go":             {3, "what is on the air between the robot's radio and another process"},
	"fleet/simclock/clock.go":         {8, "the real-time pacer: when a step is computed, not what happens in it"},
	"fleet/simclock/events.go":        {2, aStatus},
	"fleet/simclock/paced.go":         {3, "the real-time pacer of other time sources"},
	"fleet/simclock/topic.go":         {3, "how often a time that stands still is published again"},
	"fleet/groundtruth/live.go":       {1, aView},
	"sim/armcost/machine/calls.go":    {6, aCost},
	"sim/armcost/machine/program.go":  {2, aCost},
	"sim/armcost/machine/schedule.go": {2, aCost},
	"sim/armcost/run.go":              {5, aCost},
	"fleet/clockpublisher.go":         {3, "the real-time factor that is reached, for people"},
}

const (
	aDefault    = "the default of a clock that a simulation injects"
	aConnection = "limits how long a connection may stall"
	aView       = "how often viewers are sent the world"
	aCost       = "runs programs of this machine, and limits how long they may take"
	aStatus     = "how long time has been paused, for people"
)

// TestSimulatedRunsUseNeitherMachineClockNorUnseededGenerators: two runs of the same world and seed are the same, at
// any real-time factor and on a busy machine, as nothing in them depends on the machine's time or on chance.
func TestSimulatedRunsUseNeitherMachineClockNorUnseededGenerators(t *testing.T) {
	found := map[string][]string{}
	for _, s := range sources(t) {
		if s.Test || !slices.Contains(simulated, strings.SplitN(s.Path, "/", 2)[0]) {
			continue
		}
		if uses := machineUses(s); len(uses) > 0 {
			found[s.Path] = append(found[s.Path], uses...)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if n := machineClockUses[path].n; len(found[path]) > n {
			t.Errorf("%s: %d uses of the machine's clock or of a generator without a seed, %d are allowed: %v",
				path, len(found[path]), n, found[path])
		}
	}
}

// machineUses returns the uses of the machine's clock and the imports of generators in a file.
func machineUses(s Source) (all []string) {
	clock := "" // the name of package time
	for _, i := range s.AST.Imports {
		switch path := strings.Trim(i.Path.Value, `"`); {
		case path == "time" && i.Name != nil:
			clock = i.Name.Name
		case path == "time":
			clock = "time"
		case slices.Contains(generators, path):
			all = append(all, fmt.Sprintf("%d: import %s", s.Fset.Position(i.Pos()).Line, path))
		}
	}
	ast.Inspect(s.AST, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(machineTime, sel.Sel.Name) {
			if x, ok := sel.X.(*ast.Ident); ok && clock != "" && x.Name == clock {
				all = append(all, fmt.Sprintf("%d: time.%s", s.Fset.Position(n.Pos()).Line, sel.Sel.Name))
			}
		}
		return true
	})
	return all
}
