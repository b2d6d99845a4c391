// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestShortened: a test counts if it calls testing.Short itself, in a function literal, or through helpers and methods
// of the folder's other test files; others, benchmarks and TestMain do not.
func TestShortened(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("package p\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a_test.go", `
func TestDirect(t *testing.T) { if testing.Short() { t.Skip() } }
func TestLiteral(t *testing.T) { t.Run("a", func(t *testing.T) { n := seeds() }) }
func TestMethod(t *testing.T) { new(run).start() }
func TestOther(t *testing.T) { t.Log(testing.Verbose()) }
func TestMain(m *testing.M) { testing.Short() }
func BenchmarkShort(b *testing.B) { testing.Short() }
`)
	write("b_test.go", `
func seeds() int { return count(100) }
func count(n int) int { if testing.Short() { return 1 }; return n }
type run struct{}
func (*run) start() { seeds() }
`)
	write("c.go", `func TestNoTest() { testing.Short() }`)
	tests, err := shortened(folder)
	slices.Sort(tests)
	if want := []string{"TestDirect", "TestLiteral", "TestMethod"}; err != nil || !slices.Equal(tests, want) {
		t.Errorf("%v, %v", tests, err)
	}
	write("d_test.go", `func {`)
	if _, err := shortened(folder); err == nil {
		t.Error("a file with a syntax error was accepted")
	}
}
