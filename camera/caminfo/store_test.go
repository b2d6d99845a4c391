// SPDX-License-Identifier: Apache-2.0

package caminfo_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
)

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "camera.yaml")
	if _, err := caminfo.Load(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, width := range []int{640, 320} { // the second replaces the first
		c := golden()
		c.Width = width
		if err := caminfo.Save(path, c); err != nil {
			t.Fatal(err)
		}
		got, err := caminfo.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c, got); d != "" {
			t.Error(d)
		}
	}
	bad := golden()
	bad.Width = 0
	if err := caminfo.Save(path, bad); !errors.Is(err, caminfo.ErrCalibration) {
		t.Error(err)
	}
	if got, err := caminfo.Load(path); err != nil || got.Width != 320 {
		t.Error("a calibration that makes no sense spoilt the old one", got, err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v %v", names, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Error(info, err)
	}
	if err := os.WriteFile(path, []byte("image_width: 640\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := caminfo.Load(path); !errors.Is(err, caminfo.ErrCalibration) || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

// TestSaveFails: where nothing can be written nothing is left behind.
func TestSaveFails(t *testing.T) {
	folder := t.TempDir()
	taken := filepath.Join(folder, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := caminfo.Save(taken, golden()); err == nil {
		t.Error("a folder was replaced")
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v %v", names, err)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := caminfo.Save(filepath.Join(file, "camera.yaml"), golden()); err == nil {
		t.Error("a folder was made in a file")
	}
	if _, err := caminfo.Load(folder); err == nil {
		t.Error("a folder was read")
	}
}

// TestSaveIsWhole: a reader never finds a part of a file.
func TestSaveIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "camera.yaml")
	if err := caminfo.Save(path, golden()); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for k := range 10 {
				c := golden()
				c.Width = 100*(i+1) + k
				if err := caminfo.Save(path, c); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for reads := 0; ; reads++ {
		if _, err := caminfo.Load(path); err != nil {
			t.Fatalf("read %d: %v", reads, err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// Example reads a calibration, for pictures of half the size.
func Example() {
	c, err := caminfo.Load("testdata/calibrator.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	half := c.Scaled(320, 240)
	fmt.Printf("%s %d×%d focal length %.1f, middle (%.1f, %.1f)\n", half.Name, half.Width, half.Height, half.K[0], half.K[2], half.K[5])
	// Output: pipuck 320×240 focal length 470.4, middle (159.8, 111.6)
}
