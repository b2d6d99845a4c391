// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// doubling is a file in which each node USEs the one before twice.
func doubling(kind string, levels int) string {
	var s strings.Builder
	s.WriteString(header + "Robot { children [ DEF A0 " + kind + " { }\n")
	for i := range levels {
		fmt.Fprintf(&s, "DEF A%d %s { children [ USE A%d USE A%d ] }\n", i+1, kind, i, i)
	}
	return s.String() + "] }"
}

// ladder is a file in which each node USEs the one before.
func ladder(levels int) string {
	var s strings.Builder
	s.WriteString(header + "Robot { children [ DEF A0 Group { }\n")
	for i := range levels {
		fmt.Fprintf(&s, "DEF A%d Group { children USE A%d }\n", i+1, i)
	}
	return s.String() + "] }"
}

// Files of an enemy end with an error that names a line, and what is allocated on the way is bounded by the bounds of
// the package, not by what the file unfolds to.
func TestHostileFiles(t *testing.T) {
	size := 1 << 20
	if suite.Long {
		size = proto.MaxSize - 1000
	}
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	many := func(n int, piece string) string {
		return header + "Robot { children [\n" + strings.Repeat(piece, n) + "] }"
	}
	for name, c := range map[string]struct {
		text string
		kind error
		want string
	}{
		"too large":             {header + strings.Repeat(" ", proto.MaxSize), proto.ErrBound, "it:1: 8388630 bytes"},
		"deep":                  {header + strings.Repeat("Robot { children\n", 100_000), proto.ErrBound, "it:66: Robot: more than 64 nodes in each other"},
		"deep, all of it":       {header + fill("A{b "), proto.ErrBound, "it:2: A: more than 64"},
		"brackets":              {header + "Robot { children " + fill("["), proto.ErrSyntax, "it:2: Robot.children"},
		"braces":                {header + "PROTO A [ field SFNode" + fill("{"), proto.ErrBound, "it:2: a field's type: more than 64 braces"},
		"doubling groups":       {doubling("Group", 60), proto.ErrBound, "more than 200000 nodes"},
		"doubling solids":       {doubling("Solid", 60), proto.ErrBound, "more than 4096 links"},
		"doubling devices":      {doubling("LED", 60), proto.ErrBound, "more than 4096 devices"},
		"ladder":                {ladder(100), proto.ErrBound, "more than 64 nodes in each other, with what USE puts there"},
		"cycle":                 {header + "DEF A Robot { children DEF B Group { children\nUSE A } }", proto.ErrContent, "it:3: USE A within itself"},
		"own bounding object":   {header + "Robot { boundingObject DEF A Group { children USE A } }", proto.ErrContent, "USE A within itself"},
		"own default":           {header + "PROTO A [ field MFNode a IS a ] { Robot { } }", proto.ErrContent, "field a IS a"},
		"nodes":                 {many(200_001, "A{}"), proto.ErrBound, "more than 200000 nodes"},
		"fields":                {header + "Robot { " + fill("a 1 "), proto.ErrContent, "Robot.a a second time"},
		"fields of many names":  {header + "Robot { " + numbered(100_000, " a%d 1"), proto.ErrBound, "128 of Robot"},
		"fields of many nodes":  {many(9_000, "A { "+numbered(120, "a%d 1 ")+"}"), proto.ErrBound, "more than 500000 fields"},
		"header's fields":       {header + "PROTO A [ " + numbered(500_001, "field SFX x%d 1 "), proto.ErrBound, "8"},
		"an endless string":     {header + "Robot { name \"" + fill("a"), proto.ErrBound, "it:2: a string of more than 65536 bytes"},
		"an endless name":       {header + fill("a"), proto.ErrBound, "it:2: a name of"},
		"an endless number":     {header + "Robot { a " + fill("1"), proto.ErrBound, "it:2: a name of"},
		"an endless comment":    {header + fill("# "), proto.ErrContent, "it:1: no Robot"},
		"endless template code": {header + "%<" + fill("a;"), proto.ErrSyntax, "it:2: template code without its >%"},
		"templates":             {header + fill("%<= a >%"), proto.ErrTemplate, "it:2: it puts in"},
		"long tables, many times": {header + "PROTO A [ field MFVec3f t [ " + numbered(4000, "%d 1 0 ") + "] ] { Robot { children [ " +
			strings.Repeat("LightSensor { lookupTable IS t } ", 4000) + "] } }", proto.ErrBound, "more than 200000 nodes"},
		"a long table": {header + "Robot { children LightSensor { lookupTable [ " + numbered(5000, "%d 1 0 ") + "] } }",
			proto.ErrContent, "it:2: LightSensor.lookupTable: 5000 rows, 4096 at most"},
		"many nodes, many times": {header + "PROTO A [ field MFNode t [ " + strings.Repeat("Group{}", 50_000) + "] ] { Robot { children [ " +
			strings.Repeat("Group { children IS t } ", 10_000) + "] } }", proto.ErrBound, "more than 200000 nodes"},
		"many colors, many times": {header + "PROTO A [ field MFColor t [ " + strings.Repeat("1 1 1 ", 50_000) + "] ] { Robot { children [ " +
			strings.Repeat("LED { color IS t } ", 4000) + "] } }", proto.ErrBound, "more than 200000 nodes"},
		"many bounding objects": {header + "PROTO A [ field SFNode t Group { children [ " + strings.Repeat("Box{}", 50_000) + "] } ] { Robot { children [ " +
			strings.Repeat("Solid { boundingObject IS t physics Physics { } } ", 4_000) + "] } }", proto.ErrBound, "more than 200000 nodes"},
		"many motors": {header + "Robot { children [ HingeJoint { device [ " + strings.Repeat("Brake{} ", 150_000) + "PositionSensor{} PositionSensor{} ] endPoint Solid { } } ] }",
			proto.ErrContent, "a second one of the same joint"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := proto.Parse("it", []byte(c.text))
			runtime.ReadMemStats(&after)
			if r != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.300v, not %v: %s", err, c.kind, c.want)
			}
			const most = 400 << 20
			if used := after.TotalAlloc - before.TotalAlloc; used > most {
				t.Errorf("%d MB are allocated, %d at most", used>>20, most>>20)
			}
		})
	}
}

