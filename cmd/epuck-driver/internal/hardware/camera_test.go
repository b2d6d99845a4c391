// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestSnapshot: the file is a picture of the camera's size with the colours of the frame.
func TestSnapshot(t *testing.T) {
	world, err := sim.LoadWorld("camera")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(world, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "camera.png")
	if err := Snapshot(sim.RobotsOf[*sim.Firmware](s)[0], path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil || m.Bounds().Size() != image.Pt(640, 480) || len(data) > 50000 {
		t.Fatalf("%v, %d bytes, %v", m.Bounds(), len(data), err)
	}
	if r, g, b, _ := m.At(550, 230).RGBA(); b < r+r/4 || b < g+g/4 { // the blue cylinder
		t.Errorf("(%d, %d, %d) is not blue", r>>8, g>>8, b>>8)
	}
	if err := Snapshot(sim.RobotsOf[*sim.Firmware](s)[0], t.TempDir()); err == nil {
		t.Error("written into a folder")
	}
}

// TestOptics: a simulated robot has the one camera, a real one that of any name, without anything being opened.
func TestOptics(t *testing.T) {
	world, err := sim.LoadWorld("")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(world, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := simulatedCamera(sim.RobotsOf[*sim.Firmware](s)[0])
	if dev, err := o.Open("auto"); err != nil || dev.Name() == "" || !o.calibration.Calibrated() {
		t.Error(dev, err)
	}
	if _, err := o.Open("/dev/video0"); !errors.Is(err, camera.ErrNoDevice) {
		t.Error(err)
	}
	real := robotCamera(nil)
	if dev, err := real.Open("/dev/video99"); err != nil || dev == nil || real.codecs.GPU == nil || real.codecs.ISP == nil || real.calibration != nil {
		t.Error(dev, err)
	}
}
