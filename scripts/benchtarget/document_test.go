// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentHasTheTable: docs/explanation/cost.md has the current rows of the table.
func TestDocumentHasTheTable(t *testing.T) {
	top, err := folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(top, "docs", "explanation", "cost.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{
		"CostCycle/nothing": "control cycle, nothing subscribed to", "CostCycle/odom": "… odom and TF", "CostCycle/infrared": "… eight infrared ranges",
		"CostCycle/scan": "… scan, with the time-of-flight sensor it reads", "CostCycle/everything": "… everything but pictures",
		"CostPublish/Range": "a Range published alone", "CostPublish/CompressedImage": "a picture of 20 kB published",
		"CostExchange/Range":  "a Range published and taken",
		wholeProgram().name(): "the whole program, nothing subscribed to: a control cycle and the pause after it",
	}
	for _, r := range readCosts(t).Rows {
		name, ok := shown[strings.TrimPrefix(r.Operation, driverPackage+" ")]
		if !ok {
			continue
		}
		delete(shown, strings.TrimPrefix(r.Operation, driverPackage+" "))
		in := r.Cycles.Times(20 * 100 / 1e9)
		row := fmt.Sprintf("| %s | %.1f k | %.2f %% (%.2f … %.2f) |", name, r.Instructions/1e3, in.Likely, in.Low, in.High)
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/explanation/cost.md lacks %s", row)
		}
	}
	if len(shown) > 0 {
		t.Errorf("no longer in the table: %v", shown)
	}
}
