// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Major types of CBOR (RFC 8949, 3.1).
const (
	cborUnsigned = 0 << 5
	cborNegative = 1 << 5
	cborBytes    = 2 << 5
	cborText     = 3 << 5
	cborArray    = 4 << 5
	cborMap      = 5 << 5
	cborTag      = 6 << 5
)

// CBORText appends a text string; CBORMap the head of a map of n pairs; CBORUint a number.
func CBORText(dst []byte, s string) []byte {
	return append(cborHead(dst, cborText, uint64(len(s))), s...)
}

// CBORMap appends the head of a map of n pairs.
func CBORMap(dst []byte, n int) []byte { return cborHead(dst, cborMap, uint64(n)) }

// CBORUint appends a whole number.
func CBORUint(dst []byte, v uint64) []byte { return cborHead(dst, cborUnsigned, v) }

// CBORBytes appends a byte string.
func CBORBytes(dst, data []byte) []byte {
	return append(cborHead(dst, cborBytes, uint64(len(data))), data...)
}

// cborHead appends a major type with its argument in the shortest form.
func cborHead(dst []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(dst, major|byte(n))
	case n <= math.MaxUint8:
		return append(dst, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, major|27), n)
}

// AppendCBOR appends a message as a CBOR map. Octets are byte strings, lists of other numbers typed arrays (RFC 8746),
// as rosbridge has them.
func AppendCBOR(dst []byte, m *dynamic.Message) []byte {
	fields := m.Type().Fields
	dst = CBORMap(dst, len(fields))
	for i := range fields {
		dst = CBORText(dst, fields[i].Name)
		v, _ := m.Get(fields[i].Name)
		dst = appendCBORValue(dst, &fields[i], v)
	}
	return dst
}

// typedArray returns the tag of a list of little-endian numbers and the bytes of each; 0 if there is none.
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

func appendCBORValue(dst []byte, f *dynamic.Field, v any) []byte {
	switch v := v.(type) {
	case []byte:
		return CBORBytes(dst, v)
	case []any:
		if tag, size := typedArray(f.Kind); tag != 0 {
			dst = cborHead(cborHead(dst, cborTag, tag), cborBytes, uint64(size*len(v)))
			for _, x := range v {
				dst = appendLittleEndian(dst, f.Kind, size, x)
			}
			return dst
		}
		dst = cborHead(dst, cborArray, uint64(len(v)))
		for _, x := range v {
			dst = appendCBORScalar(dst, x)
		}
		return dst
	}
	return appendCBORScalar(dst, v)
}

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

func appendCBORScalar(dst []byte, v any) []byte {
	switch v := v.(type) {
	case *dynamic.Message:
		return AppendCBOR(dst, v)
	case bool:
		if v {
			return append(dst, 0xf5)
		}
		return append(dst, 0xf4)
	case int64:
		if v < 0 {
			return cborHead(dst, cborNegative, uint64(-(v + 1)))
		}
		return CBORUint(dst, uint64(v))
	case uint64:
		return CBORUint(dst, v)
	case float64:
		return binary.BigEndian.AppendUint64(append(dst, 0xfb), math.Float64bits(v))
	case string:
		return CBORText(dst, strings.ToValidUTF8(v, "\ufffd")) // RFC 8949, 3.1: a text of other octets is not valid
	}
	return append(dst, 0xf6)
}
