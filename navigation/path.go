// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// errFile is matched by errors about a file of goals.
var errFile = errors.New("navigation: bad path")

// maxGoals is the maximum number of goals of a file.
const maxGoals = 100_000

// ReadPath reads goals, one for each line: x and y in metres and an optional heading in radians, separated by blanks or
// commas. Empty lines and text after a # are ignored. It fails if a line has another number of values or one that is
// not a finite number (the error names line and value), if there are no goals or more than 100 000, and with the error
// of r.
func ReadPath(r io.Reader) (goals []Goal, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' })
		if len(fields) == 0 {
			continue
		}
		g, err := readGoal(fields)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFile, number, err)
		}
		if goals = append(goals, g); len(goals) > maxGoals {
			return nil, fmt.Errorf("%w: line %d: more than %d goals", errFile, number, maxGoals)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errFile, err)
	}
	if len(goals) == 0 {
		return nil, fmt.Errorf("%w: it has no goals", errFile)
	}
	return goals, nil
}

// readGoal reads one goal.
func readGoal(fields []string) (g Goal, err error) {
	if len(fields) < 2 || len(fields) > 3 {
		return g, fmt.Errorf("%d numbers; want x, y and optionally a heading", len(fields))
	}
	g.Theta = AnyHeading
	for i, to := range []*float64{&g.X, &g.Y, &g.Theta}[:len(fields)] {
		if *to, err = strconv.ParseFloat(fields[i], 64); err != nil || math.IsNaN(*to) || math.IsInf(*to, 0) {
			return g, fmt.Errorf("%q is not a finite number", fields[i])
		}
	}
	return g, nil
}
