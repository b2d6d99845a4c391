// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// ErrCycle means that a message contains itself.
var ErrCycle = errors.New("message contains itself")

// checkReferences checks that every type to which a package refers exists, and that no message contains itself: later
// steps rely on both.
func checkReferences(p *Package, all []*Package) error {
	u := newUnit("", p, all)
	for _, m := range p.generated() {
		if err := u.checkMessage(m, nil); err != nil {
			return err
		}
	}
	return nil
}

// checkMessage checks a message below those of path.
func (u *unit) checkMessage(m *idl.Message, path []string) error {
	name := m.FullName()
	if slices.Contains(path, name) {
		return fmt.Errorf("%w: %s", ErrCycle, strings.Join(append(path, name), " → "))
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		if f.Type.Base != idl.Nested {
			continue
		}
		ref := u.find(f.Type.Ref)
		if ref == nil {
			return unknown(u.all, f.Type.Ref, "field "+name+"."+f.Name)
		}
		if err := u.checkMessage(ref, append(path, name)); err != nil {
			return err
		}
	}
	return nil
}
