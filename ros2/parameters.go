// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Parameter is a name with a value.
type Parameter struct {
	Name  string
	Value ParameterValue
}

// ParameterEvent tells which parameters changed, as the topic
// /parameter_events does.
type ParameterEvent struct {
	// New parameters were declared, Changed ones set, Deleted ones undeclared.
	New, Changed, Deleted []Parameter
}

// Parameters is a table of declared parameters with their values. It is safe
// for concurrent use. Validators and observers run one at a time, in the order
// of the changes; they may read the table but must not change it.
type Parameters struct {
	writing    sync.Mutex // held through a whole change, with its callbacks
	overrides  map[string]override
	validators callbacks[func([]Parameter) error]
	observers  callbacks[func(ParameterEvent)]

	mu    sync.RWMutex // guards table, and its entries' values
	table map[string]*parameter
}

type parameter struct {
	ParameterDescriptor
	value ParameterValue
}

// NewParameters returns an empty table that takes its overrides from what args
// say for the node; a later one replaces an earlier one of the same name.
func NewParameters(args Args, node NodeName) *Parameters {
	p := &Parameters{table: make(map[string]*parameter), overrides: make(map[string]override)}
	for _, o := range args.overridesFor(node) {
		p.overrides[o.name] = o
	}
	return p
}

// Declare adds a parameter and returns its value: the override from the command
// line or a parameter file if there is one, else the default. The validators are
// asked. Errors wrap [ErrInvalidName], [ErrAlreadyDeclared], [ErrParameterType],
// [ErrParameterRange] or [ErrRefused] and name the parameter; then nothing is
// declared.
func (p *Parameters) Declare(d ParameterDescriptor) (ParameterValue, error) {
	if err := validateParameterName(d.Name); err != nil {
		return ParameterValue{}, err
	}
	if d.Type == ParameterNotSet {
		d.Type = d.Default.kind
	}
	if d.Type == ParameterNotSet && !d.DynamicTyping {
		return ParameterValue{}, fmt.Errorf("%w: parameter %q has neither a type nor a default", ErrParameterType, d.Name)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	if _, ok := p.lookup(d.Name); ok {
		return ParameterValue{}, fmt.Errorf("%w: %q", ErrAlreadyDeclared, d.Name)
	}
	value, err := p.initial(&d)
	if err != nil {
		return ParameterValue{}, err
	}
	change := []Parameter{{d.Name, value}}
	if err := p.validate(change); err != nil {
		return ParameterValue{}, err
	}
	p.mu.Lock()
	p.table[d.Name] = &parameter{d, value}
	p.mu.Unlock()
	p.notify(ParameterEvent{New: change})
	return value, nil
}

// initial returns the value of a parameter about to be declared.
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
	delete(p.table, name)
	p.mu.Unlock()
	p.notify(ParameterEvent{Deleted: []Parameter{{name, old.value}}})
	return nil
}

// Get returns the value of a parameter, or [ErrNotDeclared].
func (p *Parameters) Get(name string) (ParameterValue, error) {
	e, ok := p.lookup(name)
	if !ok {
		return ParameterValue{}, fmt.Errorf("%w: %q", ErrNotDeclared, name)
	}
	return e.value, nil
}

// Describe returns the declaration of a parameter, or [ErrNotDeclared].
func (p *Parameters) Describe(name string) (ParameterDescriptor, error) {
	e, ok := p.lookup(name)
	if !ok {
		return ParameterDescriptor{}, fmt.Errorf("%w: %q", ErrNotDeclared, name)
	}
	return e.ParameterDescriptor, nil
}

// All returns all parameters sorted by name.
func (p *Parameters) All() []Parameter {
	p.mu.RLock()
	defer p.mu.RUnlock()
	all := make([]Parameter, 0, len(p.table))
	for name, e := range p.table {
		all = append(all, Parameter{name, e.value})
	}
	slices.SortFunc(all, func(a, b Parameter) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// UnusedOverrides returns, sorted, the names that the arguments give values to
// but that are not declared: most likely typing errors.
func (p *Parameters) UnusedOverrides() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var names []string
	for name := range p.overrides {
		if p.table[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (p *Parameters) lookup(name string) (parameter, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if e := p.table[name]; e != nil {
		return *e, true
	}
	return parameter{}, false
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
