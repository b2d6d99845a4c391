// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"reflect"
	"testing"
)

// TestQoSEqualComparesEveryPolicy: a change of any one field, also one that is added later, makes two QoS unequal.
func TestQoSEqualComparesEveryPolicy(t *testing.T) {
	full := func() QoS {
		q := DefaultWriterQoS()
		q.DurabilityService, q.ResourceLimits = &DurabilityService{Depth: 1}, &ResourceLimits{}
		q.Partition, q.Representation = []string{"a"}, []DataRepresentation{0}
		return q
	}
	a, b := full(), full()
	if !a.Equal(&b) || !b.Equal(&a) {
		t.Error("equal QoS are unequal")
	}
	for i := range reflect.TypeFor[QoS]().NumField() {
		name := reflect.TypeFor[QoS]().Field(i).Name
		c := full()
		change(t, reflect.ValueOf(&c).Elem().Field(i))
		if a.Equal(&c) || c.Equal(&a) {
			t.Errorf("QoS with different %s are equal", name)
		}
	}
}

// change gives v, or the first part of it, another value.
func change(t *testing.T, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice:
		v.SetZero()
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.Struct:
		change(t, v.Field(0))
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	default:
		t.Fatalf("no change of a %v", v.Kind())
	}
}
