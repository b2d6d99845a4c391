// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"strconv"
)

// CostTable is the word for [Cost.Table].
const CostTable = "table"

// MaxCallback is the longest time that a callback may be said to take, s.
const MaxCallback = 10

// Cost is what is charged to the processor of a robot whose programs are not run in an emulator. The zero value charges
// nothing (TestChargesNothing).
type Cost struct {
	// Table charges control cycles, messages and calls by the table of what they cost on the robot
	// (sim/armcost/tables).
	Table bool
	// Callback is charged for each callback, a control cycle among them, s. It is 0 with Table.
	Callback float64
}

// ParseCost reads none, table or a time in seconds. An error wraps ErrWorld.
func ParseCost(text string) (Cost, error) {
	switch text {
	case "", None:
		return Cost{}, nil
	case CostTable:
		return Cost{Table: true}, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= MaxCallback) {
		return Cost{}, fmt.Errorf("%w: cost %q, must be %q, %q, or the seconds that each callback takes, 0 to %d", ErrWorld, text, None, CostTable, MaxCallback)
	}
	return Cost{Callback: v}, nil
}

// String writes it as [ParseCost] reads it.
func (c Cost) String() string {
	switch {
	case c.Table:
		return CostTable
	case c.Callback == 0:
		return None
	}
	return strconv.FormatFloat(c.Callback, 'g', -1, 64)
}

// UnmarshalText reads it from a world file.
func (c *Cost) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCost(string(text))
	return err
}

// cost checks what a robot of a level is charged with.
func (c *checker) cost(r *Robot, path ...any) {
	c.number(r.Cost.Callback, 0, MaxCallback, path...)
	switch {
	case r.Cost.Table && r.Cost.Callback != 0:
		c.fail("must be one of table and a time, is both", nil, path...)
	case r.Cost != (Cost{}) && r.Level == LevelTarget:
		c.fail("must not be given at the level target, whose programs are counted", nil, path...)
	case r.Cost != (Cost{}) && r.Model != "":
		c.fail("must not be given for a robot with a model", nil, path...)
	}
}
