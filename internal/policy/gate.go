// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// shortest is the least time that a test of the gate may wait for something that it expects: long enough that a busy
// machine reaches it, as it ends only a test that hangs.
const shortest = 30 * time.Second

// Fault is something that a test of the gate must not do, and where.
type Fault struct {
	Path string
	Line int
	What string
}

func (f Fault) String() string { return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.What) }

// starters are packages that start other programs.
var starters = map[string]string{
	"os/exec":                        "starts programs",
	"golang.org/x/tools/go/packages": "starts go list",
	"github.com/rogpeppe/go-internal/testscript": "starts programs",
}

// forbiddenCalls are functions whose results depend on the machine, on other processes or on chance.
var forbiddenCalls = map[string]string{
	"os.Getpid": "depends on the process", "os.StartProcess": "starts a program",
	"syscall.ForkExec": "starts a program", "syscall.Exec": "starts a program", "syscall.StartProcess": "starts a program",
	"runtime.NumGoroutine": "counts those of the whole process", "runtime.ReadMemStats": "measures the whole process",
	"runtime/metrics.Read": "measures the whole process",
	"syscall.Getrusage":    "measures the whole process", "golang.org/x/sys/unix.Getrusage": "measures the whole process",
	"golang.org/x/sys/unix.Getpid": "depends on the process", "syscall.Getpid": "depends on the process",
	"net.ListenMulticastUDP": "a socket beyond loopback",
}

// seeded are the names of math/rand and math/rand/v2 that use no generator with a random seed.
var seeded = []string{
	"New", "NewPCG", "NewSource", "NewChaCha8", "NewZipf", "Rand", "Source", "Source64", "PCG", "ChaCha8", "Zipf",
}

// GateFaults returns what the tests of the gate do that can fail without a fault of the code, except in benchmarks and
// what only they call. Exceptions are left in: GateExceptions has them.
func GateFaults(all []Source) (faults []Fault) {
	folders := map[string][]Source{}
	for _, s := range all {
		if s.Test && Suite(s.AST) == Gate {
			folders[s.Folder] = append(folders[s.Folder], s)
		}
	}
	helpers := newHelpers(all)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		files := folders[folder]
		g := gate{helpers: helpers, constants: newConstants(files), bubbles: newBubbles(files, helpers.entering(files))}
		g.benchmarks = g.bubbles.onlyCalled(func(by string) bool { return strings.HasPrefix(by, "Benchmark") })
		for _, s := range files {
			faults = append(faults, g.file(s)...)
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Line - b.Line
	})
	return slices.Compact(faults)
}

// helpers are the packages of the project that tests import: which of them start programs, and which of their functions
// enter bubbles.
type helpers struct {
	starts  map[string]bool
	bubbles map[string][]string
}

// newHelpers searches the packages that import testing without being tests.
func newHelpers(all []Source) helpers {
	h := helpers{map[string]bool{}, map[string][]string{}}
	suites := map[string][]Source{}
	testing := map[string]bool{}
	for _, s := range all {
		if !s.Test {
			suites[s.Folder] = append(suites[s.Folder], s)
			testing[s.Folder] = testing[s.Folder] || slices.Contains(s.Imports, "testing")
		}
	}
	for folder := range testing {
		if !testing[folder] {
			continue
		}
		path := Module + "/" + folder
		b := newBubbles(suites[folder], nil)
		for name := range b.enters {
			if ast.IsExported(name) {
				h.bubbles[path] = append(h.bubbles[path], name)
			}
		}
		h.starts[path] = slices.ContainsFunc(suites[folder], func(s Source) bool {
			return Suite(s.AST) == Gate && slices.Contains(s.Imports, "os/exec")
		})
	}
	return h
}

// entering returns the names of the functions that the files may call to enter a bubble.
func (h helpers) entering(files []Source) (names []string) {
	for _, s := range files {
		for _, imp := range s.Imports {
			names = append(names, h.bubbles[imp]...)
		}
	}
	return names
}

// gate searches the tests of one package.
type gate struct {
	helpers
	constants  constants
	bubbles    *bubbles
	benchmarks map[string]bool // functions that only benchmarks call
}

