// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
)

// readCosts reads the committed table.
func readCosts(t *testing.T) tables.Table {
	t.Helper()
	table, err := tables.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestCostsFileIsTheShippedTable: -costs reads and writes the table that package tables embeds.
func TestCostsFileIsTheShippedTable(t *testing.T) {
	table, err := readTable(filepath.Join("..", "..", filepath.FromSlash(costsFile)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(table, readCosts(t)) {
		t.Errorf("%s is not the shipped table", costsFile)
	}
}

// TestCostTable: cheap rows of the committed table are within 10 % of a new count. After an intended change:
// go run ./scripts/benchtarget -costs.
func TestCostTable(t *testing.T) {
	for _, tool := range []string{"gcc", "qemu-arm", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
	table := readCosts(t)
	rows := map[string]tables.Row{}
	for _, r := range table.Rows {
		rows[r.Operation] = r
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plugin, err := armcost.BuildPlugin(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	again := map[string]bool{"odometry Update": true, "i2c/mcu Decode": true}
	if suite.Long {
		for _, more := range []string{"msgs EncodeOdometry", "msgs DecodeLaserScan", "camera/jpeg Encode/grey", "cmd/epuck-driver CostPublish/Range", "cmd/epuck-driver CostCycle/everything", wholeProgram().name()} {
			again[more] = true
		}
	}
	for _, o := range operations() {
		row, ok := rows[o.name()]
		if !ok {
			t.Errorf("%s is not in the table", o.name())
		}
		delete(rows, o.name())
		if !again[o.name()] {
			continue
		}
		now, err := tools{dir: dir, plugin: plugin}.cost(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		off := now.Instructions/row.Instructions - 1
		t.Logf("%s: %+.1f %%", o.name(), 100*off)
		if math.Abs(off) > 0.1 {
			t.Errorf("%s: %+.0f %% from the %.0f instructions in the table of %s", o.name(), 100*off, row.Instructions, row.Version)
		}
	}
	if len(rows) > 0 {
		t.Errorf("no operations any more: %v", rows)
	}
}
