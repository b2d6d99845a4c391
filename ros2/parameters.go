// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/callback"
)

// Parameter is a name with a value.
type Parameter struct {
	Name  string
	Value ParameterValue
}

// ParameterEvent lists changed parameters, as the topic /parameter_events does.
type ParameterEvent struct {
	// New parameters were declared, Changed ones set, Deleted ones undeclared.
	New, Changed, Deleted []Parameter
}

// Parameters is a table of declared parameters with their values. It is safe
// for concurrent use.
//
// Validators ([Parameters.OnSet]) run one at a time, before the change. They may read the table, but must not block,
// change it, or create publishers or subscriptions, whose overrides are parameters: later changes wait for them.
//
// Observers ([Parameters.OnChange]) run one at a time, in the order of the changes, without a lock. They may change
// parameters and create subscriptions; the resulting events follow when they have returned. A change returns when the
// observers have been called, unless one is still handling an earlier change: then the goroutine that called it
// continues with the later ones, and the change does not wait.
type Parameters struct {
	writing    sync.Mutex // held during a change and its validators, but not its observers
	overrides  map[string]override
	validators callback.List[func([]Parameter) error]
	observers  callback.List[func(ParameterEvent)]
	changes    changeQueue // for the observers

	mu    sync.RWMutex // guards table, and its entries' values
	table []parameter  // by name; a map takes three times the memory, which counts for a thousand robots
}

type parameter struct {
	*ParameterDescriptor
	value *ParameterValue // nil if it is the default, as most are: it saves memory for a thousand robots
}

// current returns its value.
func (p *parameter) current() ParameterValue {
	if p.value == nil {
		return p.Default
	}
	return *p.value
}

// setValue sets its value.
func (p *parameter) setValue(v ParameterValue) {
	d := &p.Default
	if p.value = nil; v.list != nil || d.list != nil || v.kind != d.kind || v.num != d.num || v.str != d.str {
		p.value = new(v)
	}
}

// NewParameters returns an empty table with the overrides in args for the node; a later one replaces an earlier one of
// the same name.
func NewParameters(args Args, node NodeName) *Parameters {
	p := &Parameters{overrides: make(map[string]override)}
	for _, o := range args.overridesFor(node) {
		p.overrides[o.name] = o
	}
	return p
}

// Get returns the value of a parameter, or [ErrNotDeclared].
func (p *Parameters) Get(name string) (ParameterValue, error) {
	e, ok := p.lookup(name)
	if !ok {
		return ParameterValue{}, fmt.Errorf("%w: %q", ErrNotDeclared, name)
	}
	return e.current(), nil
}

// Describe returns the declaration of a parameter, or [ErrNotDeclared].
func (p *Parameters) Describe(name string) (ParameterDescriptor, error) {
	e, ok := p.lookup(name)
	if !ok {
		return ParameterDescriptor{}, fmt.Errorf("%w: %q", ErrNotDeclared, name)
	}
	return *e.ParameterDescriptor, nil
}

// All returns all parameters sorted by name.
func (p *Parameters) All() []Parameter {
	p.mu.RLock()
	defer p.mu.RUnlock()
	all := make([]Parameter, 0, len(p.table))
	for i := range p.table {
		all = append(all, Parameter{p.table[i].Name, p.table[i].current()})
	}
	return all
}

// UnusedOverrides returns, sorted, the names in the arguments that are not declared: most likely typing errors.
func (p *Parameters) UnusedOverrides() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var names []string
	for name := range p.overrides {
		if _, ok := p.find(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// overridden reports whether the arguments set the parameter.
func (p *Parameters) overridden(name string) bool {
	_, ok := p.overrides[name]
	return ok
}

// Declared reports whether a parameter is declared.
func (p *Parameters) Declared(name string) bool {
	_, ok := p.lookup(name)
	return ok
}

func (p *Parameters) lookup(name string) (parameter, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if i, ok := p.find(name); ok {
		return p.table[i], true
	}
	return parameter{}, false
}

// find returns the index of a parameter, or of the place for it, in the table. The caller holds mu.
func (p *Parameters) find(name string) (i int, ok bool) {
	return slices.BinarySearchFunc(p.table, name, func(e parameter, name string) int { return cmp.Compare(e.Name, name) })
}
