// SPDX-License-Identifier: Apache-2.0

package shared_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var (
	mode  = camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}
	other = camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 5}
)

// simulated is the camera of a simulated robot, which can be opened once, as the kernel's can.
func simulated(t *testing.T) camera.Device {
	t.Helper()
	w, err := sim.LoadWorld("camera")
	must(t, err)
	s, err := sim.New(w, sim.Options{Now: time.Now, Sleep: time.Sleep})
	must(t, err)
	return sim.RobotsOf[*sim.Firmware](s)[0].Camera()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, d camera.Device, m camera.Mode) camera.Source {
	t.Helper()
	s, err := d.Open(t.Context(), m)
	must(t, err)
	return s
}

func frame(t *testing.T, s camera.Source) camera.Frame {
	t.Helper()
	f, release, err := s.Read()
	must(t, err)
	must(t, f.Check())
	release()
	release() // harmless
	return f
}

func TestTwoSeeTheSame(t *testing.T) {
	c := shared.New(simulated(t))
	owner, viewer := open(t, c.Owner(), mode), open(t, c.Viewer(), other)
	if m := viewer.(interface{ Mode() camera.Mode }).Mode(); m != mode {
		t.Error("the viewer receives", m)
	}
	seen := map[uint32]bool{}
	for range 10 {
		seen[frame(t, owner).Sequence] = true
	}
	for !seen[frame(t, viewer).Sequence] {
		seen[frame(t, owner).Sequence] = true
	}
	must(t, owner.Close())
	must(t, owner.Close())
	frame(t, viewer)
	if _, _, err := owner.Read(); !errors.Is(err, camera.ErrClosed) {
		t.Error(err)
	}
	must(t, viewer.Close())
	must(t, open(t, c.Viewer(), other).Close()) // it was closed, and opens again
}

// TestSlowViewer: one that reads nothing, or releases nothing, holds up no other.
func TestSlowViewer(t *testing.T) {
	c := shared.New(simulated(t))
	owner, lazy, greedy := open(t, c.Owner(), mode), open(t, c.Viewer(), mode), open(t, c.Viewer(), mode)
	_, release, err := greedy.Read()
	must(t, err)
	for range 12 {
		frame(t, owner)
	}
	release()
	first := frame(t, lazy).Sequence
	if last := frame(t, owner).Sequence; first+12 < last {
		t.Errorf("the slow reader gets frame %d while the camera is at %d", first, last)
	}
	for _, s := range []camera.Source{lazy, greedy, owner} {
		must(t, s.Close())
	}
}

// TestOwnerDecides: another mode disconnects the viewers; one that waits reads the reason.
func TestOwnerDecides(t *testing.T) {
	c := shared.New(simulated(t))
	viewer := open(t, c.Viewer(), mode)
	ended := make(chan error, 1)
	go func() {
		for {
			_, release, err := viewer.Read()
			if err != nil {
				ended <- err
				return
			}
			release()
		}
	}()
	owner := open(t, c.Owner(), other)
	if err := <-ended; !errors.Is(err, shared.ErrTaken) {
		t.Error(err)
	}
	must(t, viewer.Close())
	frame(t, owner)
	must(t, owner.Close())
}

// broken is a camera that opens when it may and is unplugged after a frame.
type broken struct {
	camera.Device
	refuse error
	closed int
}

func (b *broken) Open(context.Context, camera.Mode) (camera.Source, error) {
	if b.refuse != nil {
		return nil, b.refuse
	}
	return &torn{b: b}, nil
}

type torn struct {
	b     *broken
	reads int
}

func (s *torn) Read() (camera.Frame, func(), error) {
	s.reads++
	switch s.reads {
	case 1:
		return camera.Frame{}, nil, camera.ErrFrame
	default:
		return camera.Frame{}, nil, camera.ErrUnplugged
	}
}
func (s *torn) Close() error { s.b.closed++; return nil }

// TestUnplugged: all readers receive the error, and the next one opens the camera again.
func TestUnplugged(t *testing.T) {
	b := &broken{refuse: camera.ErrNoDevice}
	c := shared.New(b)
	if _, err := c.Viewer().Open(t.Context(), mode); !errors.Is(err, camera.ErrNoDevice) {
		t.Error(err)
	}
	b.refuse = nil
	one, two := open(t, c.Owner(), mode), open(t, c.Viewer(), mode)
	for _, s := range []camera.Source{one, two} {
		var err error
		for err == nil || errors.Is(err, camera.ErrFrame) {
			_, _, err = s.Read()
		}
		if !errors.Is(err, camera.ErrUnplugged) {
			t.Error(err)
		}
	}
	three := open(t, c.Owner(), mode)
	for _, s := range []camera.Source{one, two, three} {
		must(t, s.Close())
	}
	if b.closed < 2 {
		t.Errorf("closed %d times", b.closed)
	}
}
