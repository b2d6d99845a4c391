// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
)

// Point is x and y, metres; in YAML a list of two numbers.
type Point [2]float64

// UnmarshalYAML implements yaml.Unmarshaler; unlike the decoder's own way with
// arrays its error says where.
func (p *Point) UnmarshalYAML(n *yaml.Node) error { return numbers(n, p[:]) }

// Point3 is x, y and z, metres; in YAML a list of three numbers.
type Point3 [3]float64

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *Point3) UnmarshalYAML(n *yaml.Node) error { return numbers(n, p[:]) }

// UnmarshalYAML implements yaml.Unmarshaler.
func (c *Corners) UnmarshalYAML(n *yaml.Node) error {
	var p [2]float64
	if err := numbers(n, p[:]); err != nil {
		return err
	}
	for i, v := range p {
		if math.Abs(v) > 1e6 || v != math.Trunc(v) {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: must be two whole numbers", n.Line)}}
		}
		c[i] = int(v)
	}
	return nil
}

// numbers reads a list of exactly as many numbers as p holds.
func numbers(n *yaml.Node, p []float64) error {
	var list []float64
	if err := n.Decode(&list); err != nil || len(list) != len(p) {
		return &yaml.TypeError{Errors: []string{
			fmt.Sprintf("line %d: must be a list of %d numbers", n.Line, len(p)),
		}}
	}
	copy(p, list)
	return nil
}
