// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// setUpCamera writes what an OV7670 needs (the sequence of the robot's maker).
func setUpCamera(g *rig) {
	g.t.Helper()
	write := func(pairs ...byte) {
		for i := 0; i < len(pairs); i += 2 {
			if err := g.robot.Bus().Tx(0x21, pairs[i:i+2], nil); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	write(0x12, 0x80)
	g.clock.Sleep(200 * time.Millisecond)
	write(0x11, 0x80, 0x3A, 0x04, 0x12, 0x00, 0x40, 0xC0, 0x3D, 0x00, 0xB0, 0x84, 0x17, 0x13, 0x18, 0x01, 0x32, 0x36, 0x19, 0x02,
		0x1A, 0x7A, 0x03, 0x0A, 0x2A, 0x00, 0x2B, 0x5B, 0x92, 0x22, 0x93, 0x01)
}

func openCamera(g *rig) camera.Source {
	g.t.Helper()
	s, err := g.robot.Camera().Open(context.Background(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV})
	if err != nil {
		g.t.Fatal(err)
	}
	return s
}

// frame reads one frame and returns a hash of it.
func frame(g *rig, s camera.Source) (camera.Frame, uint32) {
	g.t.Helper()
	f, release, err := s.Read()
	if err != nil {
		g.t.Fatal(err)
	}
	defer release()
	h := fnv.New32a()
	_, _ = h.Write(f.Data)
	return f, h.Sum32()
}

// TestGoldenPictures: what each built-in world looks like from its robot, on every processor. After a change that is
// meant, look at the pictures (go test ./sim/vcamera -keep FOLDER shows how) before the new numbers go in here.
func TestGoldenPictures(t *testing.T) {
	for name, want := range map[string]uint32{
		"arena": 0xb9c2b7c5, "empty": 0x6cbc37c5, "line": 0xfac681da, "maze": 0xf3951014, "plane": 0xd8ef77c5,
		"swarm": 0x1068f8c5, "track": 0x093aa3c5,
	} {
		g := newRig(t, name, sim.Options{})
		h := fnv.New32a()
		_, _ = h.Write(g.robot.Picture(nil))
		if got := h.Sum32(); got != want {
			t.Errorf("%q: %#08x, want %#08x", name, got, want)
		}
	}
}

// TestCameraNeedsItsSensor: before the set-up the colours are wrong, after it the picture is right, without a sensor
// nothing comes, and a sensor put back must be set up again.
func TestCameraNeedsItsSensor(t *testing.T) {
	g := newRig(t, "arena", sim.Options{})
	s := openCamera(g)
	defer func() { _ = s.Close() }()
	right := fnv.New32a()
	_, _ = right.Write(g.robot.Picture(nil))
	if _, got := frame(g, s); got == right.Sum32() {
		t.Error("the picture is right before the sensor is set up")
	}
	setUpCamera(g)
	f, got := frame(g, s)
	if got != right.Sum32() {
		t.Error("the picture is wrong after the set-up")
	}
	if !f.Stamp.Equal(g.clock.Now()) {
		t.Errorf("stamped %v at %v", f.Stamp, g.clock.Now())
	}
	if err := g.robot.RemovePart("camera"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Read(); !errors.Is(err, camera.ErrTimeout) {
		t.Errorf("without a sensor: %v", err)
	}
	if err := g.robot.AddPart("camera"); err != nil {
		t.Fatal(err)
	}
	if _, got := frame(g, s); got == right.Sum32() {
		t.Error("a new sensor is set up already")
	}
}

// TestCameraSeesTheWorldMove: turning, things moved, other robots, their LEDs, being picked up.
func TestCameraSeesTheWorldMove(t *testing.T) {
	g := newRig(t, "swarm", sim.Options{})
	setUpCamera(g)
	if err := g.robot.Place(sim.Pose{X: 0.3, Y: 0.2, Theta: 3.1}); err != nil { // epuck2 is ahead
		t.Fatal(err)
	}
	s := openCamera(g)
	defer func() { _ = s.Close() }()
	_, last := frame(g, s)
	if _, again := frame(g, s); again != last {
		t.Error("nothing has changed but the picture")
	}
	other, err := sim.RobotOf[*sim.Firmware](g.sim, "epuck2")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"the other's LEDs", func() error {
			cmd, reply := make([]byte, 20), make([]byte, 47)
			cmd[5] = 0x0F
			cmd[19] = xor(cmd[:19])
			return other.Bus().Tx(0x1F, cmd, reply)
		}},
		{"the other turned", func() error { return other.Place(sim.Pose{X: -0.3, Y: 0.2, Theta: 1}) }},
		{"the other picked up", func() error { other.PickUp(); return nil }},
		{"a thing moved", func() error { return g.sim.Move("middle", sim.Pose{X: -0.1, Y: 0.25}) }},
		{"driving", func() error { g.drive(200, 200, 300*time.Millisecond); return nil }},
		{"picked up", func() error { g.drive(0, 0, 0); g.robot.PickUp(); return nil }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(step.what, err)
		}
		_, now := frame(g, s)
		if now == last {
			t.Errorf("%s: the same picture", step.what)
		}
		last = now
	}
}

// TestCameraFaults reach the device.
func TestCameraFaults(t *testing.T) {
	g := newRig(t, "arena", sim.Options{})
	s := openCamera(g)
	if err := g.robot.InjectCamera(vcamera.Faults{Unplugged: true}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Read(); !errors.Is(err, camera.ErrUnplugged) {
		t.Error(err)
	}
	_ = s.Close()
}

// TestCameraAllocatesNothing: no memory per frame, the look at the world included.
func TestCameraAllocatesNothing(t *testing.T) {
	g := newRig(t, "swarm", sim.Options{})
	setUpCamera(g)
	s := openCamera(g)
	defer func() { _ = s.Close() }()
	if n := testing.AllocsPerRun(3, func() {
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		release()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// ExampleRobot_Camera: one frame, after the sensor was set up through the bus.
func ExampleRobot_Camera() {
	world, err := sim.LoadWorld("arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := sim.NewClock()
	s, err := sim.New(world, sim.Options{Now: clock.Now, Sleep: clock.Sleep, Wait: clock.Wait})
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := sim.RobotsOf[*sim.Firmware](s)[0].Camera().Open(context.Background(), camera.Mode{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, release, err := source.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Width, f.Height, f.Format, len(f.Data))
	release()
	fmt.Println(source.Close())
	// Output:
	// 640 480 YUYV 614400
	// <nil>
}
