// SPDX-License-Identifier: Apache-2.0

package checkpoint

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
)

// longest bounds the length of one string or list in a file: data that claims more is damaged.
const longest = 1 << 28

// Load puts a state that Save has written into what root, a pointer, points to. After an error the graph is of no use.
func Load(r io.Reader, root any, own string) error {
	l := &loader{r: bufio.NewReader(r), own: own, known: make(map[reflect.Type]bool)}
	return l.value(reflect.ValueOf(root), "root")
}

type loader struct {
	r     *bufio.Reader
	own   string
	known map[reflect.Type]bool
	buf   [8]byte
}

func (l *loader) number() (uint64, error) {
	if _, err := io.ReadFull(l.r, l.buf[:]); err != nil {
		return 0, fmt.Errorf("%w: cut off: %w", errFormat, err)
	}
	return binary.LittleEndian.Uint64(l.buf[:]), nil
}

// length reads a number of bytes or elements.
func (l *loader) length(path string) (int, error) {
	n, err := l.number()
	if err == nil && n > longest {
		err = fmt.Errorf("%w: %s: length %d", errFormat, path, n)
	}
	return int(n), err
}

func (l *loader) text(path string) (string, error) {
	n, err := l.length(path)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(l.r, int64(n))) // grows as there is data: a claim alone costs nothing
	if err != nil || len(b) < n {
		return "", fmt.Errorf("%w: %s: cut off", errFormat, path)
	}
	return string(b), nil
}

func (l *loader) value(v reflect.Value, path string) error {
	switch planFor(v.Type(), l.own) {
	case skip:
		return nil
	case marshal:
		return l.marshal(v, path)
	}
	switch v.Kind() {
	case reflect.Array:
		return l.elements(v, v.Len(), path)
	case reflect.Slice:
		return l.slice(v, path)
	case reflect.Map:
		return l.table(v, path)
	case reflect.Struct:
		return l.fields(v, path)
	case reflect.Pointer:
		return l.pointer(v, path)
	case reflect.Interface:
		return l.dynamic(v, path)
	}
	return l.basic(v, path)
}

// basic reads a number or a text. A value without an address, one that an interface holds, must be what it was.
func (l *loader) basic(v reflect.Value, path string) error {
	if v.Kind() == reflect.String {
		s, err := l.text(path)
		switch {
		case err != nil:
			return err
		case v.CanSet():
			v.SetString(s)
		case v.String() != s:
			return fmt.Errorf("%w: %s: %q instead of %q", errFormat, path, v.String(), s)
		}
		return nil
	}
	n, err := l.number()
	if err != nil {
		return err
	}
	read := reflect.New(v.Type()).Elem()
	switch {
	case v.Kind() == reflect.Bool:
		read.SetBool(n != 0)
	case v.CanInt():
		read.SetInt(int64(n))
	case v.CanUint():
		read.SetUint(n)
	case v.CanFloat():
		read.SetFloat(math.Float64frombits(n))
	default:
		return fmt.Errorf("%w: %s: %s can't be read", errFormat, path, v.Type())
	}
	switch {
	case v.CanSet():
		v.Set(read)
	case !v.Equal(read):
		return fmt.Errorf("%w: %s: %v instead of %v", errFormat, path, v, read)
	}
	return nil
}

func (l *loader) marshal(v reflect.Value, path string) error {
	b, err := l.text(path)
	if err != nil {
		return err
	}
	if !v.CanAddr() {
		return fmt.Errorf("%w: %s: %s has no address", errFormat, path, v.Type())
	}
	m, ok := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(marshaler)
	if !ok {
		return fmt.Errorf("%w: %s: %s does not read itself", errFormat, path, v.Type())
	}
	if err := m.UnmarshalBinary([]byte(b)); err != nil {
		return fmt.Errorf("%w: %s: %w", errFormat, path, err)
	}
	return nil
}

func (l *loader) elements(v reflect.Value, n int, path string) error {
	for i := range n {
		if err := l.value(v.Index(i), path); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) slice(v reflect.Value, path string) error {
	n, err := l.length(path)
	if err != nil || planFor(v.Type().Elem(), l.own) == skip { // a list of functions stays as the constructor made it
		return err
	}
	if !v.CanSet() {
		return fmt.Errorf("%w: %s: a list that can't be set", errFormat, path)
	}
	if n--; n < 0 {
		v.SetZero()
		return nil
	}
	if v.IsNil() || v.Len() > n {
		v.Set(reflect.MakeSlice(v.Type(), min(n, 1024), min(n, 1024)))
	}
	for i := range n { // grows as there is data
		if i >= v.Len() {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		if err := l.value(v.Index(i), path); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) fields(v reflect.Value, path string) error {
	t := v.Type()
	if !l.known[t] {
		l.known[t] = true
		was, err := l.text(path)
		if err != nil {
			return err
		}
		if now := layout(t); was != now {
			return fmt.Errorf("%w: %s: made by another version of the program: %s is not %s", errFormat, path, was, now)
		}
	}
	for i := range t.NumField() {
		if f := t.Field(i); saved(f) {
			if err := l.value(open(v.Field(i)), path+"."+f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) pointer(v reflect.Value, path string) error {
	n, err := l.number()
	if err != nil {
		return err
	}
	switch {
	case n == 0 && planFor(v.Type().Elem(), l.own) != skip && !v.IsNil():
		if !v.CanSet() {
			return fmt.Errorf("%w: %s: a pointer that can't be set", errFormat, path)
		}
		v.SetZero()
	case n == 1 && v.IsNil():
		return fmt.Errorf("%w: %s: points to what is not there", errFormat, path)
	case n == 2:
		if v.IsNil() {
			if !v.CanSet() {
				return fmt.Errorf("%w: %s: a pointer that can't be set", errFormat, path)
			}
			v.Set(reflect.New(v.Type().Elem()))
		}
		return l.value(v.Elem(), path)
	case n > 2:
		return fmt.Errorf("%w: %s: pointer %d", errFormat, path, n)
	}
	return nil
}

func (l *loader) dynamic(v reflect.Value, path string) error {
	name, err := l.text(path)
	if err != nil {
		return err
	}
	have := ""
	if !v.IsNil() {
		have = v.Elem().Type().String()
	}
	if name != have {
		return fmt.Errorf("%w: %s: holds %q instead of %q", errFormat, path, have, name)
	}
	if have == "" {
		return nil
	}
	return l.value(v.Elem(), path)
}

func (l *loader) table(v reflect.Value, path string) error {
	n, err := l.length(path)
	if err != nil {
		return err
	}
	if !v.CanSet() {
		return fmt.Errorf("%w: %s: a map that can't be set", errFormat, path)
	}
	if n == 0 {
		v.SetZero()
		return nil
	}
	read := reflect.MakeMap(v.Type())
	for range n - 1 {
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := l.value(k, path); err != nil {
			return err
		}
		if old := v.MapIndex(k); old.IsValid() { // what is there stays itself
			e.Set(old)
		}
		if err := l.value(e, path); err != nil {
			return err
		}
		read.SetMapIndex(k, e)
	}
	v.Set(read)
	return nil
}
