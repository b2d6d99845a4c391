// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestNoInitAndNoPanic keeps start-up explicit and bad input an error: no init functions, no panic calls in the program.
func TestNoInitAndNoPanic(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init() registers behind the reader's back; wire it in main", s.path)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
					t.Errorf("%s:%d: panic", s.path, s.fset.Position(n.Pos()).Line)
				}
			}
			return true
		})
	}
}

// TestTestsDoNotSleep keeps time out of the tests' verdicts: synctest and events instead of waiting. Sleeping is for
// rooms whose tests run in synctest's own time, for benchmarks, and for ros2/interop, which polls foreign processes.
func TestTestsDoNotSleep(t *testing.T) {
	inBubble := map[string]bool{"ros2/interop": true}
	for _, s := range sources(t) {
		inBubble[s.room] = inBubble[s.room] || s.test && slices.Contains(s.imports, "testing/synctest")
	}
	for _, s := range sources(t) {
		if !s.test || inBubble[s.room] || strings.HasSuffix(s.path, "bench_test.go") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Sleep" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
				t.Errorf("%s:%d: time.Sleep in a test", s.path, s.fset.Position(n.Pos()).Line)
			}
			return true
		})
	}
}

// TestNothingIsLeftForLater: what is not done is an issue, not a comment.
func TestNothingIsLeftForLater(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}
	for _, s := range sources(t) {
		for _, group := range s.ast.Comments {
			for _, mark := range marks {
				if strings.Contains(group.Text(), mark) {
					t.Errorf("%s:%d: %s", s.path, s.fset.Position(group.Pos()).Line, mark)
				}
			}
		}
	}
}

// TestDecodersAreFuzzed: a package that parses foreign bytes has a fuzz target and a committed corpus.
func TestDecodersAreFuzzed(t *testing.T) {
	for _, room := range []string{"camera/caminfo", "camera/jpeg", "camera/m2m", "i2c/mcu", "msgs", "ros2/cdr", "ros2/rtps/shapes", "ros2/rtps/wire", "sim/cuse", "sim/world", "ros2", "ros2/dynamic"} {
		if !declares(t, room, "Fuzz") {
			t.Errorf("%s decodes input and has no fuzz target", room)
		}
	}
}

// TestPublicPackagesHaveExamples: the quickest way into a package is code that runs.
func TestPublicPackagesHaveExamples(t *testing.T) {
	for _, room := range []string{"camera", "camera/caminfo", "camera/jpeg", "camera/m2m", "camera/mediadev", "camera/scale", "camera/v4l2", "camera/yuv", "driver", "i2c", "i2c/mcu", "odometry", "ros2", "ros2/cdr", "ros2/dynamic", "ros2/shell", "ros2/rclgo", "ros2/rmw", "ros2/rtps", "ros2/rtps/shapes", "ros2/rtps/wire", "sim", "sim/cuse"} {
		if !declares(t, room, "Example") {
			t.Errorf("%s has no Example", room)
		}
	}
}

// declares reports whether a test file of the room has a function whose name begins with prefix.
func declares(t *testing.T, room, prefix string) bool {
	t.Helper()
	for _, s := range sources(t) {
		if !s.test || s.room != room {
			continue
		}
		for _, decl := range s.ast.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Pos() != token.NoPos && strings.HasPrefix(f.Name.Name, prefix) {
				return true
			}
		}
	}
	return false
}
