// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// ErrClash means that two ROS names have the same Go name: a_1 and a1 are different fields in ROS.
var ErrClash = errors.New("two names become one")

// scope is a set of Go names with the ROS name of each.
type scope map[string]string

// add adds a name, or returns an error with the ROS name that has it already.
func (s scope) add(goName, ros string) error {
	if first, taken := s[goName]; taken {
		return fmt.Errorf("%w: %s and %s would both be %s in Go", ErrClash, first, ros, goName)
	}
	s[goName] = ros
	return nil
}

// checkClashes checks the names that a package declares and the field names of each of its messages.
func checkClashes(p *Package, all []*Package) error {
	u := newUnit("", p, all)
	declared := scope{}
	for _, m := range p.Messages {
		if err := u.declare(declared, m); err != nil {
			return err
		}
	}
	for _, s := range p.Services {
		err := errors.Join(declared.add(s.Name, s.FullName()), u.declare(declared, &s.Request), u.declare(declared, &s.Response))
		if err != nil {
			return err
		}
	}
	for _, a := range p.Actions {
		if err := errors.Join(declared.add(a.Name, a.FullName()), u.declare(declared, &a.Goal),
			u.declare(declared, &a.Result), u.declare(declared, &a.Feedback)); err != nil {
			return err
		}
	}
	return nil
}

// declare adds the Go names that a message declares.
func (u *unit) declare(declared scope, m *idl.Message) error {
	name := goTypeName(m.Name)
	err := declared.add(name, m.FullName())
	if u.hasDefault(m) {
		err = errors.Join(err, declared.add("Default"+name, "the default of "+m.FullName()))
	}
	for _, c := range m.Constants {
		err = errors.Join(err, declared.add(goConstName(m.Name, c.Name), m.FullName()+"."+c.Name))
	}
	fields := scope{}
	for _, f := range m.Fields {
		err = errors.Join(err, fields.add(goFieldName(f.Name), m.FullName()+"."+f.Name))
	}
	return err
}
