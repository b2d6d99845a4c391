// SPDX-License-Identifier: Apache-2.0

package videodev

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNodes(t *testing.T) {
	dev := t.TempDir()
	for _, name := range []string{"video31", "video9", "video10", "video", "videoX", "video-1", "media0", "vbi0"} {
		if err := os.WriteFile(filepath.Join(dev, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dev, "video9"), filepath.Join(dev, "video10"), filepath.Join(dev, "video31")}
	if d := cmp.Diff(want, Nodes(dev)); d != "" {
		t.Error(d)
	}
	for _, none := range []string{filepath.Join(dev, "gone"), "["} {
		if got := Nodes(none); len(got) != 0 {
			t.Errorf("%s: %v", none, got)
		}
	}
}
