// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
)

// Colour is red, green, blue and opacity.
type Colour [4]byte

// Point is a place in the plane, m.
type Point [2]float64

// Type reads a type that must be want; otherwise the error is ErrType.
func (r *Reader) Type(want byte) {
	if got := r.Byte(); r.err == nil && got != want {
		r.fail(fmt.Errorf("%w: 0x%02x, want 0x%02x", ErrType, got, want))
	}
}

// Peek returns the type of the next value, and whether there is one.
func (r *Reader) Peek() (byte, bool) {
	if len(r.b) == 0 {
		return 0, false
	}
	return r.b[0], true
}

// TypedDouble reads a double with its type.
func (r *Reader) TypedDouble() float64 { r.Type(DoubleType); return r.Double() }

// TypedInt reads an integer with its type.
func (r *Reader) TypedInt() int { r.Type(integer); return r.Int() }

// TypedByte reads a signed byte with its type.
func (r *Reader) TypedByte() int { r.Type(Byte); return int(int8(r.Byte())) }

// TypedUnsigned reads an unsigned byte with its type.
func (r *Reader) TypedUnsigned() byte { r.Type(UnsignedB); return r.Byte() }

// TypedString reads a string with its type.
func (r *Reader) TypedString() string { r.Type(StringType); return r.String() }

// TypedStrings reads a list of strings with its type.
func (r *Reader) TypedStrings() []string { r.Type(stringList); return r.Strings() }

// TypedColour reads a colour with its type.
func (r *Reader) TypedColour() (c Colour) {
	r.Type(ColourType)
	copy(c[:], r.next(len(c)))
	return c
}

// TypedPoint reads a position in the plane with its type.
func (r *Reader) TypedPoint() Point { r.Type(Position2D); return Point{r.Double(), r.Double()} }

// TypedCompound reads the head of a compound and returns the number of its items.
func (r *Reader) TypedCompound() int { r.Type(compound); return r.count(1) }

// TypedPolygon reads a polygon with its type.
func (r *Reader) TypedPolygon() []Point {
	r.Type(Polygon)
	n := int(r.Byte())
	if n == 0 {
		n = r.count(16)
	}
	if n > len(r.b)/16 {
		r.fail(fmt.Errorf("%w: %d corners in %d bytes", ErrLength, n, len(r.b)))
		return nil
	}
	shape := make([]Point, n)
	for i := range shape {
		shape[i] = Point{r.Double(), r.Double()}
	}
	return shape
}

// Skip reads over one typed value of any kind.
func (r *Reader) Skip() { r.skip(0) }

// deepest is how deep compounds may be nested.
const deepest = 8

func (r *Reader) skip(depth int) {
	switch t := r.Byte(); t {
	case LonLat, Position2D:
		r.next(16)
	case LonLatAlt, Position3D:
		r.next(24)
	case RoadMap:
		_ = r.String()
		r.next(9)
	case Polygon:
		n := int(r.Byte())
		if n == 0 {
			n = r.count(16)
		}
		r.next(16 * n)
	case UnsignedB, Byte:
		r.next(1)
	case integer:
		r.next(4)
	case DoubleType:
		r.next(8)
	case StringType:
		_ = r.String()
	case stringList:
		_ = r.Strings()
	case doubleList:
		r.next(8 * r.count(8))
	case ColourType:
		r.next(4)
	case compound:
		n := r.count(1)
		if depth >= deepest {
			r.fail(fmt.Errorf("%w: more than %d compounds in each other", ErrLength, deepest))
		}
		for i := 0; i < n && r.err == nil; i++ {
			r.skip(depth + 1)
		}
	default:
		if r.err == nil {
			r.fail(fmt.Errorf("%w: unknown, 0x%02x", ErrType, t))
		}
	}
}
