// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"context"
	"errors"
	"image"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pion/mediadevices/pkg/driver"
	_ "github.com/pion/mediadevices/pkg/driver/videotest" // registers the driver that is tested with
	"github.com/pion/mediadevices/pkg/frame"
	"github.com/pion/mediadevices/pkg/io/video"
	"github.com/pion/mediadevices/pkg/prop"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// fakeDriver is a driver whose pictures come when the test sends them.
type fakeDriver struct {
	props   []prop.Media
	openErr error
	recErr  error
	images  chan image.Image // nil: an error

	mu       sync.Mutex
	opened   int
	recorded prop.Media
	closed   chan struct{}
	blocking bool // Read does not return when the driver is closed
	released int
}

func media(w, h int, rate float32, f frame.Format) prop.Media {
	return prop.Media{Video: prop.Video{Width: w, Height: h, FrameRate: rate, FrameFormat: f}}
}

func newFake() *fakeDriver {
	return &fakeDriver{images: make(chan image.Image), props: []prop.Media{
		media(8, 4, 30, frame.FormatYUYV), media(8, 4, 15, frame.FormatYUYV), media(4, 4, 0, frame.FormatRGBA), media(4, 4, 5, frame.FormatZ16),
	}}
}

func (d *fakeDriver) Open() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.openErr != nil {
		return d.openErr
	}
	d.opened++
	d.closed = make(chan struct{})
	return nil
}

func (d *fakeDriver) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened--
	close(d.closed)
	return nil
}

func (d *fakeDriver) Properties() []prop.Media { return d.props }

func (d *fakeDriver) VideoRecord(p prop.Media) (video.Reader, error) {
	d.recorded = p
	closed := d.closed
	if d.blocking {
		closed = nil
	}
	return video.ReaderFunc(func() (image.Image, func(), error) {
		select {
		case m := <-d.images:
			if m == nil {
				return nil, nil, io.ErrUnexpectedEOF
			}
			return m, func() { d.mu.Lock(); d.released++; d.mu.Unlock() }, nil
		case <-closed:
			return nil, nil, io.EOF
		}
	}), d.recErr
}

func picture(w, h int, v byte) image.Image {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio422)
	for i := range m.Y {
		m.Y[i] = v
	}
	return m
}

var small = camera.Mode{Width: 8, Height: 4, Format: camera.YUYV, FrameRate: 15}

func opened(t *testing.T, d *fakeDriver) camera.Source {
	t.Helper()
	s, err := New(d, "fake", 0).Open(context.Background(), small)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if d.opened != 0 {
			t.Errorf("driver is open %d times", d.opened)
		}
	})
	return s
}

