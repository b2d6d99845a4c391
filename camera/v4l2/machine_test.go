// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/camera"
)

func TestMachineFindsNodes(t *testing.T) {
	dev := t.TempDir()
	for _, name := range []string{"video10", "video2", "video0", "videoX", "media0", "vbi0"} {
		if err := os.WriteFile(filepath.Join(dev, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	byID := filepath.Join(dev, "v4l", "by-id")
	if err := os.MkdirAll(byID, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"usb-puck-video-index0": "../../video2", "usb-gone": "../../video9"} {
		if err := os.Symlink(to, filepath.Join(byID, name)); err != nil {
			t.Fatal(err)
		}
	}
	sys := linux{dev: dev}
	got, err := sys.nodes()
	want := []string{filepath.Join(dev, "video0"), filepath.Join(dev, "video2"), filepath.Join(dev, "video10")}
	if notBuiltIn := builtIn(); notBuiltIn != nil {
		want = nil
		if !errors.Is(err, camera.ErrNotBuiltIn) {
			t.Error(err)
		}
	} else if err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	real, err := filepath.EvalSymlinks(dev)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string][]string{filepath.Join(real, "video2"): {"usb-puck-video-index0"}}, sys.links()); d != "" {
		t.Error(d)
	}
}

func TestClocksBelongTogether(t *testing.T) {
	sys := machine()
	m1, t1 := sys.clocks()
	m2, t2 := sys.clocks()
	if m2 < m1 || t1.IsZero() || m1 == 0 {
		t.Errorf("%v %v, %v %v", m1, t1, m2, t2)
	}
	if drift := t2.Sub(t1) - (m2 - m1); drift > time.Minute || drift < -time.Minute {
		t.Errorf("clocks differ by %v", drift)
	}
}
