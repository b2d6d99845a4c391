// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestBitsComeBack writes random bits and reads them as a string: stuffing removed, ones at the end.
func TestBitsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w writer
		prefix := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "prefix")
		w.start(append([]byte(nil), prefix...))
		var want strings.Builder
		for range rapid.IntRange(0, 200).Draw(t, "puts") {
			size := rapid.Uint32Range(1, 27).Draw(t, "size")
			v := rapid.OneOf(rapid.Uint32(), rapid.Just(^uint32(0))).Draw(t, "bits") & (1<<size - 1)
			w.reserve(8)
			w.put(v, size)
			for i := size; i > 0; i-- {
				want.WriteByte('0' + byte(v>>(i-1)&1))
			}
		}
		for want.Len()%8 != 0 {
			want.WriteByte('1')
		}
		file := w.finish()
		if string(file[:len(prefix)]) != string(prefix) {
			t.Fatal("the previous content is gone")
		}
		var got strings.Builder
		for i := len(prefix); i < len(file); i++ {
			for bit := 7; bit >= 0; bit-- {
				got.WriteByte('0' + file[i]>>bit&1)
			}
			if file[i] == 0xFF {
				if i++; i >= len(file) || file[i] != 0 {
					t.Fatalf("0xFF at %d is not followed by zero", i-1)
				}
			}
		}
		if got.String() != want.String() {
			t.Fatalf("got  %s\nwant %s", got.String(), want.String())
		}
	})
}