func (g gate) file(s Source) (faults []Fault) {
	names := importNames(s)
	report := func(pos token.Pos, format string, args ...any) {
		faults = append(faults, Fault{s.Path, s.Line(pos), fmt.Sprintf(format, args...)})
	}
	for _, d := range s.AST.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && (strings.HasPrefix(f.Name.Name, "Benchmark") || g.benchmarks[f.Name.Name]) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if what := g.selector(names, n); what != "" {
					report(n.Pos(), "%s", what)
				}
			case *ast.CallExpr:
				if what := callFault(names, n); what != "" {
					report(n.Pos(), "%s", what)
				}
			}
			return true
		})
		g.bubbles.outside(d, func(n ast.Node) {
			if c, ok := n.(*ast.CallExpr); ok {
				if what := g.waits(names, c); what != "" {
					report(n.Pos(), "%s", what)
				}
			}
		})
	}
	return faults
}

// importNames returns the paths of a file's imports by the names that they have in it.
func importNames(s Source) map[string]string {
	names := map[string]string{}
	for i, spec := range s.AST.Imports {
		path := s.Imports[i]
		parts := strings.Split(path, "/")
		name := parts[len(parts)-1]
		if len(parts) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
			name = parts[len(parts)-2]
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	return names
}

// qualified returns the import path and the name of package.Name; empty if it is something else.
func qualified(names map[string]string, e ast.Expr) (path, name string) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && names[x.Name] != "" {
		return names[x.Name], sel.Sel.Name
	}
	return "", ""
}

// selector returns what is wrong with the use of a package's name.
func (g gate) selector(names map[string]string, sel *ast.SelectorExpr) string {
	path, name := qualified(names, sel)
	if why := starters[path]; why != "" {
		return "uses " + path + ", which " + why
	}
	if g.starts[path] {
		return "uses " + path + ", which starts programs"
	}
	if (path == "math/rand" || path == "math/rand/v2") && !slices.Contains(seeded, name) {
		return "rand." + name + ": random numbers without a seed"
	}
	if why := forbiddenCalls[path+"."+name]; why != "" {
		return path + "." + name + ": " + why
	}
	return ""
}

// callFault returns what is wrong with a call, wherever it is.
func callFault(names map[string]string, c *ast.CallExpr) string {
	path, name := qualified(names, c.Fun)
	switch {
	case (path == "math/rand" || path == "math/rand/v2") && strings.HasPrefix(name, "New") && usesClock(names, c):
		return "rand." + name + ": a seed from the clock"
	case path == "os" || path == "path/filepath" && name == "Glob":
		if readsProc(c) {
			return "reads /proc"
		}
	case path == "net" && strings.HasPrefix(name, "Listen"):
		return listenFault(names, name, c)
	}
	for i, arg := range c.Args {
		if literal(arg) == "go" && i+1 < len(c.Args) && slices.Contains([]string{"build", "run", "test", "vet", "list", "tool", "install", "env"}, literal(c.Args[i+1])) {
			return "starts go " + literal(c.Args[i+1])
		}
	}
	return ""
}

func usesClock(names map[string]string, c *ast.CallExpr) (uses bool) {
	for _, arg := range c.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				path, name := qualified(names, e)
				uses = uses || path == "time" && name == "Now"
			}
			return true
		})
	}
	return uses
}

func readsProc(c *ast.CallExpr) (reads bool) {
	for _, arg := range c.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			reads = reads || ok && strings.HasPrefix(literal(e), "/proc/")
			return true
		})
	}
	return reads
}

// literal returns the value of a literal string, and "" for other expressions.
func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			return text
		}
	}
	return ""
}

// waits returns what is wrong with a call that waits on the machine's clock.
func (g gate) waits(names map[string]string, c *ast.CallExpr) string {
	path, name := qualified(names, c.Fun)
	arg := 0
	switch {
	case path == "time" && slices.Contains([]string{"Sleep", "After", "NewTimer", "Tick"}, name):
	case path == "context" && (name == "WithTimeout" || name == "WithTimeoutCause"):
		arg = 1
	default:
		return ""
	}
	if arg >= len(c.Args) {
		return ""
	}
	if d, ok := g.constants.duration(c.Args[arg]); ok && d > 0 && d < shortest {
		return fmt.Sprintf("%s.%s of %v on the machine's clock", path, name, d)
	}
	return ""
}
