// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"strings"
	"testing"
)

// startsGoroutines are functions of the standard library that run what they are given on another goroutine, and what to
// use instead.
var startsGoroutines = map[string]string{
	"time.AfterFunc": "task.AfterFunc", "context.AfterFunc": "task.AfterDone",
	"runtime.AddCleanup": "Close", "runtime.SetFinalizer": "Close",
	"http.ListenAndServe": "a listener and task.Go", "http.ListenAndServeTLS": "a listener and task.Go",
}

// freeOfTasks are folders that are not in the program, or whose goroutines can't panic.
var freeOfTasks = map[string]string{
	"internal/task":    "starts all of them",
	"internal/policy":  "reads the project's files, in no program that users have",
	"ros2/ros2test":    "the suite of the transports' tests",
	"ros2/rclgo":       "finalizers free memory of C",
	"ros2/rtps/vnet":   "a network for tests",
	"examples/explore": "a program of its own, on what other modules can import",
}

// TestTasksStartEveryGoroutine: a panic in any goroutine of the program must stop the wheels before the program ends,
// so package task starts them all. Besides the go statement there are sync.WaitGroup.Go and errgroup, and functions of
// the standard library that call back on another goroutine.
func TestTasksStartEveryGoroutine(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if s.Test || s.Folder == "internal/task" {
			continue
		}
		for _, imp := range s.Imports {
			if strings.HasSuffix(imp, "/errgroup") || strings.HasSuffix(imp, "/conc") {
				t.Errorf("%s imports %s: use task.Group", s.Path, imp)
			}
		}
		ast.Inspect(s.AST, func(n ast.Node) bool {
			wrong := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				wrong = "a go statement: use task.Go"
			case *ast.SelectorExpr:
				wrong = callsBack(n)
			case *ast.CallExpr:
				if wrong = startsOne(n); wrong == "" && named(n) {
					found++
				}
			}
			if _, free := freeOfTasks[s.Folder]; wrong != "" && !free {
				t.Errorf("%s:%d: %s", s.Path, s.Fset.Position(n.Pos()).Line, wrong)
			}
			return true
		})
	}
	if found < 20 {
		t.Errorf("found only %d tasks: the walk is broken", found)
	}
}

// startsOne returns what is wrong with a call that starts a goroutine without package task, "" if it does not.
func startsOne(call *ast.CallExpr) string {
	// task's want a name as well
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(call.Args) == 1 {
		return "a WaitGroup's Go: use task.Group"
	}
	return ""
}

// callsBack returns what is wrong with the use of a function that runs what it is given on another goroutine, be it
// called or passed on.
func callsBack(sel *ast.SelectorExpr) string {
	if pkg, ok := sel.X.(*ast.Ident); ok {
		if instead, bad := startsGoroutines[pkg.Name+"."+sel.Sel.Name]; bad {
			return pkg.Name + "." + sel.Sel.Name + ": use " + instead
		}
	}
	return ""
}

// named reports whether a call starts a task: Go with a name.
func named(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Go" && len(call.Args) == 2
}
