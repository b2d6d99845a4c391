// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// randomizer sets every field of a message. It draws from a seeded source
// rather than from rapid, which is slow for the thousands of numbers of a
// nested message; rapid draws the seed and shrinks the number of elements.
type randomizer struct {
	*rand.Rand
	most int // elements of a sequence, at most 3
}

// randomize fills v. Strings and sequences stay within the bounds that the
// types have: 3 elements, 1 for the parameter ranges, 22 bytes.
func (r *randomizer) randomize(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.randomize(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.randomize(v.Index(i), field)
		}
	case reflect.Slice:
		most := r.most
		if strings.HasSuffix(field, "Range") {
			most = min(most, 1)
		}
		n := r.IntN(most + 1)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			r.randomize(v.Index(i), field)
		}
	case reflect.String:
		s := make([]byte, r.IntN(23))
		for i := range s {
			s[i] = byte(r.Uint32())
		}
		v.SetString(string(s))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 1)
	default:
		r.number(v)
	}
}

// number sets random bits, so that floats are NaN, infinite and denormal too.
func (r *randomizer) number(v reflect.Value) {
	bits := r.Uint64()
	if r.IntN(8) == 0 {
		bits |= 0x7ff0_0000_7f80_0000 // not finite, in either size
	}
	switch {
	case v.Kind() == reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(bits))))
	case v.Kind() == reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
	case v.CanInt():
		v.SetInt(int64(bits))
	default:
		v.SetUint(bits)
	}
}

// Random values of every type are encoded as by the reference encoder, and survive decoding from both byte orders.
func TestRoundTrip(t *testing.T) {
	for _, m := range everyType() {
		t.Run(strings.ReplaceAll(m.ROSType(), "/", "."), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { roundTrip(t, m) })
		})
	}
}

func roundTrip(t *rapid.T, m msgs.Message) {
	r := randomizer{most: rapid.IntRange(0, 3).Draw(t, "most elements")}
	if strings.HasSuffix(m.ROSType(), "/MultiNested") {
		r.most = min(r.most, 1) // it has 27 containers of containers
	}
	r.Rand = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	want := fresh(m)
	r.randomize(reflect.ValueOf(want).Elem(), "")
	little := encodeReference(want, binary.LittleEndian)
	if got, err := cdr.Marshal(nil, want); err != nil || !bytes.Equal(got, little) {
		t.Fatalf("encodes to\n%x (%v), want\n%x", got, err, little)
	}
	for _, data := range [][]byte{little, encodeReference(want, binary.BigEndian)} {
		decoded := fresh(m)
		if err := cdr.Unmarshal(data, decoded); err != nil {
			t.Fatalf("decoding %x: %v", data, err)
		}
		if !bytes.Equal(cdr.Append(nil, decoded), little) {
			t.Fatalf("decoding %x (-want +got):\n%s", data, cmp.Diff(want, decoded, sameValue))
		}
	}
}
