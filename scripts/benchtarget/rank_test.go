// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"cmp"
	"context"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/tables"
)

// sameOrder is the least rank correlation between the costs on this machine and by the model.
const sameOrder = 0.9

// TestModelOrdersAsThisMachine: native costs and those of the model have the same order, over all operations of the
// cost table (which TestCostTable compares with the model).
func TestModelOrdersAsThisMachine(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles and runs the benchmarks of six packages")
	}
	dir := t.TempDir()
	rows := map[string]tables.Row{}
	for _, r := range readCosts(t).Rows {
		rows[r.Operation] = r
	}
	var native, model []float64
	for _, o := range operations() {
		if o.marked { // with the network; their iterations are not the benchmark's
			continue
		}
		n, row := here(t.Context(), t, dir, o), rows[o.name()]
		t.Logf("%-32s here %12.1f ns, on the robot %9.0f instructions, %12.0f cycles", o.name(), n, row.Instructions, row.Cycles.Likely)
		native, model = append(native, n), append(model, row.Cycles.Likely)
	}
	r := spearman(native, model)
	t.Logf("rank correlation of %d operations: %.3f", len(native), r)
	if len(native) < 20 || r < sameOrder {
		t.Errorf("%d operations, rank correlation %.3f, want at least %.1f", len(native), r, sameOrder)
	}
}

var perOp = regexp.MustCompile(`\s([0-9.]+) ns/op`)

// here returns an operation's minimum time on this machine, in ns: other programs only make it slower.
func here(ctx context.Context, t *testing.T, dir string, o operation) float64 {
	t.Helper()
	program, err := testProgram(ctx, dir, o.pkg, false)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(ctx, program, append(o.arguments(o.times), "-test.count", "40")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	best := math.Inf(1)
	for _, m := range perOp.FindAllSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, ns)
	}
	if math.IsInf(best, 1) {
		t.Fatalf("%s: no time in\n%s", o.name(), out)
	}
	return best
}

// spearman returns the rank correlation; equal values have the mean of their ranks.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mean := float64(len(a)+1) / 2
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mean) * (y[i] - mean)
		xx += (x[i] - mean) * (x[i] - mean)
		yy += (y[i] - mean) * (y[i] - mean)
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	rank := make([]float64, len(v))
	for from := 0; from < len(v); {
		to := from
		for to < len(v) && v[order[to]] == v[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			rank[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return rank
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 10}, []float64{5, 6, 70, 80}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}, 8 / math.Sqrt(10*9.5)},
	} {
		if got := spearman(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
