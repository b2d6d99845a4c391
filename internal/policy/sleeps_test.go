// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"
)

const inBubble = "it runs in a bubble, which is entered through an interface or a table"

// wallSleeps are the files whose tests wait on the wall clock, how often, and why. In the bubbles of testing/synctest
// time.Sleep waits for nothing: it moves the bubble's clock, and counts as no waiting. The numbers only go down.
var wallSleeps = map[string]struct {
	n   int
	why string
}{
	"camera/fakegpu_test.go":                   {1, inBubble},
	"camera/slow_test.go":                      {1, inBubble},
	"camera/v4l2/vivid_test.go":                {1, "the kernel makes a device"},
	"cmd/epuck-driver/costrig_bench_test.go":   {1, "counts instructions of a process in real time"},
	"cmd/epuck-driver/target_bench_test.go":    {3, "counts instructions of a process in real time"},
	"cmd/epuck-driver/targetrig_bench_test.go": {1, "the same"},
	"driver/exchange_test.go":                  {1, inBubble},
	"driver/halt_test.go":                      {1, inBubble},
	"driver/report_test.go":                    {1, inBubble},
	"bag/play/player_test.go":                  {1, inBubble},
	"ros2/bench_test.go":                       {1, "measures the wall clock"},
	"ros2/conformance/suite_test.go":           {1, inBubble},
	"ros2/internal/signals2/bench_test.go":     {1, "measures the wall clock"},
	"ros2/interop/bench_test.go":               {1, "measures the wall clock"},
	"ros2/interop/cable_test.go":               {1, "the kernel brings an interface up"},
	"ros2/interop/perf_bench_test.go":          {1, "measures the wall clock"},
	"ros2/interop/perf_role_test.go":           {7, "measures the wall clock, in a process of its own"},
	"ros2/interop/stalled_test.go":             {1, "measures the wall clock"},
	"driver/wheels/main_test.go":               {1, inBubble},
	"ros2/rmw/transport_test.go":               {1, inBubble},
	"ros2/rtps/bench_test.go":                  {2, "measures the wall clock"},
	"ros2/rtps/drop_causes_test.go":            {10, inBubble},
	"ros2/rtps/forged_test.go":                 {1, inBubble},
	"ros2/rtps/harness_test.go":                {1, inBubble},
	"ros2/rtps/scripted_test.go":               {1, inBubble},
}

// TestTestsDoNotSleep keeps time out of the tests' verdicts: a test waits for what it wants to see, or runs in a
// bubble.
func TestTestsDoNotSleep(t *testing.T) {
	folders := map[string][]source{}
	for _, s := range sources(t) {
		if s.test {
			folders[s.folder] = append(folders[s.folder], s)
		}
	}
	found := map[string][]string{}
	for _, files := range folders {
		b := newBubbles(files)
		for _, s := range files {
			for _, n := range b.outside(s) {
				found[s.path] = append(found[s.path], fmt.Sprintf("%s:%d", s.path, s.fset.Position(n.Pos()).Line))
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if n := wallSleeps[path].n; len(found[path]) > n {
			t.Errorf("%d sleeps on the wall clock, %d are allowed: %v", len(found[path]), n, found[path])
		}
	}
	for path, allowed := range wallSleeps {
		if n := len(found[path]); n < allowed.n {
			t.Errorf("%s sleeps %d times on the wall clock: lower its number from %d", path, n, allowed.n)
		}
		if allowed.why == "" {
			t.Errorf("%s: no reason", path)
		}
	}
}

// bubbles knows which functions of a package's tests run in a bubble of testing/synctest only: those that are called by
// functions that do, and by the literals that are handed to synctest.Test or to a helper that passes them on.
type bubbles struct {
	enters map[string]bool // by name: functions that run a function they are given in a bubble
	inside map[string]bool // by name: functions that are called in bubbles only
	files  []source
}

func newBubbles(files []source) *bubbles {
	b := &bubbles{enters: map[string]bool{"synctest.Test": true}, inside: map[string]bool{}, files: files}
	for changed := true; changed; {
		changed = false
		b.eachFunction(func(f *ast.FuncDecl) {
			if !b.enters[f.Name.Name] && b.passesOn(f) {
				b.enters[f.Name.Name], changed = true, true
			}
		})
	}
	declared := map[string]bool{}
	b.eachFunction(func(f *ast.FuncDecl) {
		if !isTest(f.Name.Name) {
			declared[f.Name.Name] = true
		}
	})
	// Begin with all that are called at all and drop those that are called outside, until nothing changes.
	calls := b.calls()
	for name := range declared {
		b.inside[name] = len(calls[name]) > 0
	}
	for changed := true; changed; {
		changed = false
		for name, in := range b.inside {
			if in && slices.ContainsFunc(calls[name], func(c call) bool { return !c.bubble && !b.inside[c.by] }) {
				b.inside[name], changed = false, true
			}
		}
	}
	return b
}

func isTest(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}

func (b *bubbles) eachFunction(do func(*ast.FuncDecl)) {
	for _, s := range b.files {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

// passesOn reports whether f passes one of its own parameters, or a literal that calls it, to a function that enters a
// bubble.
func (b *bubbles) passesOn(f *ast.FuncDecl) bool {
	takesFunction := map[string]bool{}
	for _, p := range f.Type.Params.List {
		if _, is := p.Type.(*ast.FuncType); is {
			for _, n := range p.Names {
				takesFunction[n.Name] = true
			}
		}
	}
	if len(takesFunction) == 0 {
		return false
	}
	passes := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || !b.enters[calledName(c)] {
			return true
		}
		for _, arg := range c.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				passes = passes || ok && takesFunction[id.Name]
				return true
			})
		}
		return true
	})
	return passes
}

