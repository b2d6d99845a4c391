// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPNG: what is packed is found again, line by line, with nothing but line feeds behind it.
func TestPNG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := []byte(rapid.StringN(0, 500, 2000).Draw(t, "message"))
		var m struct {
			Op   string
			Data []byte
		}
		if err := json.Unmarshal(pngBody(message), &m); err != nil || m.Op != "png" {
			t.Fatal(err, m.Op)
		}
		picture, err := png.Decode(bytes.NewReader(m.Data))
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		b := picture.Bounds()
		for y := range b.Dy() {
			for x := range b.Dx() {
				r, g, b, a := picture.At(x, y).RGBA()
				if a != 0xffff {
					t.Fatal("a pixel is not opaque")
				}
				got = append(got, byte(r>>8), byte(g>>8), byte(b>>8))
			}
		}
		if !bytes.HasPrefix(got, message) || strings.Trim(string(got[len(message):]), "\n") != "" {
			t.Fatalf("%q became %q", message, got)
		}
	})
}
