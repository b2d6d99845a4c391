// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// ask gives a field's value and counts it as read. It is nil if the file does not say the field.
func (n *node) ask(name string) *field {
	f := n.field(name)
	if f != nil {
		f.read = true
	}
	return f
}

// numbers gives the numbers of a field, which have to be as many, or a multiple of it where the field is a list.
func (b *builder) numbers(n *node, name string, count int, list bool) []float64 {
	f := n.ask(name)
	if f == nil || list && f.val.empty() {
		return nil
	}
	v := f.val.numbers
	switch {
	case list && len(v) > 0 && len(v)%count == 0, !list && len(v) == count:
		return v
	case list:
		b.failf(f.line, "%s.%s: not numbers by %d", n.kind, name, count)
	default:
		b.failf(f.line, "%s.%s: not %d numbers", n.kind, name, count)
	}
	return nil
}

// number gives a field of one number.
func (b *builder) number(n *node, name string, without float64) float64 {
	if v := b.numbers(n, name, 1, false); v != nil {
		return v[0]
	}
	return without
}

// positive gives a field of one number above 0.
func (b *builder) positive(n *node, name string, without float64) float64 {
	v := b.number(n, name, without)
	if !(v > 0) {
		b.failf(n.ask(name).line, "%s.%s: %g is not above 0", n.kind, name, v)
		return without
	}
	return v
}

// count gives a field of one whole number in bounds.
func (b *builder) count(n *node, name string, without, least, most int) int {
	v := b.number(n, name, float64(without))
	if v != math.Trunc(v) || v < float64(least) || v > float64(most) {
		b.failf(n.ask(name).line, "%s.%s: %g is no whole number from %d to %d", n.kind, name, v, least, most)
		return without
	}
	return int(v)
}

// vector gives a field of three numbers.
func (b *builder) vector(n *node, name string, without r3.Vec) r3.Vec {
	if v := b.numbers(n, name, 3, false); v != nil {
		return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
	}
	return without
}

// direction gives a field of three numbers at length 1.
func (b *builder) direction(n *node, name string, without r3.Vec) r3.Vec {
	v := b.vector(n, name, without)
	if r3.Norm(v) < minAxis {
		b.failf(n.ask(name).line, "%s.%s: no direction", n.kind, name)
		return without
	}
	return r3.Unit(v)
}

// minAxis is the shortest vector that has a direction.
const minAxis = 1e-9

// pose gives translation and rotation.
func (b *builder) pose(n *node) description.Pose {
	at := b.vector(n, "translation", r3.Vec{})
	turn := b.numbers(n, "rotation", 4, false)
	if turn == nil {
		return description.Pose{Position: at}
	}
	axis := r3.Vec{X: turn[0], Y: turn[1], Z: turn[2]}
	if r3.Norm(axis) < minAxis {
		if turn[3] != 0 {
			b.failf(n.ask("rotation").line, "%s.rotation: about no axis", n.kind)
		}
		return description.Pose{Position: at}
	}
	return description.FromAxis(at, axis, turn[3])
}

// text gives a field of one string.
func (b *builder) text(n *node, name, without string) string {
	f := n.ask(name)
	switch {
	case f == nil:
		return without
	case len(f.val.strings) != 1:
		b.failf(f.line, "%s.%s: not one string", n.kind, name)
		return without
	}
	return f.val.strings[0]
}

// boolean returns the value of a field that is TRUE or FALSE.
func (b *builder) boolean(n *node, name string) bool {
	f := n.ask(name)
	switch {
	case f == nil:
		return false
	case len(f.val.booleans) != 1:
		b.failf(f.line, "%s.%s: neither TRUE nor FALSE", n.kind, name)
		return false
	}
	return f.val.booleans[0]
}

// nodes gives the nodes of a field.
func (b *builder) nodes(n *node, name string) []ref {
	f := n.ask(name)
	if f == nil || f.val.empty() {
		return nil
	}
	if f.val.nodes == nil {
		b.failf(f.line, "%s.%s: not nodes", n.kind, name)
	}
	return f.val.nodes
}

// single gives the node of a field, nil if there is none.
func (b *builder) single(n *node, name string) *node {
	nodes := b.nodes(n, name)
	if len(nodes) > 1 {
		b.failf(n.ask(name).line, "%s.%s: %d nodes", n.kind, name, len(nodes))
	}
	if len(nodes) == 0 {
		return nil
	}
	nodes[0].seen = true
	return nodes[0].node
}
