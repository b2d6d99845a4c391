// SPDX-License-Identifier: Apache-2.0

package tables

import (
	"errors"
	"strings"
	"testing"
)

func TestShipped(t *testing.T) {
	table, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	idle, err := table.Cycles("cmd/epuck-driver CostCycle/nothing")
	if err != nil || idle.Likely < 1e5 || idle.Likely > 1e6 {
		t.Errorf("an idle control cycle takes %+v, %v", idle, err)
	}
	if _, err := table.Cycles("nothing"); !errors.Is(err, ErrTable) {
		t.Errorf("%v", err)
	}
	if table.Go == "" {
		t.Error("of which compiler?")
	}
	seen := map[string]bool{}
	for _, r := range table.Rows {
		if seen[r.Operation] || r.Version == "" {
			t.Errorf("twice, or of no version: %+v", r)
		}
		seen[r.Operation] = true
	}
}

func TestParseRefuses(t *testing.T) {
	row := `{"operation": "a", "version": "v", "instructions": 1, "cycles": {"low": 1, "likely": 2, "high": 3}}`
	good := `{"go": "1", "rows": [` + row + `]}`
	if table, err := Parse([]byte(good)); err != nil || len(table.Rows) != 1 {
		t.Fatalf("%+v, %v", table, err)
	}
	for _, change := range [][2]string{
		{`"low": 1`, `"low": 0`}, {`"low": 1`, `"low": 2.5`}, {`"high": 3`, `"high": 1.5`}, {`"instructions": 1`, `"instructions": 0`},
		{`"go"`, `"went"`}, {`}`, ``}, {`"likely": 2`, `"likely": "2"`},
	} {
		if _, err := Parse([]byte(strings.Replace(good, change[0], change[1], 1))); !errors.Is(err, ErrTable) {
			t.Errorf("%v: %v", change, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(shipped)
	f.Add([]byte(`{"rows": [{"cycles": {"low": -1}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Parse(data)
		if err != nil {
			return
		}
		for _, r := range table.Rows {
			if got, err := table.Cycles(r.Operation); err != nil || got.Low <= 0 {
				t.Errorf("%+v, %v", got, err)
			}
		}
	})
}