// numbered repeats a piece with its number.
func numbered(n int, piece string) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, piece, i)
	}
	return s.String()
}

// At the bounds it continues.
func TestLargeFilesWithinTheBounds(t *testing.T) {
	for name, text := range map[string]string{
		"deep":     header + strings.Repeat("Robot { children ", 1) + strings.Repeat("Group { children ", 62) + "Group { }" + strings.Repeat("}", 63),
		"links":    header + "Robot { children [" + strings.Repeat("Solid { } ", description.MaxParts-1) + "] }",
		"devices":  header + "Robot { children [" + strings.Repeat("GPS { } ", description.MaxParts) + "] }",
		"nodes":    header + "Robot { children [" + strings.Repeat("Group { } ", proto.MaxNodes-1) + "] }",
		"a string": header + "Robot { name \"" + strings.Repeat("a", proto.MaxString) + "\" }",
		"both":     header + "Robot { children [" + numbered(description.MaxParts-1, "Solid { name \"%d\" children LED { } } ") + "] }",
	} {
		if _, err := proto.Parse("it", []byte(text)); err != nil {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

// Of endless things without a meaning the first are listed, and how many there are.
func TestRemarksAreBounded(t *testing.T) {
	r := robot(t, strings.Repeat("Nothing { }\n", proto.MaxRemarks+20))
	if n := len(r.Ignored); n != proto.MaxRemarks+1 {
		t.Fatalf("%d remarks", n)
	}
	if last := r.Ignored[proto.MaxRemarks]; last != (description.Remark{Line: 3 + proto.MaxRemarks, Text: "20 more, from here on"}) {
		t.Errorf("%+v", last)
	}
}