// TestVideotest runs mediadevices' own test driver: colour bars, 640 by 480, 30 frames/s.
func TestVideotest(t *testing.T) {
	found := driver.GetManager().Query(driver.FilterVideoRecorder())
	if len(found) != 1 {
		t.Fatalf("%d drivers", len(found))
	}
	dev := New(found[0].(Driver), "", 0)
	if dev.Name() != "VideoTest" {
		t.Error(dev.Name())
	}
	modes, err := dev.Modes(t.Context())
	want := []camera.Mode{{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 30}}
	if d := cmp.Diff(want, modes); d != "" || err != nil {
		t.Error(d, err)
	}
	for range 2 {
		s, err := dev.Open(t.Context(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dev.Open(t.Context(), want[0]); !errors.Is(err, camera.ErrBusy) {
			t.Error(err)
		}
		if got, err := dev.Modes(t.Context()); err != nil || len(got) != 1 {
			t.Error(got, err)
		}
		var last camera.Frame
		for i := range 3 {
			f, release, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Check(); err != nil {
				t.Error(err)
			}
			// The left bar is 75 % white, the right one blue.
			if p := f.Data[100*f.Stride:]; p[0] != 235*75/100 || p[1] != 128 || p[f.Stride-3] != 240 || p[f.Stride-1] != 110 {
				t.Errorf("% d … % d", p[:4], p[f.Stride-4:f.Stride])
			}
			if i > 0 && (f.Sequence <= last.Sequence || !f.Stamp.After(last.Stamp)) {
				t.Errorf("%v %v", f.Stamp, last.Stamp)
			}
			last = f
			release()
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestModes(t *testing.T) {
	d := newFake()
	got, err := New(d, "", 0).Modes(t.Context())
	want := []camera.Mode{
		{Width: 8, Height: 4, Format: camera.YUYV, FrameRate: 30}, {Width: 8, Height: 4, Format: camera.YUYV, FrameRate: 15},
		{Width: 4, Height: 4, Format: camera.RGB24}, {Width: 4, Height: 4, Format: camera.GREY, FrameRate: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || d.opened != 0 {
		t.Error(diff, err, d.opened)
	}
}

func TestRateIsTheLowestThatIsEnough(t *testing.T) {
	for want, rate := range map[float64]float32{10: 15, 15: 15, 16: 30, 99: 30, 0: 30} {
		d := newFake()
		s, err := New(d, "", 0).Open(t.Context(), camera.Mode{Width: 8, Height: 4, Format: camera.YUYV, FrameRate: want})
		if err != nil {
			t.Fatal(err)
		}
		if d.recorded.FrameRate != rate {
			t.Errorf("%v: %v", want, d.recorded.FrameRate)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	d := newFake()
	s, err := New(d, "", 0).Open(t.Context(), camera.Mode{Width: 4, Height: 4, Format: camera.RGB24, FrameRate: 7})
	if err != nil || d.recorded.FrameRate != 7 {
		t.Fatal(d.recorded.FrameRate, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenFails(t *testing.T) {
	d := newFake()
	dev := New(d, "", 0)
	if dev.Name() != "mediadevices driver" {
		t.Error(dev.Name())
	}
	_, err := dev.Open(t.Context(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV})
	if !errors.Is(err, camera.ErrMode) || !strings.Contains(err.Error(), "8×4 YUYV 15 frames/s") {
		t.Error(err)
	}
	d.recErr = io.ErrNoProgress
	if _, err := dev.Open(t.Context(), small); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	if d.opened != 0 {
		t.Error("driver stays open")
	}
	d.openErr = io.ErrClosedPipe
	_, openErr := dev.Open(t.Context(), small)
	_, modesErr := dev.Modes(t.Context())
	for _, err := range []error{openErr, modesErr} {
		if !errors.Is(err, camera.ErrNoDevice) || !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, openErr = dev.Open(ctx, small)
	_, modesErr = dev.Modes(ctx)
	if !errors.Is(openErr, context.Canceled) || !errors.Is(modesErr, context.Canceled) {
		t.Error(openErr, modesErr)
	}
}

func TestNewestFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFake()
		s := opened(t, d)
		for i := range byte(9) {
			d.images <- picture(8, 4, i)
			synctest.Wait()
		}
		f, release, err := s.Read()
		if err != nil || f.Sequence != 8 || f.Data[0] != 8 {
			t.Fatal(f.Sequence, err)
		}
		release()
		release()
		if d.released != 9 {
			t.Errorf("%d images given back", d.released)
		}
	})
}

func TestHeldFramesStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFake()
		s := opened(t, d)
		var frames []camera.Frame
		var releases []func()
		for i := range byte(4) {
			d.images <- picture(8, 4, i)
			f, release, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			frames, releases = append(frames, f), append(releases, release)
		}
		for i := range byte(5) { // more images than buffers
			d.images <- picture(8, 4, 100+i)
			synctest.Wait()
		}
		for i, f := range frames {
			if f.Data[0] != byte(i) {
				t.Errorf("frame %d has %d", i, f.Data[0])
			}
		}
		f, release, err := s.Read()
		if err != nil || f.Data[0] < 100 {
			t.Error(f.Data[0], err)
		}
		for _, r := range append(releases, release) {
			r()
		}
	})
}

func TestBadFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFake()
		s := opened(t, d)
		for _, m := range []image.Image{picture(6, 4, 0), image.NewGray(image.Rect(0, 0, 8, 4))} {
			d.images <- m
			if _, _, err := s.Read(); !errors.Is(err, camera.ErrFrame) {
				t.Error(err)
			}
		}
		d.images <- picture(8, 4, 5)
		f, release, err := s.Read()
		if err != nil || f.Data[0] != 5 || f.Sequence != 2 {
			t.Fatal(f, err)
		}
		release()
		d.images <- nil
		for range 2 {
			if _, _, err := s.Read(); !errors.Is(err, camera.ErrUnplugged) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(err)
			}
		}
	})
}

func TestTimeoutAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFake()
		s := opened(t, d)
		start := time.Now()
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrTimeout) || time.Since(start) != defaultTimeout {
			t.Error(err, time.Since(start))
		}
		got := make(chan error)
		go func() { _, _, err := s.Read(); got <- err }()
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-got; !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestFromReader(t *testing.T) {
	n, ended := byte(0), 0
	r := video.ReaderFunc(func() (image.Image, func(), error) { n++; return picture(8, 4, n), nil, nil })
	s := fromReader(r, small, func() error { ended++; return nil })
	f, release, err := s.Read()
	if err != nil || f.Data[0] == 0 {
		t.Fatal(err)
	}
	release()
	if err := s.Close(); err != nil || ended != 1 {
		t.Error(err, ended)
	}
	end := fromReader(video.ReaderFunc(func() (image.Image, func(), error) { return nil, nil, io.EOF }), small, nil)
	if _, _, err := end.Read(); !errors.Is(err, camera.ErrUnplugged) {
		t.Error(err)
	}
	if err := end.Close(); err != nil {
		t.Error(err)
	}
}

// TestDriverIgnoringCloseDelaysClose: a driver that does not notice that it is closed delays Close for a limited
// time.
func TestDriverIgnoringCloseDelaysClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFake()
		d.blocking = true
		s := opened(t, d)
		synctest.Wait() // it reads
		start := time.Now()
		if err := s.Close(); err != nil || time.Since(start) != 2*grace || d.opened != 0 {
			t.Error(err, time.Since(start))
		}
		d.images <- nil // now it does
	})
}
