// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"testing"
	"time"
)

// stepCamera delivers a frame on request, in real time, for counting allocations.
type stepCamera struct {
	mode  Mode
	step  chan struct{}
	quit  chan struct{}
	frame Frame
}

func (c *stepCamera) Name() string                          { return "step" }
func (c *stepCamera) Modes(context.Context) ([]Mode, error) { return []Mode{c.mode}, nil }
func (c *stepCamera) Open(context.Context, Mode) (Source, error) {
	return c, nil
}

func (c *stepCamera) Read() (Frame, func(), error) {
	select {
	case <-c.step:
	case <-c.quit:
		return Frame{}, nil, ErrClosed
	}
	c.frame.Sequence++
	c.frame.Stamp = c.frame.Stamp.Add(time.Second / 15)
	return c.frame, func() {}, nil
}

func (c *stepCamera) Close() error {
	select {
	case <-c.quit:
	default:
		close(c.quit)
	}
	return nil
}

// instantGPU is an asynchronous encoder that is ready at once.
type instantGPU struct {
	Encoder
	files chan []byte
	quit  chan struct{}
	buf   []byte
}

func (*instantGPU) Name() string { return "instant" }
func (*instantGPU) Depth() int   { return 2 }

func (g *instantGPU) Submit(f *Frame) (err error) {
	g.buf, err = g.Encode(g.buf[:0], f)
	g.files <- g.buf
	return err
}

func (g *instantGPU) Receive(dst []byte) ([]byte, error) {
	select {
	case file := <-g.files:
		return append(dst, file...), nil
	case <-g.quit:
		return dst, ErrClosed
	}
}

func (g *instantGPU) Close() error {
	close(g.quit)
	return nil
}

// TestNothingIsAllocatedPerFrame: from the camera's Read to the sink's function and back, on every path.
func TestNothingIsAllocatedPerFrame(t *testing.T) {
	gpu := func(cfg EncoderConfig) (Encoder, error) {
		cpu, err := newCPUEncoder(cfg.Quality)
		return &instantGPU{Encoder: cpu, files: make(chan []byte, 2), quit: make(chan struct{})}, err
	}
	file, err := newCPUEncoder(80)
	if err != nil {
		t.Fatal(err)
	}
	still := Frame{Data: make([]byte, 64*48*2), Format: YUYV, Width: 64, Height: 48, Stride: 128}
	picture, err := file.Encode(nil, &still)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		format PixelFormat
		want   []Output
		gpu    func(EncoderConfig) (Encoder, error)
	}{
		{"raw by the GPU", YUYV, []Output{{Encoding: RGB8, Width: 32, Height: 24}, {Encoding: Compressed, Width: 32, Height: 24}}, gpu},
		{"raw", YUYV, []Output{{Encoding: RGB8}}, nil},
		{"raw scaled", YUYV, []Output{{Encoding: BGR8, Width: 40, Height: 30}}, nil},
		{"as the camera gives it", YUYV, []Output{{Encoding: YUV422YUY2}}, nil},
		{"JPEG", YUYV, []Output{{Encoding: Compressed}}, nil},
		{"JPEG scaled", YUYV, []Output{{Encoding: Compressed, Width: 32, Height: 24}}, nil},
		{"JPEG of RGB", RGB24, []Output{{Encoding: Compressed}}, nil},
		{"JPEG of grey", GREY, []Output{{Encoding: Compressed}}, nil},
		{"JPEG in flight", YUYV, []Output{{Encoding: Compressed}}, gpu},
		{"JPEG of the camera", MJPEG, []Output{{Encoding: Compressed}}, nil},
		{"everything at once", YUYV, []Output{{Encoding: RGB8}, {Encoding: Mono8}, {Encoding: Compressed}, {Encoding: StampOnly}, {Encoding: RGB8}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cam := &stepCamera{mode: Mode{64, 48, c.format, 15}, step: make(chan struct{}), quit: make(chan struct{})}
			cam.frame = Frame{Data: make([]byte, 64*48*3), Format: c.format, Width: 64, Height: 48, Stride: 64 * c.format.BytesPerPixel(), Stamp: time.Now()}
			if c.format.Compressed() {
				cam.frame.Data = picture
			}
			cfg := Config{Device: cam, GPU: c.gpu}
			if c.name == "raw by the GPU" {
				cfg.ISP = new(fakeGPU).openISP
			}
			p := newPipeline(t, cfg)
			defer p.Close()
			done := make(chan struct{}, len(c.want))
			for _, o := range c.want {
				if _, err := p.Attach(o, func(*Image) { done <- struct{}{} }); err != nil {
					t.Fatal(err)
				}
			}
			one := func() {
				cam.step <- struct{}{}
				for range c.want {
					<-done
				}
			}
			for range 20 {
				one()
			}
			if n := testing.AllocsPerRun(50, one); n >= 1 {
				t.Errorf("%v allocations a frame", n)
			}
		})
	}
}
