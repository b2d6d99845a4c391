// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// rawField is a field whose nested type and default are not resolved yet.
type rawField struct {
	Field
	nested string
	def    string
}

var (
	fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	typeName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*){1,2}$`)
)

// builder builds types from raw fields, each type once.
type builder struct {
	fields func(name string) ([]rawField, error)
	done   map[string]*Type // nil while the type is being built
}

// build returns the named type, depth levels below the requested one.
func (b *builder) build(name string, depth int) (*Type, error) {
	if t, seen := b.done[name]; seen {
		if t == nil {
			return nil, fmt.Errorf("%w: %s contains itself", ErrDefinition, name)
		}
		return t, nil
	}
	if !typeName.MatchString(name) {
		return nil, fmt.Errorf("%w: type name %q", ErrDefinition, name)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: %s is nested %d messages deep", ErrUnsupported, name, depth)
	}
	raw, err := b.fields(name)
	if err != nil {
		return nil, withType(name, err)
	}
	b.done[name] = nil
	t := &Type{Name: name}
	names := make(map[string]bool, len(raw))
	for i := range raw {
		if name := raw[i].Name; !fieldName.MatchString(name) || names[name] {
			return nil, fmt.Errorf("%s: %w: field name %q", t.Name, ErrDefinition, name)
		}
		names[raw[i].Name] = true
		if err := b.add(t, &raw[i], depth); err != nil {
			return nil, err
		}
	}
	t.size = max(t.size, 1) // CDR has no empty structures
	b.done[name] = t
	return t, nil
}

// add appends a field to a type.
func (b *builder) add(t *Type, raw *rawField, depth int) error {
	f := raw.Field
	if f.Kind == Nested {
		nested, err := b.build(raw.nested, depth+1)
		if err != nil {
			return err
		}
		f.Type = nested
	}
	if f.Container == Array && f.Size > maxSize/max(f.elementSize(), 1) || t.size+f.minSize() > maxSize {
		return fmt.Errorf("%s.%s: %w: larger than %d bytes", t.Name, f.Name, ErrUnsupported, maxSize)
	}
	if raw.def != "" {
		value, err := parseDefault(&f, raw.def)
		if err != nil {
			return fmt.Errorf("%s.%s: %w: default %s: %w", t.Name, f.Name, ErrDefinition, raw.def, err)
		}
		f.Default = value
	}
	t.Fields = append(t.Fields, f)
	t.size += f.minSize()
	return nil
}

// withType prepends the type to an error that does not name it yet.
func withType(name string, err error) error {
	if errors.Is(err, ErrUnknownType) && strings.HasSuffix(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
