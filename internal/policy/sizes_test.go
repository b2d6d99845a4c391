// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Bounds of a type: beyond these it owns the state of several concepts, which are types of their own.
const (
	maxFields  = 25
	maxMethods = 35
	slack      = 3 // how far below its row a type may be before the row has to follow
)

// size counts a type's fields (embedded ones too) and methods.
type size struct{ fields, methods int }

// largeTypes are the types beyond the bounds, the most that each may have (0: within the bound), and the reason. The
// numbers only go down.
var largeTypes = map[string]struct {
	size
	why string
}{
	"bag/mcap.Reader":   {size{methods: 37}, "one record kind a method of its decoder"},
	"bag/play.Player":   {size{methods: 38}, "one playback under one lock; its services are a method each"},
	"bag/record.Config": {size{fields: 28}, "the parameters of a recorder, as its users set them"},
	"cmd/epuck-driver/internal/simulate.simOptions": {size{28, 50}, "the flags of simulate; embedded groups of flags have types of their own"},
	"driver.Driver":                          {size{38, 63}, "the node's publishers, services and parts; state of the wheels, chips, pictures and health is in packages below"},
	"fleet.Host":                             {size{methods: 53}, "one service of simulation_interfaces a method"},
	"fleet.functional":                       {size{fields: 30}, "one field for each publisher of a robot without firmware"},
	"msgs/cdr.Decoder":                       {size{methods: 50}, "one method for each type of CDR"},
	"ros2.Node":                              {size{methods: 37}, "what rclcpp's Node has"},
	"ros2/executor/order.Coordinator":        {size{fields: 26}, "one agreement under one lock"},
	"ros2/executor/order.Leader":             {size{methods: 51}, "one message kind of the agreement a method"},
	"ros2/ros2test.fixture":                  {size{methods: 44}, "one conformance test a method"},
	"ros2/rtps.Participant":                  {size{42, 61}, "one lock for readers, writers and matching; user calls, pacing, cork, security, built-in endpoints and discovery are types of their own"},
	"ros2/rtps.Stats":                        {size{fields: 32}, "a counter a field: a value without behaviour"},
	"ros2/rtps.Writer":                       {size{methods: 49}, "the writer's side of the protocol: history, proxies and timers are types of their own"},
	"ros2/rtps.readerProxy":                  {size{34, 46}, "a matched reader as RTPS 8.4.7 and 8.4.9 describe it"},
	"ros2/rtps.writerProxy":                  {size{29, 39}, "a matched writer as RTPS 8.4.10 and 8.4.12 describe it"},
	"ros2/rtps/internal/discovery.Directory": {size{methods: 49}, "remote participants and endpoints under one lock"},
	"ros2/rtps/shapes.Options":               {size{fields: 33}, "the options of the OMG's shapes demo, a field each"},
	"ros2/shell.session":                     {size{methods: 46}, "one command of the shell a method"},
	"sim.Firmware":                           {size{methods: 43}, "one robot's chips: faults and readings of each have a method"},
	"sim.Functional":                         {size{fields: 30}, "one field for each quantity of a robot without firmware"},
	"sim.Simulation":                         {size{43, 75}, "one world that one step advances under one lock"},
	"sim.unit":                               {size{methods: 57}, "the state that every robot has in a world"},
	"sim/armcost/machine.Machine":            {size{methods: 58}, "one processor: a group of instructions a method"},
	"sim/chip/vmcu.MCU":                      {size{28, 39}, "one microcontroller: its registers, motors and sensors"},
	"sim/geom.Shape":                         {size{methods: 36}, "a value with the queries of a shape"},
	"sim/machine.Machine":                    {size{33, 55}, "one emulated computer with one memory"},
	"sim/physics.Scene":                      {size{methods: 41}, "one scene whose rays, contacts and overlaps share an index"},
	"sim/robots/proto.builder":               {size{methods: 64}, "one node type of Webots a method"},
	"sim/traci.Server":                       {size{methods: 36}, "one command of TraCI a method"},
	"sim/traci.laneNet":                      {size{methods: 50}, "edges, lanes, junctions and lights of one network, and who drives on it"},
	"sim/traci.robot":                        {size{fields: 27}, "a vehicle as clients know it: state, overrides, stop and place on a network"},
	"sim/traci.state":                        {size{methods: 70}, "vehicles, persons, routes and time of one world; drawings and notes are types of their own"},
	"web/internal/foxglove.client":           {size{methods: 50}, "one operation of the Foxglove WebSocket protocol a method"},
}

// TestTypesAreSmall: types of hand-written files without tests, counted across the files of a package.
func TestTypesAreSmall(t *testing.T) {
	sizes := map[string]size{}
	for _, s := range sources(t) {
		if !s.test && !s.gen {
			addSizes(s, sizes)
		}
	}
	if len(sizes) < 1000 {
		t.Errorf("only %d types: the search is broken", len(sizes))
	}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		got, row := sizes[name], largeTypes[name]
		if wrong := wrongCount(got.fields, row.fields, maxFields); wrong != "" {
			t.Errorf("%s: %d fields: %s", name, got.fields, wrong)
		}
		if wrong := wrongCount(got.methods, row.methods, maxMethods); wrong != "" {
			t.Errorf("%s: %d methods: %s", name, got.methods, wrong)
		}
	}
	for name, row := range largeTypes {
		if _, exists := sizes[name]; !exists || row.why == "" || row.size == (size{}) {
			t.Errorf("largeTypes: %s does not exist or has no reason or number", name)
		}
	}
}

// wrongCount compares a count with its row (0 if none) and the bound.
func wrongCount(got, row, bound int) string {
	switch {
	case row == 0 && got > bound:
		return fmt.Sprintf("more than %d: divide the type by who owns the state, or add a row with the reason", bound)
	case row != 0 && got <= bound:
		return "it needs no number in largeTypes any more"
	case got > row && row != 0:
		return fmt.Sprintf("more than the %d of its row in largeTypes", row)
	case got < row-slack:
		return fmt.Sprintf("lower the %d of its row in largeTypes", row)
	}
	return ""
}

// TestWrongCount: counts without a row, and those above, at and below their row.
func TestWrongCount(t *testing.T) {
	for _, c := range []struct {
		got, row int
		want     string
	}{{25, 0, ""}, {26, 0, "divide"}, {30, 30, ""}, {31, 30, "more than the 30"}, {29, 30, ""}, {26, 30, "lower"}, {25, 30, "no number"}} {
		if wrong := wrongCount(c.got, c.row, 25); !strings.Contains(wrong, c.want) || (wrong == "") != (c.want == "") {
			t.Errorf("wrongCount(%d, %d) = %q, want %q", c.got, c.row, wrong, c.want)
		}
	}
}

func addSizes(s source, sizes map[string]size) {
	for _, d := range s.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if receiver := receiverName(d); receiver != "" {
				n := sizes[s.folder+"."+receiver]
				n.methods++
				sizes[s.folder+"."+receiver] = n
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					n := sizes[s.folder+"."+spec.Name.Name]
					n.fields = countFields(spec.Type)
					sizes[s.folder+"."+spec.Name.Name] = n
				}
			}
		}
	}
}

func countFields(t ast.Expr) (n int) {
	if structure, ok := t.(*ast.StructType); ok {
		for _, f := range structure.Fields.List {
			n += max(1, len(f.Names))
		}
	}
	return n
}
