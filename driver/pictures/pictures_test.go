// SPDX-License-Identifier: Apache-2.0

package pictures

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// still is a camera of one grey picture, ten times a second, that counts how often it is open.
type still struct{ open atomic.Int32 }

var stillMode = camera.Mode{Width: 16, Height: 8, Format: camera.YUYV, FrameRate: 10}

func (*still) Name() string                                 { return "still" }
func (*still) Modes(context.Context) ([]camera.Mode, error) { return []camera.Mode{stillMode}, nil }
func (s *still) Open(context.Context, camera.Mode) (camera.Source, error) {
	s.open.Add(1)
	return &stillSource{s: s, done: make(chan struct{}), data: make([]byte, 2*16*8)}, nil
}

type stillSource struct {
	s    *still
	done chan struct{}
	data []byte
	n    uint32
}

func (s *stillSource) Read() (camera.Frame, func(), error) {
	select {
	case <-s.done:
		return camera.Frame{}, nil, camera.ErrClosed
	case <-time.After(100 * time.Millisecond):
	}
	s.n++
	return camera.Frame{Data: s.data, Format: camera.YUYV, Width: 16, Height: 8, Stride: 32, Stamp: time.Now(), Sequence: s.n}, func() {}, nil
}

func (s *stillSource) Close() error {
	s.s.open.Add(-1)
	close(s.done)
	return nil
}

// album is pictures on a node, and another node that looks at them.
type album struct {
	*testing.T
	camera  *still
	node    *ros2.Node
	user    *ros2.Node
	refused atomic.Int32
	died    atomic.Pointer[string]
	state   atomic.Int32 // of the sensor; below 0: none is looked for
}

func newAlbum(t *testing.T) *album {
	t.Helper()
	a := &album{T: t, camera: &still{}}
	a.state.Store(-1)
	tr := ros2test.NewTransport()
	t.Cleanup(func() { _ = tr.Close() })
	for name, n := range map[string]**ros2.Node{"camera": &a.node, "user": &a.user} {
		node, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = node.Close() })
		*n = node
	}
	return a
}

func (a *album) config() Config {
	topic := func(name string) Topic { return Topic{Name: name, Frame: "eye", QoS: ros2.DefaultQoS().WithDepth(1)} }
	return Config{
		Node: a.node, Clock: a.node.Clock(), Log: slog.New(slog.DiscardHandler), Device: a.camera,
		Settings: Settings{Name: "still", URL: "file://" + a.TempDir() + "/still.yaml", Encoding: camera.RGB8, Pipeline: camera.Settings{
			Width: 16, Height: 8, FrameRate: 10, Quality: 50, Encoder: camera.CPU,
		}},
		Image: topic("image_raw"), JPEG: topic("image_raw/compressed"), Info: topic("camera_info"), Services: []string{"set_camera_info"},
		Sensor: func() (device.State, bool) { s := a.state.Load(); return device.State(max(s, 0)), s >= 0 },
		Stamp: func(t time.Time) (s builtin_interfaces.Time) {
			s.Sec, s.Nanosec = ros2.Stamp(t)
			return s
		},
		Refused:  func() { a.refused.Add(1) },
		Panicked: func(err error) { text := err.Error(); a.died.Store(&text) },
	}
}

