// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// withoutTables removes the DHT segments, as UVC cameras leave them out.
func withoutTables(t testing.TB, file []byte) []byte {
	t.Helper()
	out := bytes.Clone(file)
	for {
		at := bytes.Index(out, []byte{0xFF, markerDHT})
		if at < 0 {
			return out
		}
		out = append(out[:at], out[at+2+int(out[at+2])<<8+int(out[at+3]):]...)
	}
}

func TestComplete(t *testing.T) {
	for name, file := range map[string][]byte{
		"colour": encoded(t, 80, scene(64, 32, 2, 1), YUYV, yuv.Full),
		"grey":   encoded(t, 80, grey(scene(64, 32, 2, 1)), Grey, yuv.Full),
	} {
		got, err := AppendComplete([]byte("before"), file)
		if err != nil || string(got) != "before"+string(file) {
			t.Errorf("%s: a complete file is changed, %v", name, err)
		}
		bare := withoutTables(t, file)
		if len(bare) >= len(file) {
			t.Fatal("nothing was removed")
		}
		got, err = AppendComplete(nil, append(bare, 0, 0, 0xAA))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, _, a, err1 := DecodeYUYV(nil, got, 1<<20)
		_, _, b, err2 := DecodeYUYV(nil, file, 1<<20)
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: not the same picture: %v, %v", name, err1, err2)
		}
	}
}

func TestIncompleteFilesRefused(t *testing.T) {
	file := encoded(t, 80, scene(64, 32, 2, 1), YUYV, yuv.Full)
	scan := bytes.Index(file, []byte{0xFF, markerSOS})
	for name, bad := range map[string][]byte{
		"nothing":               nil,
		"only SOI":              {0xFF, 0xD8},
		"no SOI":                file[2:],
		"no EOI":                file[:len(file)-2],
		"no scan":               append(bytes.Clone(file[:scan]), 0xFF, markerEOI),
		"segment too short":     {0xFF, 0xD8, 0xFF, 0xDB, 0, 1, 0xFF, 0xD9},
		"segment beyond":        {0xFF, 0xD8, 0xFF, 0xDB, 0xFF, 0xFF, 0xFF, 0xD9},
		"no marker":             {0xFF, 0xD8, 0, 0, 0, 0, 0xFF, 0xD9},
		"restart before scan":   {0xFF, 0xD8, 0xFF, markerRST0, 0, 4, 0, 0, 0xFF, 0xD9},
		"fill bytes to the end": {0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xD9},
	} {
		if got, err := AppendComplete([]byte("before"), bad); !errors.Is(err, errFormat) || string(got) != "before" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if _, _, got, err := DecodeYUYV([]byte("before"), bad, 1<<20); !errors.Is(err, errFormat) || string(got) != "before" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, _, _, err := DecodeYUYV(nil, file, 64*32-1); !errors.Is(err, errFormat) {
		t.Errorf("too many pixels: %v", err)
	}
}
