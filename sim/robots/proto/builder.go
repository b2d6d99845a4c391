// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// builder makes a robot of nodes. It continues after a fault, so that all of them are listed, but not beyond a bound.
type builder struct {
	file  string
	robot *description.Robot

	visits, depth int
	full          bool // a bound is reached: no more is visited
	faults        []error
	more          int // faults beyond maxErrors
	remarks       []description.Remark

	links, joints map[string]int // how often a name was wanted
	wheels        []wheel        // joints that may be wheels of a differential drive
}

// failf lists a fault.
func (b *builder) failf(line int, format string, args ...any) {
	if len(b.faults) == maxErrors {
		b.more++
		return
	}
	b.faults = append(b.faults, fault(errContent, b.file, line, format, args...))
}

// err gives the faults.
func (b *builder) err() error {
	if b.more > 0 {
		return errors.Join(errors.Join(b.faults...), fmt.Errorf("%w: %s: %d more", errContent, b.file, b.more))
	}
	return errors.Join(b.faults...)
}

// bound ends the visits with an error.
func (b *builder) bound(line int, format string, args ...any) {
	if !b.full {
		b.full = true
		b.faults = append(b.faults, fault(errBound, b.file, line, format, args...))
	}
}

// remarkf lists something that has no meaning here, or not all of it.
func (b *builder) remarkf(line int, format string, args ...any) {
	b.remarks = append(b.remarks, description.Remark{Line: line, Text: fmt.Sprintf(format, args...)})
}

// drop lists a node that has no meaning here, as a whole.
func (b *builder) drop(n *node, format string, args ...any) {
	if !n.dropped {
		n.dropped = true
		b.remarkf(n.line, "%s: "+format, append([]any{n.kind}, args...)...)
	}
}

// enter reports whether a node may be visited. If so, leave has to follow.
func (b *builder) enter(n *node) bool {
	n.seen = true
	b.charge(n.line, 1)
	if b.depth == maxDepth {
		b.bound(n.line, "%s: more than %d nodes in each other, with what USE puts there", n.kind, maxDepth)
	}
	if b.full {
		return false
	}
	b.depth++
	return true
}

func (b *builder) leave() { b.depth-- }

// charge counts work against the bound.
func (b *builder) charge(line, work int) {
	if b.visits += work; b.visits > maxNodes {
		b.bound(line, "more than %d nodes, with those that USE and IS repeat", maxNodes)
	}
}

// unused gives a name that is no other link's or joint's: the wanted one, or that with a number.
func unused(names map[string]int, wanted string) string {
	if wanted == "" {
		wanted = "unnamed"
	}
	name := wanted
	for names[name] > 0 {
		names[wanted]++
		name = fmt.Sprintf("%s_%d", wanted, names[wanted])
	}
	names[name]++
	return name
}

// addLink makes a link and gives its index, 0 if there are too many.
func (b *builder) addLink(line int, wanted string) int {
	if len(b.robot.Links) == description.MaxParts {
		b.bound(line, "more than %d links", description.MaxParts)
		return 0
	}
	name := unused(b.links, wanted)
	if name != wanted && wanted != "solid" {
		b.remarkf(line, "a second link %q: it is %q here", clip(wanted), clip(name))
	}
	b.robot.Links = append(b.robot.Links, description.Link{Name: name})
	return len(b.robot.Links) - 1
}
