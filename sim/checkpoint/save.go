// SPDX-License-Identifier: Apache-2.0

package checkpoint

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// Save writes the state of what root, a pointer, points to. own is the module whose types are walked. Values of named
// basic types and of map keys are written by their kind.
func Save(w io.Writer, root any, own string) error {
	s := &saver{w: bufio.NewWriter(w), own: own, seen: make(map[visit]bool), known: make(map[reflect.Type]bool)}
	if err := s.value(reflect.ValueOf(root), "root"); err != nil {
		return err
	}
	return s.w.Flush()
}

// visit is something behind a pointer. A struct and its first field have the same address, hence the type.
type visit struct {
	at   unsafe.Pointer
	kind reflect.Type
}

type saver struct {
	w     *bufio.Writer
	own   string
	seen  map[visit]bool
	known map[reflect.Type]bool
	buf   [8]byte
}

func (s *saver) number(v uint64) error {
	binary.LittleEndian.PutUint64(s.buf[:], v)
	_, err := s.w.Write(s.buf[:])
	return err
}

func (s *saver) text(v string) error {
	if err := s.number(uint64(len(v))); err != nil {
		return err
	}
	_, err := s.w.WriteString(v)
	return err
}

// open gives a value that may be read although its field is not exported.
func open(v reflect.Value) reflect.Value {
	if v.CanInterface() || !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

func (s *saver) value(v reflect.Value, path string) error {
	switch planFor(v.Type(), s.own) {
	case skip:
		return nil
	case marshal:
		return s.marshal(v, path)
	}
	switch v.Kind() {
	case reflect.Bool:
		return s.number(map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return s.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return s.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		return s.number(math.Float64bits(v.Float()))
	case reflect.String:
		return s.text(v.String())
	case reflect.Array:
		return s.elements(v, path)
	case reflect.Slice:
		return s.slice(v, path)
	case reflect.Map:
		return s.table(v, path)
	case reflect.Struct:
		return s.fields(v, path)
	case reflect.Pointer:
		return s.pointer(v, path)
	case reflect.Interface:
		return s.dynamic(v, path)
	}
	return fmt.Errorf("checkpoint: %s: %s can't be written", path, v.Type())
}

func (s *saver) marshal(v reflect.Value, path string) error {
	if !v.CanAddr() {
		return fmt.Errorf("checkpoint: %s: %s has no address", path, v.Type())
	}
	m, ok := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(marshaler)
	if !ok {
		return fmt.Errorf("checkpoint: %s: %s does not write itself", path, v.Type())
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return fmt.Errorf("checkpoint: %s: %w", path, err)
	}
	return s.text(string(b))
}

func (s *saver) elements(v reflect.Value, path string) error {
	for i := range v.Len() {
		if err := s.value(v.Index(i), path); err != nil {
			return err
		}
	}
	return nil
}

func (s *saver) slice(v reflect.Value, path string) error {
	n := uint64(v.Len()) + 1
	if v.IsNil() {
		n = 0
	}
	if err := s.number(n); err != nil {
		return err
	}
	return s.elements(v, path)
}

func (s *saver) fields(v reflect.Value, path string) error {
	t := v.Type()
	if !s.known[t] {
		s.known[t] = true
		if err := s.text(layout(t)); err != nil {
			return err
		}
	}
	for i := range t.NumField() {
		if f := t.Field(i); saved(f) {
			if err := s.value(open(v.Field(i)), path+"."+f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *saver) pointer(v reflect.Value, path string) error {
	if v.IsNil() || planFor(v.Type().Elem(), s.own) == skip {
		return s.number(0)
	}
	here := visit{v.UnsafePointer(), v.Type()}
	if s.seen[here] {
		return s.number(1)
	}
	s.seen[here] = true
	if err := s.number(2); err != nil {
		return err
	}
	return s.value(v.Elem(), path)
}

func (s *saver) dynamic(v reflect.Value, path string) error {
	if v.IsNil() {
		return s.text("")
	}
	in := v.Elem()
	if err := s.text(in.Type().String()); err != nil {
		return err
	}
	return s.value(in, path)
}

// table writes a map in the order of its keys.
func (s *saver) table(v reflect.Value, path string) error {
	n := uint64(v.Len()) + 1
	if v.IsNil() {
		n = 0
	}
	if err := s.number(n); err != nil {
		return err
	}
	for _, k := range sorted(v) {
		if err := s.value(k, path); err != nil {
			return err
		}
		held := reflect.New(v.Type().Elem()).Elem() // a value of a map has no address
		held.Set(v.MapIndex(k))
		if err := s.value(held, fmt.Sprintf("%s[%v]", path, k)); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the keys of a map in an order of their own.
func sorted(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		}
		// Structs of texts may look alike without quotes.
		return cmp.Or(cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)), cmp.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)))
	})
	return keys
}
