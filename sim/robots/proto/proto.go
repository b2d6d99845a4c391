// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// base is the name of the link that is the Robot itself.
const base = "base_link"

// Parse reads the robot of a PROTO, or the one Robot of a world. The name is the file's, for errors: nothing is opened.
// Errors match those of this package or of [robots], and name file and line.
func Parse(name string, text []byte) (*description.Robot, error) {
	doc, found, err := parseFile(name, text)
	if err != nil {
		return nil, err
	}
	root, err := doc.robot(name)
	if err != nil {
		return nil, err
	}
	b := &builder{file: name, robot: &description.Robot{}, links: map[string]int{}, joints: map[string]int{}}
	b.root(root)
	for _, r := range doc.roots {
		if r.node != root {
			b.drop(r.node, "it is of the world")
		}
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	if err := b.robot.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b.drive()
	b.robot.Ignored = b.leftover(doc, found)
	return b.robot, nil
}

// robot finds the node that the robot is.
func (d *document) robot(file string) (*node, error) {
	if d.proto != "" {
		root := d.roots[0].node
		if root.kind != "Robot" && root.kind != "Solid" {
			return nil, fault(errContent, file, root.line, "PROTO %s is a %s: what that is another file says", d.proto, root.kind)
		}
		return root, nil
	}
	var all []*node
	var kinds []string
	for _, r := range d.roots {
		if r.kind == "Robot" {
			all = append(all, r.node)
		}
		if len(kinds) < 10 {
			kinds = append(kinds, r.kind)
		}
	}
	switch {
	case len(all) == 0:
		return nil, fault(errContent, file, 1, "no Robot, only: %s", strings.Join(kinds, ", "))
	case len(all) > 1:
		return nil, fault(errContent, file, all[1].line, "a second Robot, after line %d: which one is meant?", all[0].line)
	}
	return all[0], nil
}

// root makes the whole robot.
func (b *builder) root(n *node) {
	b.robot.Name = b.text(n, "name", "robot")
	b.addLink(n.line, base)
	if b.enter(n) {
		b.inside(n, place{})
		b.leave()
	}
	if battery := b.numbers(n, "battery", 1, true); battery != nil {
		b.battery(n, battery)
	}
}
