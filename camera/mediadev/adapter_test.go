// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pion/mediadevices/pkg/driver"
	"github.com/pion/mediadevices/pkg/frame"
	"github.com/pion/mediadevices/pkg/prop"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// script is a camera that plays a list of answers and then ends.
type script struct {
	modes    []camera.Mode
	err      error
	frames   []any // camera.Frame or error
	released int
	closed   int
	want     camera.Mode
}

func (s *script) Name() string { return "script" }
func (s *script) Modes(context.Context) ([]camera.Mode, error) {
	return s.modes, s.err
}
func (s *script) Open(_ context.Context, want camera.Mode) (camera.Source, error) {
	s.want = want
	return s, s.err
}
func (s *script) Close() error { s.closed++; return nil }
func (s *script) Read() (camera.Frame, func(), error) {
	if len(s.frames) == 0 {
		return camera.Frame{}, nil, camera.ErrClosed
	}
	next := s.frames[0]
	s.frames = s.frames[1:]
	if err, bad := next.(error); bad {
		return camera.Frame{}, nil, err
	}
	return next.(camera.Frame), func() { s.released++ }, nil
}

func yuyv(v byte) camera.Frame {
	return camera.Frame{Format: camera.YUYV, Width: 2, Height: 1, Stride: 4, Data: []byte{v, 100, v, 200}}
}

func TestReader(t *testing.T) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture(8, 8, 77), nil); err != nil {
		t.Fatal(err)
	}
	s := &script{frames: []any{
		yuyv(1), camera.ErrFrame, yuyv(2),
		camera.Frame{Format: camera.MJPEG, Width: 8, Height: 8, Data: file.Bytes()},
		camera.Frame{Format: camera.MJPEG, Width: 8, Height: 8, Data: file.Bytes()[:30]},
		camera.Frame{Format: camera.YUYV, Width: 2, Height: 1}, // too short
		yuyv(3), camera.ErrUnplugged,
	}}
	r := Reader(s)
	luma := func() int {
		m, release, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		return int(m.(*image.YCbCr).Y[0])
	}
	if a, b, c, d := luma(), luma(), luma(), luma(); a != 1 || b != 2 || c < 75 || c > 79 || d != 3 {
		t.Errorf("%d %d %d %d", a, b, c, d)
	}
	if _, _, err := r.Read(); !errors.Is(err, camera.ErrUnplugged) {
		t.Error(err)
	}
	if _, _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if s.released != 6 {
		t.Errorf("%d of 6 frames given back", s.released)
	}
}

// TestImagesNeedNoRelease: code that does not release keeps its image.
func TestImagesNeedNoRelease(t *testing.T) {
	r := Reader(&script{frames: []any{yuyv(1), yuyv(2), yuyv(3)}})
	a, _, _ := r.Read()
	b, release, _ := r.Read()
	release()
	c, _, _ := r.Read()
	if a.(*image.YCbCr).Y[0] != 1 || c != b || c.(*image.YCbCr).Y[0] != 3 {
		t.Error(a, b, c)
	}
}

func TestAdapter(t *testing.T) {
	cam := &script{frames: []any{yuyv(9)}, modes: []camera.Mode{
		{Width: 2, Height: 1, Format: camera.YUYV, FrameRate: 15}, {Width: 4, Height: 4, Format: camera.GREY}, {Width: 4, Height: 4, Format: camera.JPEG},
		{Width: 4, Height: 4, Format: camera.BGR24}, {Width: 1, Height: 1, Format: camera.PixelFormat(1)},
	}}
	if err := driver.GetManager().Register(NewAdapter(cam), driver.Info{Label: "puck", DeviceType: driver.Camera}); err != nil {
		t.Fatal(err)
	}
	found := driver.GetManager().Query(func(d driver.Driver) bool { return d.Info().Label == "puck" })
	if len(found) != 1 {
		t.Fatal(found)
	}
	defer driver.GetManager().Delete(found[0].ID())
	d := found[0].(Driver)
	if err := d.Open(); err != nil {
		t.Fatal(err)
	}
	var formats []frame.Format
	for _, p := range d.Properties() {
		formats = append(formats, p.FrameFormat)
	}
	if diff := cmp.Diff([]frame.Format{frame.FormatYUYV, grey, frame.FormatMJPEG, frame.FormatRGBA}, formats); diff != "" {
		t.Error(diff)
	}
	r, err := d.VideoRecord(d.Properties()[0])
	if err != nil || cam.want != cam.modes[0] {
		t.Fatal(cam.want, err)
	}
	m, release, err := r.Read()
	if err != nil || m.(*image.YCbCr).Cr[0] != 200 {
		t.Error(m, err)
	}
	release()
	if err := d.Close(); err != nil || cam.closed != 1 {
		t.Error(err, cam.closed)
	}
}

func TestAdapterFails(t *testing.T) {
	cam := &script{err: camera.ErrNoDevice}
	a := NewAdapter(cam)
	if err := a.Open(); !errors.Is(err, camera.ErrNoDevice) {
		t.Error(err)
	}
	cam.err, cam.modes = nil, []camera.Mode{{Width: 2, Height: 1, Format: camera.YUYV}}
	if err := a.Open(); err != nil {
		t.Error(err)
	}
	if _, err := a.VideoRecord(prop.Media{Video: prop.Video{Width: 3, Height: 1, FrameFormat: frame.FormatYUYV}}); !errors.Is(err, camera.ErrMode) {
		t.Error(err)
	}
	cam.err = camera.ErrUnplugged
	if _, err := a.VideoRecord(a.Properties()[0]); !errors.Is(err, camera.ErrUnplugged) {
		t.Error(err)
	}
	if err := a.Close(); err != nil || cam.closed != 0 {
		t.Error(err)
	}
}

// TestThereAndBack: a camera as a driver as a camera.
func TestThereAndBack(t *testing.T) {
	cam := &script{frames: []any{yuyv(1), camera.ErrUnplugged}, modes: []camera.Mode{{Width: 2, Height: 1, Format: camera.YUYV, FrameRate: 15}}}
	s, err := New(NewAdapter(cam), "again", 0).Open(t.Context(), cam.modes[0])
	if err != nil {
		t.Fatal(err)
	}
	f, release, err := s.Read()
	if err != nil || !bytes.Equal(f.Data, yuyv(1).Data) {
		t.Error(f, err)
	}
	if err == nil {
		release()
	}
	if _, _, err := s.Read(); !errors.Is(err, camera.ErrUnplugged) {
		t.Error(err)
	}
	if err := s.Close(); err != nil || cam.closed != 1 {
		t.Error(err, cam.closed)
	}
}
