// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// slideshow is a camera of 64 by 48 pixels and 20 frames/s.
type slideshow struct{}

func (*slideshow) Name() string { return "slideshow" }

func (*slideshow) Modes(context.Context) ([]camera.Mode, error) {
	return []camera.Mode{{Width: 64, Height: 48, Format: camera.YUYV, FrameRate: 20}}, nil
}

func (s *slideshow) Open(context.Context, camera.Mode) (camera.Source, error) {
	return &slides{closed: make(chan struct{})}, nil
}

type slides struct {
	closed chan struct{}
	n      int
}

func (s *slides) Read() (camera.Frame, func(), error) {
	select {
	case <-s.closed:
		return camera.Frame{}, nil, camera.ErrClosed
	case <-time.After(50 * time.Millisecond):
	}
	f := bars(64, 48, 128, s.n)
	f.Stamp = time.Now()
	s.n++
	return *f, func() {}, nil
}

func (s *slides) Close() error { close(s.closed); return nil }

// TestPipelineFallsBack puts the encoder where it is used. The GPU works for ten pictures and is then lost in one of
// the ways it can be: the pictures continue, made by the CPU, and Status reports why.
func TestPipelineFallsBack(t *testing.T) {
	for name, lose := range map[string]func(d *fakeDev){
		"hangs":  func(d *fakeDev) { d.plan = func(int) fault { return never } },
		"gone":   func(d *fakeDev) { d.gone = true },
		"broken": func(d *fakeDev) { d.fail = map[string]error{"QBUF": unix.EIO} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := raspberry(t)
				d := k.dev(cardJPEG)
				d.latency = 30 * time.Millisecond
				p, err := camera.New(camera.Config{
					Device:   &slideshow{},
					Settings: camera.Settings{Width: 64, Height: 48, FrameRate: 20},
					GPU: func(cfg camera.EncoderConfig) (camera.Encoder, error) {
						return newJPEG(k, options{}.withDefaults(), cfg)
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				var pictures atomic.Int64
				_, err = p.Attach(camera.Output{Encoding: camera.Compressed}, func(m *camera.Image) {
					if !bytes.HasPrefix(m.Data, []byte{0xFF, 0xD8}) {
						t.Errorf("%d bytes that are no JPEG file", len(m.Data))
					}
					pictures.Add(1)
				})
				if err != nil {
					t.Fatal(err)
				}
				made := func(n int64) {
					t.Helper()
					before := pictures.Load()
					for range 200 {
						time.Sleep(50 * time.Millisecond)
						if pictures.Load() >= before+n {
							return
						}
					}
					t.Fatalf("%d pictures in 10 s; %+v", pictures.Load()-before, p.Status())
				}
				made(10)
				if st := p.Status(); !strings.Contains(st.Encoder, cardJPEG) {
					t.Errorf("encoder is %q", st.Encoder)
				}
				d.mu.Lock()
				lose(d)
				d.mu.Unlock()
				made(60)
				st := p.Status()
				if strings.Contains(st.Encoder, cardJPEG) || st.EncoderReason == "" {
					t.Errorf("encoder is %q because %q", st.Encoder, st.EncoderReason)
				}
				t.Logf("%s, because %s", st.Encoder, st.EncoderReason)
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second) // a job that was under way ends
				k.clean(t)
			})
		})
	}
}
