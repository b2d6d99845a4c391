// SPDX-License-Identifier: Apache-2.0

package crypto

import (
	"bytes"
	"errors"
	"testing"
)

// TestPaddedPayloads: payloads open with padding after the footer, and signed ones with Fast DDS's in the footer; a
// flipped bit is found in each of them.
func TestPaddedPayloads(t *testing.T) {
	for _, transform := range []Transform{AES256GMAC, AES256GCM} {
		seal, open := sealer(t, known(transform)), opener(t, known(transform))
		for n := range 9 {
			plain := bytes.Repeat([]byte{9}, n)
			sealed, err := seal.Payload(nil, plain)
			if err != nil {
				t.Fatal(err)
			}
			padding := make([]byte, -len(sealed)&3)
			count := len(sealed) - 4
			forms := [][]byte{sealed, append(bytes.Clone(sealed), padding...)}
			if transform == AES256GMAC {
				forms = append(forms, append(append(bytes.Clone(sealed[:count]), padding...), sealed[count:]...))
			}
			for _, b := range forms {
				if got, err := open.Payload([]byte("before"), b); err != nil || string(got) != "before"+string(plain) {
					t.Errorf("algorithm %d, %d bytes as %x: %q, %v", transform, n, b, got, err)
				}
				b = bytes.Clone(b)
				b[HeaderSize] ^= 1
				if got, err := open.Payload(nil, b); len(got) > 0 || !errors.Is(err, ErrForged) && !errors.Is(err, ErrMalformed) {
					t.Errorf("algorithm %d, %d bytes with a flipped bit: %q, %v", transform, n, got, err)
				}
			}
		}
	}
}
