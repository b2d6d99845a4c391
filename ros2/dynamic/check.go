// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"math"
)

// check returns nil if v is a value that the field can hold, else an [ErrValue].
func (f *Field) check(v any) error {
	if f.Container == Single {
		return f.checkElement(v)
	}
	var n int
	if f.Kind.octets() {
		list, ok := v.([]byte)
		if !ok {
			return fmt.Errorf("%w: %T for a list of %v", ErrValue, v, f.Kind)
		}
		n = len(list)
	} else {
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%w: %T for a list of %v", ErrValue, v, f.Kind)
		}
		n = len(list)
		for i, e := range list {
			if err := f.checkElement(e); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
	}
	return f.checkLength(n)
}

// checkLength checks the number of elements of a list.
func (f *Field) checkLength(n int) error {
	switch {
	case f.Container == Array && n != f.Size:
		return fmt.Errorf("%w: %d elements, the array has %d", ErrValue, n, f.Size)
	case f.Container == Bounded && n > f.Size:
		return fmt.Errorf("%w: %d elements, at most %d", ErrValue, n, f.Size)
	}
	return nil
}

// checkElement checks one value.
func (f *Field) checkElement(v any) error {
	ok := false
	switch v := v.(type) {
	case bool:
		ok = f.Kind == Bool
	case string:
		if ok = f.Kind == String; ok && f.StringBound > 0 && len(v) > f.StringBound {
			return fmt.Errorf("%w: string of %d bytes, at most %d", ErrValue, len(v), f.StringBound)
		}
	case float64:
		if ok = f.Kind.float(); ok && f.Kind == Float32 && !math.IsInf(v, 0) && math.Abs(v) > math.MaxFloat32 {
			return fmt.Errorf("%w: %v is too large for float32", ErrValue, v)
		}
	case int64:
		if ok = f.Kind.signed(); ok {
			return f.checkSigned(v)
		}
	case uint64:
		if ok = f.Kind.unsigned() || f.Kind == Byte; ok {
			return f.checkUnsigned(v)
		}
	case *Message:
		ok = f.Kind == Nested && v != nil && v.typ == f.Type
	}
	if !ok {
		return fmt.Errorf("%w: %T for %v", ErrValue, v, f.Kind)
	}
	return nil
}

func (f *Field) checkSigned(v int64) error {
	limit := int64(1) << (8*f.Kind.size() - 1)
	if f.Kind.size() < 8 && (v >= limit || v < -limit) {
		return fmt.Errorf("%w: %d is not between %d and %d", ErrValue, v, -limit, limit-1)
	}
	return nil
}

func (f *Field) checkUnsigned(v uint64) error {
	if limit := uint64(1) << (8 * f.Kind.size()); f.Kind.size() < 8 && v >= limit {
		return fmt.Errorf("%w: %d is not between 0 and %d", ErrValue, v, limit-1)
	}
	return nil
}