// TestOnlyWhileWanted: the camera is open while a topic has a subscription, messages come with frame and stamp, and the
// calibration is scaled to the picture.
func TestOnlyWhileWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		cfg := a.config()
		cfg.Calibration = caminfo.Ideal("still", 32, 16, 30, 30, 16, 8)
		p, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if a.camera.open.Load() != 0 {
			t.Error("the camera is open though there is no subscription")
		}
		images, ch, err := ros2.NewChannel[sensor_msgs.Image](a.user, "image_raw", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		_, infos, err := ros2.NewChannel[sensor_msgs.CameraInfo](a.user, "camera_info", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		m, i := (<-ch).Message, (<-infos).Message
		if m.Header.FrameID != "eye" || m.Width != 16 || m.Height != 8 || m.Encoding != "rgb8" || m.Header.Stamp.Sec == 0 {
			t.Errorf("%+v", m)
		}
		if i.Width != 16 || i.K[0] != 15 {
			t.Errorf("calibration %+v", i)
		}
		if s := p.Streams(); len(s) != 3 || s[0].Subscribers() != 1 || s[0].Messages() == 0 || s[1].Messages() != 0 || s[2].Name() != "camera_info" {
			t.Errorf("%v", s)
		}
		if !p.Status().Open || a.camera.open.Load() != 1 {
			t.Errorf("%+v", p.Status())
		}
		if err := p.Apply(context.Background(), Settings{Encoding: camera.Mono8, Pipeline: cfg.Settings.Pipeline}); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		for len(ch) > 0 {
			m = (<-ch).Message
		}
		if m.Encoding != "mono8" {
			t.Error(m.Encoding)
		}
		_ = images.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if a.camera.open.Load() != 0 || a.died.Load() != nil || a.refused.Load() != 0 {
			t.Errorf("%d times open, died of %v", a.camera.open.Load(), a.died.Load())
		}
	})
}

// TestWaitsForTheSensor: a camera whose sensor is being set up is opened when that is done, or takes too long.
func TestWaitsForTheSensor(t *testing.T) {
	for name, c := range map[string]struct {
		state device.State
		wait  time.Duration
	}{
		"running": {device.Running, 0}, "absent": {device.Absent, sensorSearch}, "starting without end": {device.Starting, sensorSetUp},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := newAlbum(t)
			a.state.Store(int32(c.state))
			began := time.Now()
			cfg := a.config()
			gate := sensorFirst{Device: a.camera, clock: cfg.Clock, sensor: cfg.Sensor, began: began}
			src, err := gate.Open(context.Background(), stillMode)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took < c.wait || took > c.wait+2*sensorLook {
				t.Errorf("%s: opened after %v, want %v", name, took, c.wait)
			}
			_ = src.Close()
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			a.state.Store(int32(device.Starting))
			if _, err := gate.Open(ctx, stillMode); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

// TestCalibrationService: what is stored is used; what makes no sense is refused with the reason.
func TestCalibrationService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		p, err := New(a.config())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		good := InfoMessage(caminfo.Ideal("still", 16, 8, 12, 12, 8, 4))
		answer, err := p.setInfo(context.Background(), &sensor_msgs.SetCameraInfoRequest{CameraInfo: good})
		if err != nil || !answer.Success || p.calibration.Load().K[0] != 12 {
			t.Errorf("%+v %v", answer, err)
		}
		bad := good
		bad.Width = 0
		answer, err = p.setInfo(context.Background(), &sensor_msgs.SetCameraInfoRequest{CameraInfo: bad})
		if err != nil || answer.Success || answer.StatusMessage == "" || p.calibration.Load().Width != 16 {
			t.Errorf("%+v %v", answer, err)
		}
	})
}

// TestNewRefuses: a URL that makes no sense, and settings that no camera has; nothing stays offered.
func TestNewRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		cfg := a.config()
		cfg.Settings.URL = "gopher://x"
		if _, err := New(cfg); !errors.Is(err, ErrURL) {
			t.Error(err)
		}
		cfg = a.config()
		cfg.Settings.Pipeline.Quality = 1000
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "1000") {
			t.Error(err)
		}
		cfg = a.config()
		_ = a.node.Close()
		if _, err := New(cfg); !errors.Is(err, ros2.ErrClosed) {
			t.Error(err)
		}
		var none *Pictures
		if none.Close() != nil {
			t.Error("closing what was not opened")
		}
	})
}

