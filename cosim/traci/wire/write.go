// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"math"
)

// AppendInt appends an int32.
func AppendInt(b []byte, v int) []byte { return binary.BigEndian.AppendUint32(b, uint32(int32(v))) }

// AppendDouble appends a double.
func AppendDouble(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(b, math.Float64bits(v))
}

// AppendString appends a string.
func AppendString(b []byte, s string) []byte { return append(AppendInt(b, len(s)), s...) }

// TypeInt appends an integer with its type.
func TypeInt(b []byte, v int) []byte { return AppendInt(append(b, integer), v) }

// TypeDouble appends a double with its type.
func TypeDouble(b []byte, v float64) []byte { return AppendDouble(append(b, DoubleType), v) }

// TypeString appends a string with its type.
func TypeString(b []byte, s string) []byte { return AppendString(append(b, StringType), s) }

// TypeStrings appends a list of strings with its type.
func TypeStrings(b []byte, list []string) []byte {
	b = AppendInt(append(b, stringList), len(list))
	for _, s := range list {
		b = AppendString(b, s)
	}
	return b
}

// TypePoint appends a position in the plane with its type.
func TypePoint(b []byte, p Point) []byte { return appendPoint(append(b, Position2D), p) }

// TypePoint3 appends a position in space with its type.
func TypePoint3(b []byte, p Point, z float64) []byte {
	return AppendDouble(appendPoint(append(b, Position3D), p), z)
}

func appendPoint(b []byte, p Point) []byte { return AppendDouble(AppendDouble(b, p[0]), p[1]) }

// TypePolygon appends a polygon with its type.
func TypePolygon(b []byte, shape []Point) []byte {
	b = append(b, Polygon)
	if n := len(shape); n > 0 && n <= 255 {
		b = append(b, byte(n))
	} else {
		b = AppendInt(append(b, 0), n)
	}
	for _, p := range shape {
		b = appendPoint(b, p)
	}
	return b
}

// TypeColour appends a colour with its type.
func TypeColour(b []byte, c Colour) []byte { return append(append(b, ColourType), c[:]...) }

// TypeCompound appends the head of a compound of n items.
func TypeCompound(b []byte, n int) []byte { return AppendInt(append(b, compound), n) }

// AppendCommand appends a command: with one byte of length if that is enough and long is not asked for.
func AppendCommand(b []byte, id byte, body []byte, long bool) []byte {
	if n := shortHead + len(body); n <= 255 && !long {
		b = append(b, byte(n), id)
	} else {
		b = append(AppendInt(append(b, 0), longHead+len(body)), id)
	}
	return append(b, body...)
}

// AppendStatus appends the status of a command.
func AppendStatus(b []byte, id, result byte, text string) []byte {
	n := shortHead + 1 + lengthBytes + len(text)
	if n <= 255 {
		b = append(b, byte(n), id)
	} else {
		b = append(AppendInt(append(b, 0), n+lengthBytes), id)
	}
	return AppendString(append(b, result), text)
}

// Begin begins a message whose length is not known yet; End puts it in.
func Begin(b []byte) []byte { return append(b[:0], 0, 0, 0, 0) }

// End completes a message that Begin began.
func End(b []byte) []byte {
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}
