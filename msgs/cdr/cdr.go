// SPDX-License-Identifier: Apache-2.0

package cdr

// HeaderSize is the length in bytes of the encapsulation header.
const HeaderSize = 4

// Unbounded is the bound of an unbounded sequence or string.
const Unbounded = 0

// Marshaler is a value that appends its fields to an Encoder.
type Marshaler interface {
	// EncodeCDR appends the value. If it cannot be encoded (a sequence over its bound), it sets the encoder's sticky
	// error.
	EncodeCDR(*Encoder)
}

// Unmarshaler is a value that decodes its fields from a Decoder.
type Unmarshaler interface {
	// DecodeCDR overwrites every field of the value, reusing the memory of its slices. If a field cannot be decoded, it
	// sets the decoder's sticky error, and that field and those after it become zero.
	DecodeCDR(*Decoder)
}

// Message can be encoded and decoded.
type Message interface {
	Marshaler
	Unmarshaler
}

// Append appends m with its encapsulation header to dst. If m exceeds a bound of its type it appends nothing; [Marshal]
// returns the error. Append allocates an Encoder; a frequent sender keeps one and calls [Encoder.Marshal].
func Append(dst []byte, m Marshaler) []byte {
	out, _ := Marshal(dst, m)
	return out
}

// Marshal appends m with its encapsulation header to dst. On an error ([ErrBound]) it returns dst unchanged.
func Marshal(dst []byte, m Marshaler) ([]byte, error) {
	var e Encoder
	return e.Marshal(dst, m)
}

// Unmarshal decodes data, which starts with an encapsulation header, into m. It keeps no reference to data. After an
// error m must not be used.
func Unmarshal(data []byte, m Unmarshaler) error {
	var d Decoder
	return d.Unmarshal(data, m)
}

// Resize returns a slice of length n that reuses the memory of s if that is large enough; its elements are not cleared.
// DecodeCDR methods use it after SeqLen has checked n.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}
