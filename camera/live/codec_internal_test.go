// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live

import (
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"testing"

	"github.com/pion/mediadevices/pkg/prop"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// pictures is a camera of given pictures; it counts those that were given back.
type pictures struct {
	list     []image.Image
	end      error
	released int
}

func (p *pictures) Read() (image.Image, func(), error) {
	if len(p.list) == 0 {
		return nil, func() {}, p.end
	}
	m := p.list[0]
	p.list = p.list[1:]
	return m, func() { p.released++ }, nil
}

// diary is an encoder that records its input and fails on request.
type diary struct {
	errs   []error // of one picture after the other
	frames []camera.Frame
	fails  error // of everything else
	bits   int
}

func (d *diary) Encode(_ []byte, f *camera.Frame) ([]byte, error) {
	kept := *f
	kept.Data = slices.Clone(f.Data)
	d.frames = append(d.frames, kept)
	if n := len(d.frames); n <= len(d.errs) && d.errs[n-1] != nil {
		return nil, d.errs[n-1]
	}
	return []byte{byte(len(d.frames))}, nil
}

func (d *diary) ForceKey() error           { return d.fails }
func (d *diary) SetBitrate(bits int) error { d.bits = bits; return d.fails }
func (d *diary) Close() error              { return d.fails }

// encode makes a stream of pictures for an encoder, 4×2 pixels.
func encode(t *testing.T, p *pictures, d *diary) *stream {
	t.Helper()
	b := &builder{encoder: func(camera.EncoderConfig) (Encoder, error) { return d, nil }, mode: camera.Mode{Width: 4, Height: 2}}
	r, err := b.BuildVideoEncoder(p, prop.Media{})
	if err != nil {
		t.Fatal(err)
	}
	return r.(*stream)
}

func ycbcr(w, h int, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	return image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
}

// TestPackIsYUYV: each pixel has its own luma, two share a chroma, in the order Y0 U Y1 V of V4L2's YUYV, whatever the
// strides of the picture are.
func TestPackIsYUYV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := 2*rapid.IntRange(1, 8).Draw(t, "w"), rapid.IntRange(1, 6).Draw(t, "h")
		m := ycbcr(w+2*rapid.IntRange(0, 3).Draw(t, "more"), h, image.YCbCrSubsampleRatio422)
		for i := range m.Y {
			m.Y[i] = byte(37 * i)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = byte(91*i+1), byte(53*i+2)
		}
		part := m.SubImage(image.Rect(0, 0, w, h)).(*image.YCbCr)
		s := &stream{frame: camera.Frame{Format: camera.YUYV, Width: w, Height: h, Stride: 2 * w, Data: make([]byte, 2*w*h)}}
		if err := s.pack(part); err != nil {
			t.Fatal(err)
		}
		if err := s.frame.Check(); err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				at := y*s.frame.Stride + 4*(x/2)
				got := [3]byte{s.frame.Data[at+2*(x%2)], s.frame.Data[at+1], s.frame.Data[at+3]}
				if c := part.YCbCrAt(x, y); got != [3]byte{c.Y, c.Cb, c.Cr} {
					t.Fatalf("pixel (%d, %d) is %v, want %v", x, y, got, c)
				}
			}
		}
	})
}

// TestStreamPassesOver: pictures that do not fit and frames that the encoder does not want are passed over, each is
// given back to the camera, and the next good one comes through.
func TestStreamPassesOver(t *testing.T) {
	good := ycbcr(4, 2, image.YCbCrSubsampleRatio422)
	bad := map[string]image.Image{
		"another subsampling": ycbcr(4, 2, image.YCbCrSubsampleRatio420), "grey": image.NewGray(image.Rect(0, 0, 4, 2)),
		"narrower": ycbcr(2, 2, image.YCbCrSubsampleRatio422), "higher": ycbcr(4, 3, image.YCbCrSubsampleRatio422),
	}
	for name, m := range bad {
		p, d := &pictures{list: []image.Image{m, m, good}}, &diary{}
		b, release, err := encode(t, p, d).Read()
		if err != nil || len(b) != 1 || len(d.frames) != 1 || p.released != 3 {
			t.Errorf("%s: %v, %v; %d frames encoded, %d given back", name, b, err, len(d.frames), p.released)
		}
		release()
	}
	p, d := &pictures{list: []image.Image{good, good, good}}, &diary{errs: []error{fmt.Errorf("%w: one", camera.ErrFrame), camera.ErrFrame}}
	if b, _, err := encode(t, p, d).Read(); err != nil || len(b) != 1 || b[0] != 3 || p.released != 3 {
		t.Errorf("%v, %v; %d given back", b, err, p.released)
	}
}

// TestStreamEnds: the camera's end and any other error of the encoder's end the stream; the encoder's is an end of
// file, which is how mediadevices ends a track without a panic.
func TestStreamEnds(t *testing.T) {
	gone, broken := errors.New("unplugged"), errors.New("the GPU hangs")
	p := &pictures{end: gone}
	if b, release, err := encode(t, p, &diary{}).Read(); !errors.Is(err, gone) || b != nil || release == nil {
		t.Errorf("%v, %v", b, err)
	}
	p = &pictures{list: []image.Image{ycbcr(4, 2, image.YCbCrSubsampleRatio422)}, end: gone}
	b, release, err := encode(t, p, &diary{errs: []error{broken}}).Read()
	if !errors.Is(err, io.EOF) || !errors.Is(err, broken) || b != nil || release == nil || p.released != 1 {
		t.Errorf("%v, %v; %d given back", b, err, p.released)
	}
}

// TestEncoderErrorsComeBack: from opening, from the viewer's requests and from closing.
func TestEncoderErrorsComeBack(t *testing.T) {
	broken := errors.New("broken")
	b := &builder{encoder: func(camera.EncoderConfig) (Encoder, error) { return nil, broken }}
	if r, err := b.BuildVideoEncoder(&pictures{}, prop.Media{}); !errors.Is(err, broken) || r != nil {
		t.Errorf("%v", err)
	}
	d := &diary{fails: broken}
	s := encode(t, &pictures{}, d)
	if s.Controller() != any(s) {
		t.Error("the stream is not what is asked for a key picture")
	}
	for name, err := range map[string]error{"key": s.ForceKeyFrame(), "bit rate": s.SetBitRate(123456), "close": s.Close()} {
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d.bits != 123456 {
		t.Errorf("bit rate %d", d.bits)
	}
}
