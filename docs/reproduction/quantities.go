// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// cyclesASecond is the driver's default rate of control cycles, Hz.
const cyclesASecond = 20

// quantities compute numbers of rows from the tables and models of this project, without running a program.
var quantities = map[string]func() (float64, error){
	"diameter": func() (float64, error) { return 1000 * 2 * robot.BodyRadius, nil }, // mm
	"mass":     func() (float64, error) { return 1000 * robot.Mass, nil },           // g
	"speed": func() (float64, error) { // m/s
		return float64(robot.MaxSteps) / robot.StepsPerTurn * 2 * math.Pi * robot.WheelRadius, nil
	},

	"khepera4 infrared": func() (float64, error) { return devices("khepera4", description.Infrared, description.Ground) },
	"khepera4 sonar":    func() (float64, error) { return devices("khepera4", description.Sonar) },
	"khepera4 led":      func() (float64, error) { return devices("khepera4", description.LED) },
	"khepera4 camera":   func() (float64, error) { return devices("khepera4", description.Camera) },

	"publish":  func() (float64, error) { return microseconds("cmd/epuck-driver CostPublish/Range") },
	"exchange": func() (float64, error) { return microseconds("cmd/epuck-driver CostExchange/Range") },
	"publish scan": func() (float64, error) {
		return microseconds("cmd/epuck-driver CostPublish/LaserScan")
	},
	"publish picture": func() (float64, error) {
		return microseconds("cmd/epuck-driver CostPublish/CompressedImage")
	},
	"cycle idle": func() (float64, error) { return percent("cmd/epuck-driver CostCycle/nothing") },
	"cycle ratio": func() (float64, error) {
		idle, err := nanoseconds("cmd/epuck-driver CostCycle/nothing")
		if err != nil {
			return 0, err
		}
		all, err := nanoseconds("cmd/epuck-driver CostCycle/everything")
		return all / idle, err
	},
	"cycle all": func() (float64, error) { return percent("cmd/epuck-driver CostCycle/everything") },
}

func quantityNames() []string { return slices.Sorted(maps.Keys(quantities)) }

// devices counts the devices of a robot of the library that are of some kinds.
func devices(model string, kinds ...description.DeviceKind) (n float64, err error) {
	r, err := library.Named(model)
	if err != nil {
		return 0, err
	}
	for _, d := range r.Devices {
		if slices.Contains(kinds, d.Kind) {
			n++
		}
	}
	return n, nil
}

// nanoseconds returns the likely time of an operation of the cost table on the robot's processor, ns.
func nanoseconds(operation string) (float64, error) {
	table, err := tables.Shipped()
	if err != nil {
		return 0, err
	}
	cycles, err := table.Cycles(operation)
	if err != nil {
		return 0, err
	}
	parameters, err := armcost.Literature()
	if err != nil {
		return 0, err
	}
	core := parameters.Parameters["core"]
	if core.Likely <= 0 {
		return 0, fmt.Errorf("%w: a core of %g Hz", errSource, core.Likely)
	}
	return cycles.Likely / core.Likely * 1e9, nil
}

// percent returns the share of the robot's processor that an operation takes in each control cycle, %.
func percent(operation string) (float64, error) {
	ns, err := nanoseconds(operation)
	return ns * 1e-9 * cyclesASecond * 100, err
}

// microseconds is nanoseconds in µs.
func microseconds(operation string) (float64, error) {
	ns, err := nanoseconds(operation)
	return ns / 1000, err
}
