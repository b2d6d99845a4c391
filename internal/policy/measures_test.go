// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// formerRadii are the radii of the robot's body that existed in several packages before package robot, m, with those of
// margins.
var formerRadii = []float64{0.035, 0.0355, 0.037, 0.038}

// everyday are measures of the robot that are also numbers of everything else: a test could not distinguish them.
var everyday = []float64{
	0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.007, 0.009, 0.01, 0.013, 0.015, 0.016, 0.019, 0.02, 0.022, 0.025, 0.03, 0.032, 0.04,
	0.05, 0.06, 0.07, 0.1, 0.2, 0.5, 1, 1.7, 9.80665, 25, 90, 1000,
}

// otherMeasures are numbers that are equal to a measure of the robot and mean something else.
var otherMeasures = map[string]string{
	"calibration/procedure/infrared.go": "distances at which the infrared sensors are shown a wall",
	"sim/vcamera/epuck.go":              "heights and colours of the rings that are drawn",
}

// measures returns the literals of package robot that differ from everyday numbers.
func measures(t *testing.T) (all []float64) {
	t.Helper()
	for _, s := range sources(t) {
		if s.Folder == "robot" && !s.Test {
			for v := range literals(&s) {
				if !slices.Contains(everyday, v) {
					all = append(all, v)
				}
			}
		}
	}
	return append(all, formerRadii...)
}

// literals yields the numbers of a file with their places.
func literals(s *Source) func(yield func(v float64, at token.Position) bool) {
	return func(yield func(float64, token.Position) bool) {
		ast.Inspect(s.AST, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.FLOAT {
				return true
			}
			v, err := strconv.ParseFloat(lit.Value, 64)
			return err != nil || yield(v, s.Fset.Position(lit.Pos()))
		})
	}
}

// The measures of the robot have one source, package robot.
func TestMeasuresOfTheRobotHaveOneSource(t *testing.T) {
	known := measures(t)
	if len(known) < 15 {
		t.Fatalf("package robot has only %d measures: %v", len(known), known)
	}
	for _, s := range sources(t) {
		if s.Test || s.Gen || s.Folder == "robot" {
			continue
		}
		for v, at := range literals(&s) {
			if otherMeasures[s.Path] != "" || !slices.Contains(known, v) {
				continue
			}
			t.Errorf("%s:%d: %v is a measure of the robot: take it from package robot, or say in otherMeasures what else it is", s.Path, at.Line, v)
		}
	}
}

// expression is a measure of the robot that is not one number, as it would be written in Go or TypeScript. A text
// without any of the parts does not have it, which is found faster.
type expression struct {
	name  string
	parts []string
	text  *regexp.Regexp
}

var expressions = []expression{
	{"the rotation of the IMU or its inverse", []string{", {0, 0, 1}}"}, regexp.MustCompile(`\{\{0, -?1, 0\}, \{-?1, 0, 0\}, \{0, 0, 1\}\}`)},
	{"the colour of a red LED", []string{"255, 36, 28", "0xff241c", "0xFF241C", "255, G"}, regexp.MustCompile(`\b255, 36, 28\b|0x(ff|FF)241[cC]|R: ?255, G: ?36, B: ?28`)},
	{"the first angle of the scan", []string{"-150"}, regexp.MustCompile(`(?i)(first|min)\w* *:?= *-150\b|-150 ?\* ?(degree|math\.Pi)`)},
	{"the rays of the infrared sensors", []string{"-15, -45", "9, 7, 4"}, regexp.MustCompile(`-15, -45, -90, -150|\b9, 7, 4, 0, 20, 16, 13, 11\b`)},
	{"the field of view of 15°", []string{"15 *", "15*"}, regexp.MustCompile(`\b15 ?\* ?(degree|math\.Pi ?/ ?180)`)},
}

// in reports whether a text has the expression.
func (e expression) in(text string) bool {
	return slices.ContainsFunc(e.parts, func(part string) bool { return strings.Contains(text, part) }) && e.text.MatchString(text)
}

// Measures that are not one number each have one source as well: driver and simulator would else differ without notice.
func TestExpressionsOfMeasuresHaveOneSource(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.Test || s.Gen {
			continue
		}
		text := strings.Join(s.Text, "\n")
		for _, e := range expressions {
			if !e.in(text) {
				continue
			}
			if found[e.name] = true; s.Folder != "robot" {
				t.Errorf("%s: take %s from package robot", s.Path, e.name)
			}
		}
	}
	for _, e := range expressions {
		if !found[e.name] {
			t.Errorf("package robot has not %s: the search is broken", e.name)
		}
	}
}
