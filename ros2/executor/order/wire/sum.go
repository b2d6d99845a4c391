// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
)

// Sum identifies a message by its content: the first eight bytes of the SHA-256 of its CDR form, without the
// encapsulation header and trailing zeros, since middlewares pad differently. Different messages of one type differ
// before their trailing zeros.
type Sum uint64

// SumOf returns the sum of a CDR form with its header.
func SumOf(payload []byte) Sum {
	hash := sha256.Sum256(bytes.TrimRight(payload[min(4, len(payload)):], "\x00"))
	return Sum(binary.BigEndian.Uint64(hash[:]))
}

// String returns 16 hexadecimal digits.
func (s Sum) String() string { return fmt.Sprintf("%016x", uint64(s)) }

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || Sum(n).String() != string(text) {
		return fmt.Errorf("%w: sum %q", errMessage, text)
	}
	*s = Sum(n)
	return nil
}
