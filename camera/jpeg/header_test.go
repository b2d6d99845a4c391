// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// TestHeader reads the segments of a colour and of a grey file.
func TestHeader(t *testing.T) {
	p := scene(50, 20, 1, 1)
	colour, single := encoded(t, 50, p, YUYV, yuv.Full), encoded(t, 50, grey(p), Grey, yuv.Full)
	for _, c := range []struct {
		name   string
		file   []byte
		marker byte
		want   []byte
	}{
		{"JFIF", colour, markerAPP0, []byte("JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x00\x00")},
		{"frame", colour, markerSOF0, []byte{8, 0, 20, 0, 50, 3, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1}},
		{"grey frame", single, markerSOF0, []byte{8, 0, 20, 0, 50, 1, 1, 0x11, 0}},
	} {
		if got := segment(t, c.file, c.marker); !bytes.Equal(got, c.want) {
			t.Errorf("%s: got % x, want % x", c.name, got, c.want)
		}
	}
	if n := len(segment(t, colour, markerDQT)); n != 130 {
		t.Errorf("colour has %d bytes of quantisation tables", n)
	}
	if n := len(segment(t, single, markerDQT)); n != 65 {
		t.Errorf("grey has %d bytes of quantisation tables", n)
	}
	if n := len(segment(t, colour, markerDHT)); n != 2*(17+12)+2*(17+162) {
		t.Errorf("colour has %d bytes of Huffman tables", n)
	}
	if !bytes.HasSuffix(colour, []byte{0xFF, markerEOI}) {
		t.Error("no end")
	}
	scan := bytes.Index(colour, []byte{0xFF, markerSOS})
	if want := []byte{0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0}; !bytes.Equal(colour[scan+2:scan+14], want) {
		t.Errorf("scan header % x, want % x", colour[scan+2:scan+14], want)
	}
}

// TestNoMarkerInTheScan: whatever the picture, 0xFF in the entropy-coded data is followed by 0, so that a reader that
// lost its place finds the next picture.
func TestNoMarkerInTheScan(t *testing.T) {
	for seed := range uint64(5) {
		for _, quality := range []int{1, 80, 100} {
			file := encoded(t, quality, scene(160, 120, float64(seed)*15, seed), YUYV, yuv.Full)
			scan := bytes.Index(file, []byte{0xFF, markerSOS}) + 14
			for i := scan; i < len(file)-2; i++ {
				if file[i] == 0xFF && file[i+1] != 0 {
					t.Fatalf("quality %d: marker %#x at %d of %d", quality, file[i+1], i, len(file))
				}
			}
		}
	}
}

// segment returns the bytes of all segments of that marker before the scan.
func segment(t *testing.T, file []byte, marker byte) (all []byte) {
	t.Helper()
	for at := 2; at+4 < len(file) && file[at+1] != markerSOS; at += 2 + int(file[at+2])<<8 + int(file[at+3]) {
		if file[at] != 0xFF {
			t.Fatalf("no marker at %d", at)
		}
		if file[at+1] == marker {
			all = append(all, file[at+4:at+2+int(file[at+2])<<8+int(file[at+3])]...)
		}
	}
	return all
}
