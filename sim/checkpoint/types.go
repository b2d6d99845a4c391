// SPDX-License-Identifier: Apache-2.0

package checkpoint

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// plan says what to do with the values of a type.
type plan uint8

const (
	walk    plan = iota // write what is in it
	skip                // leave it alone
	marshal             // let it write itself
)

// marshaler is a type that writes and reads itself.
type marshaler interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

var marshalerType = reflect.TypeFor[marshaler]()

// planFor decides by a type alone, so that writer and reader decide alike. own is the path of the module whose types
// are walked.
func planFor(t reflect.Type, own string) plan {
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr, reflect.Complex64, reflect.Complex128, reflect.Invalid:
		return skip
	case reflect.Struct:
		switch path := t.PkgPath(); {
		case path == "" || strings.HasPrefix(path, own) || path == "sync/atomic":
			return walk
		case reflect.PointerTo(t).Implements(marshalerType):
			return marshal
		}
		return skip
	}
	return walk
}

// layout describes a struct type, for the reader to compare.
func layout(t reflect.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%s{", t.PkgPath(), t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		fmt.Fprintf(&b, "%s %s %s;", f.Name, f.Type, f.Tag)
	}
	b.WriteByte('}')
	return b.String()
}

// saved reports whether a field is part of the state.
func saved(f reflect.StructField) bool { return f.Tag.Get("checkpoint") != "-" }
