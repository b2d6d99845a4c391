// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
)

// costsFile is the cost table in the project's folder.
const costsFile = "sim/armcost/tables/costs.json"

// readTable reads a table of costs.
func readTable(file string) (tables.Table, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return tables.Table{}, err
	}
	return tables.Parse(text)
}

// writeCosts counts the operations that match a pattern, and those missing from the table, and writes the table.
func writeCosts(ctx context.Context, p armcost.Parameters, only *regexp.Regexp) error {
	dir, err := os.MkdirTemp("", "benchtarget-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	t := tools{dir: dir}
	if t.plugin, err = armcost.BuildPlugin(ctx, dir); err != nil {
		return err
	}
	top, err := folder(ctx)
	if err != nil {
		return err
	}
	file := filepath.Join(top, filepath.FromSlash(costsFile))
	version, err := exec.CommandContext(ctx, "git", "describe", "--always").Output()
	if err != nil {
		return fmt.Errorf("git describe: %w", err)
	}
	table, err := readTable(file)
	if err != nil {
		return err
	}
	known, all := table.Rows, operations()
	table = tables.Table{Go: runtime.Version()}
	for n, o := range all {
		if i := slices.IndexFunc(known, func(r tables.Row) bool { return r.Operation == o.name() }); i >= 0 && !only.MatchString(o.name()) {
			table.Rows = append(table.Rows, known[i])
			continue
		}
		row, err := t.cost(ctx, p, o)
		if err != nil {
			return err
		}
		row.Version = strings.TrimSpace(string(version))
		fmt.Printf("%-34s %10.0f instructions\n", row.Operation, row.Instructions)
		table.Rows = append(table.Rows, row)
		if err := writeTable(file, withOld(table, known, all[n+1:])); err != nil {
			return err // after each row: a run that ends early keeps its rows
		}
	}
	return nil
}

// withOld returns a table with the known rows of the operations that are not counted yet.
func withOld(table tables.Table, known []tables.Row, rest []operation) tables.Table {
	table.Rows = slices.Clone(table.Rows)
	for _, o := range rest {
		if i := slices.IndexFunc(known, func(r tables.Row) bool { return r.Operation == o.name() }); i >= 0 {
			table.Rows = append(table.Rows, known[i])
		}
	}
	return table
}

func writeTable(file string, table tables.Table) error {
	text, err := json.MarshalIndent(table, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// cost counts one operation. Fractions of instructions and cycles are noise.
func (t tools) cost(ctx context.Context, p armcost.Parameters, o operation) (tables.Row, error) {
	c, err := t.perTurn(ctx, p, o)
	if err != nil {
		return tables.Row{}, err
	}
	e := p.Of(c)
	whole := armcost.Interval{Low: math.Round(e.Cycles.Low), Likely: math.Round(e.Cycles.Likely), High: math.Round(e.Cycles.High)}
	return tables.Row{Operation: o.name(), Instructions: math.Round(e.Instructions), Cycles: whole}, nil
}
