// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKeptPictures: what --resume continues with is not overwritten, and files of another calibration are not mixed in:
// it is moved aside.
func TestKeptPictures(t *testing.T) {
	folder := t.TempDir()
	first := &CameraSession{Board: board}
	if err := first.Keep(folder, false); err != nil {
		t.Fatal(err)
	}
	if err := first.Collect(t.Context(), &person{}, session(3), nil); err != nil || len(first.Views) == 0 {
		t.Fatalf("%d views, %v", len(first.Views), err)
	}
	count := func(folder string) int {
		names, err := filepath.Glob(filepath.Join(folder, "left-*.png"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	// The first picture shows no board any more: numbering continues after the newest one.
	if err := os.WriteFile(filepath.Join(folder, picture(1)), []byte("spoiled"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := &CameraSession{Board: board}
	if err := again.Load(t.Context(), &person{}, folder); err != nil || len(again.Views) != len(first.Views)-1 {
		t.Fatalf("%d of %d views, %v", len(again.Views), len(first.Views), err)
	}
	if err := again.Keep(folder, true); err != nil {
		t.Fatal(err)
	}
	all := session(5) // the first three are known
	if err := again.Collect(t.Context(), &person{}, all, nil); err != nil {
		t.Fatal(err)
	}
	if n := count(folder); n != len(again.Views)+1 || n <= len(first.Views) {
		t.Errorf("%d pictures of %d views and one spoiled, %d before", n, len(again.Views), len(first.Views))
	}
	kept := count(folder)
	if err := (&CameraSession{}).Keep(folder, false); err != nil {
		t.Fatal(err)
	}
	if n, old := count(folder), count(filepath.Join(folder, "old")); n != 0 || old != kept {
		t.Errorf("%d pictures in the folder, %d of %d moved aside", n, old, kept)
	}
}
