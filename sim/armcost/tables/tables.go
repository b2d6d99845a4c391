// SPDX-License-Identifier: Apache-2.0

// Package tables has the costs of the driver's operations on the robot's processor, counted once by the model of
// package armcost, for levels of the simulation that do not count instructions. `go run ./scripts/benchtarget
// -costs` counts them again.
package tables

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// ErrTable is returned for a table that is malformed or lacks a row.
var ErrTable = errors.New("tables: bad table of costs")

//go:embed costs.json
var shipped []byte

// Table is what operations cost on the robot.
type Table struct {
	Go   string `json:"go"` // the compiler's version
	Rows []Row  `json:"rows"`
}

// Row is what one turn of an operation costs.
type Row struct {
	Operation    string           `json:"operation"` // package and benchmark, as in "odometry Update"
	Version      string           `json:"version"`   // of this project, that was counted
	Instructions float64          `json:"instructions"`
	Cycles       armcost.Interval `json:"cycles"` // of the core, the kernel's part in them
}

// Shipped returns the table that comes with the program.
func Shipped() (Table, error) { return Parse(shipped) }

// Parse reads a table as JSON. Every row has its costs in order and above 0, else ErrTable.
func Parse(data []byte) (t Table, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("%w: %w", ErrTable, err)
	}
	for _, r := range t.Rows {
		if !(r.Instructions > 0 && 0 < r.Cycles.Low && r.Cycles.Low <= r.Cycles.Likely && r.Cycles.Likely <= r.Cycles.High) {
			return t, fmt.Errorf("%w: %s: %g instructions, cycles %+v", ErrTable, r.Operation, r.Instructions, r.Cycles)
		}
	}
	return t, nil
}

// Cycles returns what one turn of an operation takes of the core; one that is not there is ErrTable.
func (t Table) Cycles(operation string) (armcost.Interval, error) {
	for _, r := range t.Rows {
		if r.Operation == operation {
			return r.Cycles, nil
		}
	}
	return armcost.Interval{}, fmt.Errorf("%w: no %q", ErrTable, operation)
}
