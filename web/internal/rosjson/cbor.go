// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// CBORMode returns the encoding of what rosbridge sends with the compressions cbor and cbor-raw (RFC 8949).
// Floating-point numbers keep their 64 bits, as rosbridge_suite sends them; the pairs of a map are sorted by their keys.
func CBORMode() (cbor.EncMode, error) {
	mode, err := cbor.EncOptions{
		Sort: cbor.SortBytewiseLexical, ShortestFloat: cbor.ShortestFloatNone,
		NaNConvert: cbor.NaNConvertNone, InfConvert: cbor.InfConvertNone,
	}.EncMode()
	if err != nil {
		return nil, fmt.Errorf("rosjson: %w", err)
	}
	return mode, nil
}

// CBORTree returns a message as a map of its fields for [CBORMode]. As in rosbridge_suite, arrays of numbers
// are typed arrays in little-endian order (RFC 8746), and arrays of octets are byte strings.
func CBORTree(m *dynamic.Message) map[string]any {
	fields := m.Type().Fields
	tree := make(map[string]any, len(fields))
	for i := range fields {
		v, _ := m.Get(fields[i].Name)
		tree[fields[i].Name] = cborValue(&fields[i], v)
	}
	return tree
}

// typedArray returns the tag of RFC 8746 for an array of numbers and their size, bytes; 0 for elements that have none.
func typedArray(k dynamic.Kind) (tag uint64, size int) {
	switch k {
	case dynamic.Uint16:
		return 69, 2
	case dynamic.Uint32:
		return 70, 4
	case dynamic.Uint64:
		return 71, 8
	case dynamic.Int8:
		return 72, 1
	case dynamic.Int16:
		return 77, 2
	case dynamic.Int32:
		return 78, 4
	case dynamic.Int64:
		return 79, 8
	case dynamic.Float32:
		return 85, 4
	case dynamic.Float64:
		return 86, 8
	}
	return 0, 0
}

// cborValue returns the value of a field as the library encodes it.
func cborValue(f *dynamic.Field, v any) any {
	list, ok := v.([]any)
	if !ok {
		return cborScalar(v)
	}
	if tag, size := typedArray(f.Kind); tag != 0 {
		data := make([]byte, 0, size*len(list))
		for _, x := range list {
			data = appendLittleEndian(data, f.Kind, size, x)
		}
		return cbor.Tag{Number: tag, Content: data}
	}
	all := make([]any, len(list))
	for i, x := range list {
		all[i] = cborScalar(x)
	}
	return all
}

// appendLittleEndian appends the octets of a number.
func appendLittleEndian(dst []byte, k dynamic.Kind, size int, v any) []byte {
	var bits uint64
	switch v := v.(type) {
	case int64:
		bits = uint64(v)
	case uint64:
		bits = v
	case float64:
		if bits = math.Float64bits(v); k == dynamic.Float32 {
			bits = uint64(math.Float32bits(float32(v)))
		}
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	return append(dst, b[:size]...)
}

// cborScalar returns what is no array.
func cborScalar(v any) any {
	switch v := v.(type) {
	case *dynamic.Message:
		return CBORTree(v)
	case string:
		return strings.ToValidUTF8(v, "\ufffd") // RFC 8949, 3.1: a text of other octets is not valid
	}
	return v
}