// TestCompressed: a JPEG that is one, with image_transport's words about it.
func TestCompressed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		p, err := New(a.config())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		_, ch, err := ros2.NewChannel[sensor_msgs.CompressedImage](a.user, "image_raw/compressed", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		m := (<-ch).Message
		if m.Format != jpegFormat || len(m.Data) < 100 || m.Data[0] != 0xFF || m.Data[1] != 0xD8 || m.Header.FrameID != "eye" {
			t.Errorf("%q, %d bytes", m.Format, len(m.Data))
		}
		if err := p.Check(context.Background(), camera.Settings{Width: -1}); err == nil {
			t.Error("a width of -1 is not refused")
		}
	})
}

// TestPanicOfAPicture is reported, once for each picture, and has no other effect.
func TestPanicOfAPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		cfg := a.config()
		cfg.Stamp = func(time.Time) builtin_interfaces.Time { panic("no time") }
		p, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if _, err := ros2.Listen(a.user, "image_raw", ros2.DefaultQoS(), func(*sensor_msgs.Image) {}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if text := a.died.Load(); text == nil || !strings.Contains(*text, "no time") || !strings.Contains(*text, "deliver") {
			t.Error("the panic is not reported, or not its position")
		}
	})
}

// TestCalibrationFiles: one that is there is used, for any camera; a damaged one and a missing one are none.
func TestCalibrationFiles(t *testing.T) {
	for name, c := range map[string]struct {
		of    string // the camera's name in the file
		spoil bool
		width int
	}{
		"own": {"still", false, 32}, "another camera's": {"other", false, 32}, "damaged": {"still", true, camera.DefaultWidth},
		"missing": {"", false, camera.DefaultWidth},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := newAlbum(t)
			cfg := a.config()
			path := strings.TrimPrefix(cfg.Settings.URL, "file://")
			if c.of != "" {
				if err := caminfo.Save(path, caminfo.Ideal(c.of, 32, 16, 30, 30, 16, 8)); err != nil {
					t.Fatal(err)
				}
			}
			if c.spoil {
				if err := os.WriteFile(path, []byte("image_width: [nonsense"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if got := p.calibration.Load().Width; got != c.width {
				t.Errorf("%s: calibrated for a width of %d, want %d", name, got, c.width)
			}
		})
	}
}

// TestMessagesOfCalibrations: there and back again; the pictures' builder scales once for each size.
func TestMessagesOfCalibrations(t *testing.T) {
	c := caminfo.Ideal("still", 32, 16, 30, 31, 16, 8)
	m := InfoMessage(c)
	back := calibrationOf(&m, "still")
	if back.Width != 32 || back.K != c.K || back.P != c.P || back.R != c.R || back.Model != c.Model || back.Name != "still" {
		t.Errorf("%+v", back)
	}
	var from atomic.Pointer[caminfo.Calibration]
	from.Store(c)
	build := infoOf("eye", &from)
	stamp := func(time.Time) (s builtin_interfaces.Time) { s.Sec = 7; return s }
	for _, width := range []int{32, 16, 64} {
		var out sensor_msgs.CameraInfo
		build(&out, &camera.Image{Width: width, Height: width / 2}, stamp)
		if out.Width != uint32(width) || out.K[0] != 30*float64(width)/32 || out.Header.Stamp.Sec != 7 || out.Header.FrameID != "eye" {
			t.Errorf("width %d: %+v", width, out)
		}
	}
}

// TestMessagesThatAreNotTaken are counted: the node has closed under the pictures.
func TestMessagesThatAreNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		p, err := New(a.config())
		if err != nil {
			t.Fatal(err)
		}
		sub, err := ros2.Listen(a.user, "image_raw", ros2.DefaultQoS(), func(*sensor_msgs.Image) {})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		before := p.Streams()[0].Messages()
		_ = a.node.Close()
		time.Sleep(time.Second)
		if before == 0 || a.died.Load() != nil {
			t.Errorf("%d messages, died of %v", before, a.died.Load())
		}
		_ = sub.Close()
		_ = p.Close()
		time.Sleep(time.Second)
		if a.camera.open.Load() != 0 {
			t.Error("the camera is left open")
		}
	})
}
