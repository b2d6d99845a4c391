// SPDX-License-Identifier: Apache-2.0

package ros2

import "fmt"

// Set changes each parameter independently and returns one error for each, nil if it was changed.
func (p *Parameters) Set(ps ...Parameter) []error {
	errs := make([]error, len(ps))
	for i, one := range ps {
		errs[i] = p.SetAtomically(one)
	}
	return errs
}

// SetAtomically changes all the parameters or, on an error, none. Values must have exactly the declared type (an
// integer is not a double). Errors wrap [ErrNotDeclared], [ErrReadOnly], [ErrParameterType], [ErrParameterRange] or
// [ErrRefused] and name the parameter. If a name occurs twice the last value is used. The value "not set" removes a
// parameter with dynamic typing, as "ros2 param delete" does; for others it is an error. Observers are called after the
// change.
func (p *Parameters) SetAtomically(ps ...Parameter) error {
	defer p.notify() // when it is unlocked
	p.writing.Lock()
	defer p.writing.Unlock()
	for _, one := range ps {
		e, ok := p.lookup(one.Name)
		switch {
		case !ok:
			return fmt.Errorf("%w: %q", ErrNotDeclared, one.Name)
		case e.ReadOnly:
			return fmt.Errorf("%w: %q", ErrReadOnly, one.Name)
		}
		if one.Value.kind == ParameterNotSet {
			if !e.DynamicTyping {
				return fmt.Errorf("%w: cannot undeclare the statically typed parameter %q", ErrParameterType, one.Name)
			}
			continue
		}
		if err := e.Check(one.Value); err != nil {
			return err
		}
	}
	ps = lastOfEach(ps)
	if err := p.validate(ps); err != nil {
		return err
	}
	p.changes.add(p.apply(ps))
	return nil
}

// apply makes a validated change. The value "not set" removes the parameter.
func (p *Parameters) apply(ps []Parameter) (e ParameterEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range ps {
		i, _ := p.find(one.Name)
		if one.Value.kind == ParameterNotSet {
			e.Deleted = append(e.Deleted, Parameter{one.Name, p.table[i].current()})
			p.remove(one.Name)
			continue
		}
		p.table[i].setValue(one.Value)
		e.Changed = append(e.Changed, one)
	}
	return e
}

// lastOfEach returns a copy of ps with only the last value of each name.
func lastOfEach(ps []Parameter) []Parameter {
	at := make(map[string]int, len(ps))
	out := make([]Parameter, 0, len(ps))
	for _, one := range ps {
		if i, again := at[one.Name]; again {
			out[i] = one
			continue
		}
		at[one.Name] = len(out)
		out = append(out, one)
	}
	return out
}

// OnSet calls f before each declaration and change, with the new values of all parameters that change together. An
// error rejects all of them; its text is the reason that "ros2 param set" shows. f must not act on the values, since
// another validator may still reject them; use [Parameters.OnChange] for that.
func (p *Parameters) OnSet(f func([]Parameter) error) (cancel func()) {
	return p.validators.Add(f)
}

// OnChange calls f after each change. An f that blocks delays the other observers, but no change. When 64 changes are
// queued, further ones are merged into one event. f may still be running when cancel returns.
func (p *Parameters) OnChange(f func(ParameterEvent)) (cancel func()) {
	return p.observers.Add(f)
}

func (p *Parameters) validate(ps []Parameter) error {
	for f := range p.validators.All {
		if err := f(ps); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	return nil
}
