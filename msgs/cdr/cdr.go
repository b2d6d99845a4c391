// SPDX-License-Identifier: Apache-2.0

package cdr

// HeaderSize is the length in bytes of the encapsulation header.
const HeaderSize = 4

// Unbounded is the bound of a sequence or string that has none.
const Unbounded = 0

// Marshaler is a value that appends its own fields to an Encoder.
type Marshaler interface {
	// EncodeCDR appends the value. What cannot be encoded (a sequence over its
	// bound) becomes the encoder's sticky error.
	EncodeCDR(*Encoder)
}

// Unmarshaler is a value that reads its own fields from a Decoder.
type Unmarshaler interface {
	// DecodeCDR overwrites every field of the value, reusing the memory of its
	// slices. What cannot be decoded becomes the decoder's sticky error and
	// the fields from there on become zero.
	DecodeCDR(*Decoder)
}

// Message is both.
type Message interface {
	Marshaler
	Unmarshaler
}

// Append appends m with its encapsulation header to dst. A value that breaks
// a bound of its type appends nothing: use [Marshal] to learn why. Append
// allocates an Encoder; a steady sender keeps one and calls [Encoder.Marshal].
func Append(dst []byte, m Marshaler) []byte {
	out, _ := Marshal(dst, m)
	return out
}

// Marshal appends m with its encapsulation header to dst. On an error
// ([ErrBound]) it returns dst as it was.
func Marshal(dst []byte, m Marshaler) ([]byte, error) {
	var e Encoder
	return e.Marshal(dst, m)
}

// Unmarshal decodes data, which starts with an encapsulation header, into m.
// It copies what it keeps. After an error m is not fit for use.
func Unmarshal(data []byte, m Unmarshaler) error {
	var d Decoder
	return d.Unmarshal(data, m)
}

// Resize returns a slice of length n that reuses the memory of s where that
// is large enough; the elements keep what they held. It helps DecodeCDR
// methods, after SeqLen has checked n.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}
