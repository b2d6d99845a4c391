// SPDX-License-Identifier: Apache-2.0

package world

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestParseCost(t *testing.T) {
	for _, c := range []struct {
		text, again string
		want        Cost
	}{
		{"", "none", Cost{}}, {"none", "none", Cost{}}, {"0", "none", Cost{}}, {"table", "table", Cost{Table: true}},
		{"0.002", "0.002", Cost{Callback: 0.002}}, {"10", "10", Cost{Callback: 10}}, {"1e-3", "0.001", Cost{Callback: 0.001}},
	} {
		got, err := ParseCost(c.text)
		if err != nil || got != c.want || got.String() != c.again {
			t.Errorf("%q: %+v, %q, %v", c.text, got, got, err)
		}
	}
	for _, text := range []string{"Table", "2ms", "-1", "10.1", "NaN", "Inf", " table"} {
		if _, err := ParseCost(text); !errors.Is(err, ErrWorld) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestChargesNothing: without a cost whatever a robot does takes no time; the text says so.
func TestChargesNothing(t *testing.T) {
	if c, err := ParseCost((Cost{}).String()); err != nil || c != (Cost{}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCostInAFile(t *testing.T) {
	for _, c := range []struct{ robot, want string }{
		{"{name: r, cost: table}", "table"},
		{"{name: r, cost: 0.005}", "0.005"},
		{"{name: r, cost: none, level: functional}", "none"},
		{"{name: r}", "none"},
		{"{name: r, level: functional, cost: 1}", "1"},
		{"{name: r, level: target, cost: none}", "none"},
		{"{name: r, level: target, processor: cortex-a72-pi4}", "none"},
	} {
		w, err := Parse([]byte("robots: [" + c.robot + "]"))
		if err != nil {
			t.Errorf("%s: %v", c.robot, err)
			continue
		}
		if got := w.Robots[0].Cost.String(); got != c.want {
			t.Errorf("%s: %s", c.robot, got)
		}
	}
	for _, c := range []struct{ robot, want string }{
		{"{name: r, level: target, cost: table}", "robots[0].cost: must not be given at the level target"},
		{"{name: r, model: turtlebot3_burger, cost: 1}", "robots[0].cost: must not be given for a robot with a model"},
		{"{name: r, cost: much}", `line 1:26: robots[0].cost: cost "much", must be`},
		{"{name: r, cost: 11}", `cost "11"`},
		{"{name: r, processor: cortex-a72-pi4}", "robots[0].processor: must be given at the level target only"},
		{"{name: r, level: target, processor: ../x}", "robots[0].processor"},
		{"{name: r, cost: [1]}", "line 1:26: robots[0].cost"},
	} {
		if _, err := Parse([]byte("robots: [" + c.robot + "]")); !errors.Is(err, ErrWorld) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.robot, err, c.want)
		}
	}
}

// TestCostByHand: worlds that are made by a program are checked, too.
func TestCostByHand(t *testing.T) {
	for _, c := range []Cost{{Table: true, Callback: 1}, {Callback: -1}, {Callback: math.NaN()}, {Callback: MaxCallback + 1}} {
		w, err := Parse([]byte("robots: [{name: r}]"))
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Cost = c
		if err := w.Check(); !errors.Is(err, ErrWorld) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
