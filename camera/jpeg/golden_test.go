// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenFiles: the bytes of the files do not change unawares, and are the same on every processor. (The scene has
// sines, which processors round differently: its frame is a golden file as well.)
func TestGoldenFiles(t *testing.T) {
	const raw = "testdata/scene-64x48.yuyv"
	if *update {
		write(t, raw, scene(64, 48, 2, 1).Data)
	}
	data, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	p := yuv.Picture{Data: data, Width: 64, Height: 48, Stride: 128}
	odd := yuv.Picture{Data: data, Width: 50, Height: 43, Stride: 128}
	for name, got := range map[string][]byte{
		"testdata/q80.jpg":     encoded(t, 80, p, YUYV, yuv.Full),
		"testdata/limited.jpg": encoded(t, 100, odd, YUYV, yuv.Limited),
		"testdata/grey.jpg":    encoded(t, 30, grey(p), Grey, yuv.Full),
	} {
		if *update {
			write(t, name, got)
		}
		if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes are not the %d of the golden file, %v", name, len(got), len(want), err)
		}
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
