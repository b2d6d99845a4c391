// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/epuck-ros2/epuck-driver/target"
)

// costTable is what operations cost on the robot, counted once, for levels of the simulation that do not count.
type costTable struct {
	Version string    `json:"version"` // of this project, that was counted
	Go      string    `json:"go"`
	Rows    []costRow `json:"rows"`
}

// costRow is what one turn of an operation costs.
type costRow struct {
	Operation    string          `json:"operation"`
	Instructions float64         `json:"instructions"`
	Cycles       target.Interval `json:"cycles"`
}

// writeCosts counts all operations and writes the table.
func writeCosts(ctx context.Context, p target.Parameters) error {
	dir, err := os.MkdirTemp("", "benchtarget-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	t := tools{dir: dir}
	if t.plugin, err = target.BuildPlugin(ctx, dir); err != nil {
		return err
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", project).Output()
	if err != nil {
		return fmt.Errorf("finding the project's folder: %w", err)
	}
	version, err := exec.CommandContext(ctx, "git", "describe", "--always").Output()
	if err != nil {
		return fmt.Errorf("git describe: %w", err)
	}
	table := costTable{Version: strings.TrimSpace(string(version)), Go: runtime.Version()}
	for _, o := range operations() {
		row, err := t.cost(ctx, p, o)
		if err != nil {
			return err
		}
		fmt.Printf("%-34s %10.0f instructions\n", row.Operation, row.Instructions)
		table.Rows = append(table.Rows, row)
	}
	text, err := json.MarshalIndent(table, "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(strings.TrimSpace(string(root)), "internal", "benchtarget", "costs.json")
	return os.WriteFile(file, append(text, '\n'), 0o644) //nolint:gosec // a source file
}

// cost counts one operation. What is behind whole instructions and cycles is chance.
func (t tools) cost(ctx context.Context, p target.Parameters, o operation) (costRow, error) {
	c, err := t.perTurn(ctx, o)
	if err != nil {
		return costRow{}, err
	}
	e := p.Of(c)
	whole := target.Interval{Low: math.Round(e.Cycles.Low), Likely: math.Round(e.Cycles.Likely), High: math.Round(e.Cycles.High)}
	return costRow{o.name(), math.Round(e.Instructions), whole}, nil
}
