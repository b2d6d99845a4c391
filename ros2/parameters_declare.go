// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"slices"
	"strings"
)

// Declare adds a parameter and returns its value: the override from the command line or a parameter file if there is
// one, else the default. The validators are called. Errors wrap [ErrInvalidName], [ErrAlreadyDeclared],
// [ErrParameterType], [ErrParameterRange] or [ErrRefused] and name the parameter; then nothing is declared.
func (p *Parameters) Declare(d ParameterDescriptor) (ParameterValue, error) {
	return p.DeclareShared(&d)
}

// DeclareShared is Declare for a descriptor that several nodes have in common. It is not copied if its type is set, and
// must not be changed afterwards.
func (p *Parameters) DeclareShared(d *ParameterDescriptor) (ParameterValue, error) {
	if err := validateParameterName(d.Name); err != nil {
		return ParameterValue{}, err
	}
	if d.Type == ParameterNotSet && d.Default.kind != ParameterNotSet {
		typed := *d
		typed.Type = d.Default.kind
		d = &typed
	}
	if d.Type == ParameterNotSet && !d.DynamicTyping {
		return ParameterValue{}, fmt.Errorf("%w: parameter %q has neither a type nor a default", ErrParameterType, d.Name)
	}
	defer p.notify() // after unlocking
	p.writing.Lock()
	defer p.writing.Unlock()
	if _, ok := p.lookup(d.Name); ok {
		return ParameterValue{}, fmt.Errorf("%w: %q", ErrAlreadyDeclared, d.Name)
	}
	value, err := p.initial(d)
	if err != nil {
		return ParameterValue{}, err
	}
	change := []Parameter{{d.Name, value}}
	if err := p.validate(change); err != nil {
		return ParameterValue{}, err
	}
	p.mu.Lock()
	e := parameter{ParameterDescriptor: d}
	e.setValue(value)
	i, _ := p.find(d.Name)
	p.table = slices.Insert(p.table, i, e)
	p.mu.Unlock()
	p.changes.add(ParameterEvent{New: change})
	return value, nil
}

// initial returns the initial value of a parameter.
func (p *Parameters) initial(d *ParameterDescriptor) (ParameterValue, error) {
	if d.Default.kind != ParameterNotSet {
		if err := d.Check(d.Default); err != nil {
			return ParameterValue{}, fmt.Errorf("default value: %w", err)
		}
	}
	o, ok := p.overrides[d.Name]
	if !ok {
		return d.Default, nil
	}
	value := o.raw.value()
	if !d.DynamicTyping {
		if value, ok = o.raw.as(d.Type); !ok {
			return ParameterValue{}, fmt.Errorf("%w: parameter %q is of type %v, which %v is not (%s)",
				ErrParameterType, d.Name, d.Type, o.raw, o.origin)
		}
	}
	if err := d.Check(value); err != nil {
		return ParameterValue{}, fmt.Errorf("%w (%s)", err, o.origin)
	}
	return value, nil
}

// Undeclare removes a parameter.
func (p *Parameters) Undeclare(name string) error {
	defer p.notify()
	p.writing.Lock()
	defer p.writing.Unlock()
	old, ok := p.lookup(name)
	switch {
	case !ok:
		return fmt.Errorf("%w: %q", ErrNotDeclared, name)
	case old.ReadOnly:
		return fmt.Errorf("%w: %q", ErrReadOnly, name)
	}
	p.mu.Lock()
	p.remove(name)
	p.mu.Unlock()
	p.changes.add(ParameterEvent{Deleted: []Parameter{{name, old.current()}}})
	return nil
}

// remove removes a declared parameter. The caller holds mu.
func (p *Parameters) remove(name string) {
	i, _ := p.find(name)
	p.table = slices.Delete(p.table, i, i+1)
}

// validateParameterName checks for words joined by dots.
func validateParameterName(name string) error {
	const what = "parameter name"
	if name == "" {
		return &NameError{what, name, 0, "it is empty"}
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`:=`, c) >= 0 {
			return &NameError{what, name, i, "spaces, colons and equals signs are not allowed"}
		}
	}
	return nil
}
