// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// asTheTable is the maximum deviation of a counted share of the core from that of the cost table.
const asTheTable = 0.10

// episode is a sequence of control cycles, and an operation between them, so many times a cycle.
type episode struct {
	name, benchmark string
	times           int
	cycle           string  // row of the cost table
	happens         string  // another, of the operation and the idle cycle after it
	often           float64 // times a cycle
	ends            float64 // of exchanges between the robot and a user that are counted: 1, or both
}

// The names of the episodes.
const (
	idleRobot        = "idle"
	allTopics        = "all topics"
	cameraOn         = "camera, 15 pictures a second"
	twentyParameters = "twenty parameters a second"
	storm            = "discovery storm, 4 participants a second"
)

func episodes() []episode {
	const nothing, happening = driverPackage + " CostCycle/nothing", driverPackage + " CostHappening/"
	return []episode{
		{idleRobot, "BenchmarkCostCycle/nothing", 200, nothing, "", 0, 1},
		{allTopics, "BenchmarkCostCycle/everything", 200, driverPackage + " CostCycle/everything", "", 0, 1},
		{cameraOn, "BenchmarkCostScenario/picture", 120, nothing, happening + "picture", 0.75, 1},
		{twentyParameters, "BenchmarkCostScenario/parameter", 60, nothing, happening + "parameter", 1, 2},
		{storm, "BenchmarkCostScenario/participant", 60, nothing, happening + "participant", 0.2, 2},
	}
}

// TestTableSaysWhatEpisodesCost: for five episodes the cost by the table is within 10 % of the counted share of the
// core. It has three tries: the number of wake-ups depends on the load of this machine.
func TestTableSaysWhatEpisodesCost(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles the program for the robot and counts it")
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]float64{} // likely cycles
	for _, r := range readCosts(t).Rows {
		rows[r.Operation] = r.Cycles.Likely
	}
	c := tools{dir: t.TempDir()}
	if c.plugin, err = armcost.BuildPlugin(t.Context(), c.dir); err != nil {
		t.Fatal(err)
	}
	if c.robot, err = testProgram(t.Context(), c.dir, driverPackage, true); err != nil {
		t.Fatal(err)
	}
	if c.service, err = serviceUnit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes() {
		said := rows[e.cycle] + e.often*max(0, rows[e.happens]-rows[e.cycle])
		off := math.Inf(1)
		for range 3 {
			n, err := c.leastOf(t.Context(), scenario{name: e.name, benchmark: e.benchmark, times: e.times})
			if err != nil {
				t.Fatal(err)
			}
			counted := p.Of(n).Cycles.Likely
			off = said/counted - 1
			t.Logf("%s: %.2f %% of the core by the table, %.2f %% counted: %+.1f %%", e.name, 100*said*20/1e9, 100*counted*20/1e9, 100*off)
			if math.Abs(off) <= asTheTable {
				break
			}
		}
		if math.Abs(off) > asTheTable {
			t.Errorf("%s: the table is off by %.1f %%", e.name, 100*off)
		}
	}
}

// TestCyclesKeepTheirBudget: the control cycles of the cost table, which TestCostTable counts again, keep their budget
// of the core: 1 % without subscribers, 8 % with every topic sent.
func TestCyclesKeepTheirBudget(t *testing.T) {
	budgets := map[string]float64{driverPackage + " CostCycle/nothing": 0.01, driverPackage + " CostCycle/everything": 0.08}
	for _, r := range readCosts(t).Rows {
		budget, ok := budgets[r.Operation]
		if !ok {
			continue
		}
		delete(budgets, r.Operation)
		if share := r.Cycles.Likely * 20 / 1e9; share > budget {
			t.Errorf("%s: %.2f %% of the core, budget %.0f %%", r.Operation, 100*share, 100*budget)
		}
	}
	if len(budgets) > 0 {
		t.Errorf("not in the table: %v", budgets)
	}
}
