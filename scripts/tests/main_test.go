// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// project makes a folder of files and returns it.
func project(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const untagged = `// a licence

package a

func TestPure(t *testing.T) { t.Log(testing.Verbose()) }
func TestDirect(t *testing.T) { if !suite.Long { t.Skip() } }
func TestLiteral(t *testing.T) { t.Run("a", func(t *testing.T) { n := seeds() }) }
func TestMethod(t *testing.T) { new(run).start() }
func TestMain(m *testing.M) { _ = suite.Long }
func BenchmarkLong(b *testing.B) { _ = suite.Long }
`

const helpers = `package a

func seeds() int { return count(100) }
func count(n int) int { if suite.Long { return n }; return 1 }
type run struct{}
func (*run) start() { seeds() }
func (*run) TestOfAType() {}
`

func tagged(tags, test string) string {
	return "// a licence\n\n//go:build " + tags + "\n\npackage a\n\nfunc Test" + test + "(t *testing.T) {}\nfunc BenchmarkX(b *testing.B) {}\n"
}

// TestFind: a test is of peers or system by its file's constraint, of long also if it mentions suite.Long itself, in a
// function literal, or through helpers and methods of its folder; files that are not built are left out.
func TestFind(t *testing.T) {
	root := project(t, map[string]string{
		"a/a_test.go": untagged, "a/b_test.go": helpers, "a/c.go": "package a\nfunc TestNoTest() { _ = suite.Long }",
		"b/peers_test.go":        tagged("peers", "Peer"),
		"b/both_test.go":         tagged("peers && linux && amd64 && cgo", "PeerOnLinux"),
		"b/ros_test.go":          tagged("peers && rclgo", "ROS"),
		"b/windows_test.go":      tagged("system && windows", "Windows"),
		"b/vm_test.go":           tagged("system && vm", "VM"),
		"b/either_test.go":       tagged("system || linux", "Either"),
		"b/main_test.go":         tagged("!system", "Alone"),
		"c/system_test.go":       tagged("system && linux && !arm", "System"),
		"c/long_test.go":         tagged("long", "Seeds"),
		"c/two_test.go":          tagged("system && long", "Two"),
		"c/d/system_test.go":     tagged("system", "Below"),
		"testdata/a/x_test.go":   tagged("system", "Data"),
		".hidden/system_test.go": tagged("system", "Hidden"),
	})
	for _, c := range []struct {
		suite, packages, names string
		not                    []string
	}{
		{"peers", "./b", "TestPeer TestPeerOnLinux", nil},
		{"system", "./c ./c/d", "TestBelow TestSystem TestTwo", nil},
		{"system", "./c", "TestSystem TestTwo", []string{"c/d"}},
		{"long", "./a ./c", "TestDirect TestLiteral TestMethod TestSeeds TestTwo", nil},
		{"long", "./a", "TestDirect TestLiteral TestMethod", []string{"c"}},
	} {
		packages, names, err := find(root, c.suite, c.not)
		if err != nil || strings.Join(packages, " ") != c.packages || strings.Join(names, " ") != c.names {
			t.Errorf("%s without %q: %q of %q, %v", c.suite, c.not, names, packages, err)
		}
	}
}

// TestBadFiles: files with errors are errors, and a suite without tests is one.
func TestBadFiles(t *testing.T) {
	if _, _, err := find(project(t, map[string]string{"a_test.go": untagged}), "peers", nil); !errors.Is(err, errSuite) {
		t.Errorf("%v, want %v", err, errSuite)
	}
	for name, text := range map[string]string{"syntax": "package a\nfunc {", "constraint": tagged("peers &&", "X")} {
		if _, _, err := find(project(t, map[string]string{"a_test.go": text}), "long", nil); err == nil || errors.Is(err, errSuite) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestThisProject: suites have tests of this project.
func TestThisProject(t *testing.T) {
	for suite, want := range map[string]string{"peers": "./cosim/webots", "system": "./sim/armcost"} {
		packages, names, err := find(filepath.Join("..", ".."), suite, nil)
		if err != nil || !slices.Contains(packages, want) || len(names) < len(packages)/2 {
			t.Errorf("%s: %q, %v", suite, packages, err)
		}
	}
}