// call is a place where a function is named: by which function, and whether in a bubble there.
type call struct {
	by     string
	bubble bool
}

// calls lists for each name where it is used, in whatever way.
func (b *bubbles) calls() map[string][]call {
	all := map[string][]call{}
	b.eachFunction(func(f *ast.FuncDecl) {
		b.walk(f.Body, false, func(n ast.Node, bubble bool) {
			if id, ok := n.(*ast.Ident); ok {
				all[id.Name] = append(all[id.Name], call{f.Name.Name, bubble})
			}
		})
	})
	return all
}

// walk visits n and all below it, and says whether that runs in a bubble that is entered below n.
func (b *bubbles) walk(n ast.Node, bubble bool, visit func(ast.Node, bool)) {
	ast.Inspect(n, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if ok && !bubble && b.enters[calledName(c)] {
			b.walk(c.Fun, bubble, visit)
			for _, arg := range c.Args {
				b.walk(arg, true, visit)
			}
			return false
		}
		if n != nil {
			visit(n, bubble)
		}
		return true
	})
}

// outside returns the sleeps of a file that are not in a bubble.
func (b *bubbles) outside(s source) []ast.Node {
	var found []ast.Node
	for _, d := range s.ast.Decls {
		name := ""
		if f, ok := d.(*ast.FuncDecl); ok {
			name = f.Name.Name
		}
		b.walk(d, b.inside[name], func(n ast.Node, bubble bool) {
			if c, ok := n.(*ast.CallExpr); ok && !bubble && calledName(c) == "time.Sleep" {
				found = append(found, n)
			}
		})
	}
	return found
}

// calledName is the name of the function that is called: f, x.f for a package's, f for a method.
func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && (x.Name == "time" || x.Name == "synctest") {
			return x.Name + "." + f.Sel.Name
		}
		return f.Sel.Name
	}
	return ""
}

// TestBubblesAreRecognised: a rule that finds nothing looks like a rule that is kept.
func TestBubblesAreRecognised(t *testing.T) {
	const text = `package x
func TestA(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(1); in() }); both(); out() }
func TestB(t *testing.T) { world(t, func() { time.Sleep(2); both() }) }
func world(t *testing.T, f func()) { synctest.Test(t, func(t *testing.T) { f() }) }
func in()   { time.Sleep(3); deep() }
func deep() { time.Sleep(4) }
func both() { time.Sleep(5) }
func out()  { go func() { time.Sleep(6) }() }
func never() { time.Sleep(7) }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := source{fset: fset, ast: file}
	var lines []int
	for _, n := range newBubbles([]source{s}).outside(s) {
		lines = append(lines, fset.Position(n.Pos()).Line)
	}
	if want := []int{7, 8, 9}; !slices.Equal(lines, want) {
		t.Errorf("outside are the sleeps of the lines %v, want %v", lines, want)
	}
}
