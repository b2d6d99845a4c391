// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"slices"
	"testing"
)

// TestBubblesAreRecognised: a rule that finds nothing looks like a rule that is kept.
func TestBubblesAreRecognised(t *testing.T) {
	const text = `package x
import "testing/synctest"
func TestA(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(1); in() }); both(); out() }
func TestB(t *testing.T) { world(t, func() { time.Sleep(2); both() }) }
func world(t *testing.T, f func()) { synctest.Test(t, func(t *testing.T) { f() }) }
func in()   { time.Sleep(3); deep() }
func deep() { time.Sleep(4) }
func both() { time.Sleep(5) }
func out()  { go func() { time.Sleep(6) }() }
func never() { time.Sleep(7) }
func (f fake) Open() { time.Sleep(8) }
func TestC(t *testing.T) { other.World(t, func() { time.Sleep(9) }); for _, c := range []func(){func() { time.Sleep(10) }} { world(t, c) } }
`
	s, err := Parse("x/x_test.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b := newBubbles([]Source{s}, []string{"World"})
	var lines []int
	for _, d := range s.AST.Decls {
		b.outside(d, func(n ast.Node) {
			if c, ok := n.(*ast.CallExpr); ok && calledName(c) == "time.Sleep" {
				lines = append(lines, s.Line(n.Pos()))
			}
		})
	}
	if want := []int{8, 9}; !slices.Equal(lines, want) {
		t.Errorf("outside are the sleeps of the lines %v, want %v", lines, want)
	}
}
