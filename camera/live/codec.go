// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live

import (
	"errors"
	"fmt"
	"image"
	"io"
	"sync"

	"github.com/pion/mediadevices/pkg/codec"
	"github.com/pion/mediadevices/pkg/io/video"
	"github.com/pion/mediadevices/pkg/prop"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// clockRate of video in RTP, Hz (RFC 6184).
const clockRate = 90_000

// input is the camera as mediadevices' source of a track.
type input struct {
	video.Reader
	source camera.Source
}

// ID implements mediadevices.Source. It is part of the SDP, which permits no spaces.
func (i *input) ID() string { return "camera" }

// Close implements mediadevices.Source.
func (i *input) Close() error { return i.source.Close() }

// builder builds encoders for mediadevices.
type builder struct {
	encoder func(camera.EncoderConfig) (Encoder, error)
	mode    camera.Mode

	mu      sync.Mutex
	over    bool           // no more are built
	streams sync.WaitGroup // open streams
}

// finish waits until all encoders are closed, after the camera was.
func (b *builder) finish() {
	b.mu.Lock()
	b.over = true
	b.mu.Unlock()
	b.streams.Wait()
}

// RTPCodec implements codec.VideoEncoderBuilder.
func (b *builder) RTPCodec() *codec.RTPCodec { return codec.NewRTPH264Codec(clockRate) }

// BuildVideoEncoder implements codec.VideoEncoderBuilder.
func (b *builder) BuildVideoEncoder(r video.Reader, _ prop.Media) (codec.ReadCloser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return nil, io.EOF
	}
	e, err := b.open()
	if err != nil {
		return nil, err
	}
	b.streams.Add(1)
	mode := b.mode
	return &stream{reader: r, encoder: e, closed: sync.OnceFunc(b.streams.Done), frame: camera.Frame{
		Format: camera.YUYV, Width: mode.Width, Height: mode.Height, Stride: 2 * mode.Width, Data: make([]byte, 2*mode.Width*mode.Height),
	}}, nil
}

// open opens the encoder for the camera's mode.
func (b *builder) open() (Encoder, error) {
	return b.encoder(camera.EncoderConfig{
		Width: b.mode.Width, Height: b.mode.Height, Stride: 2 * b.mode.Width, Format: camera.YUYV, Range: yuv.Full, Quality: 80,
	})
}

// stream is a video being encoded.
type stream struct {
	reader  video.Reader
	encoder Encoder
	closed  func()
	frame   camera.Frame
}

// Read implements codec.ReadCloser: it waits for a picture and returns its access unit. A frame that the encoder
// rejects is skipped.
func (s *stream) Read() (b []byte, release func(), err error) {
	for {
		img, release, err := s.reader.Read()
		if err != nil {
			return nil, func() {}, err
		}
		err = s.pack(img)
		release()
		if err == nil {
			b, err = s.encoder.Encode(nil, &s.frame)
		}
		if err == nil {
			return b, func() {}, nil
		}
		if !errors.Is(err, camera.ErrFrame) {
			return nil, func() {}, fmt.Errorf("%w: %w", io.EOF, err)
		}
	}
}

// pack converts a 4:2:2 picture to the encoder's frame.
func (s *stream) pack(img image.Image) error {
	m, ok := img.(*image.YCbCr)
	if !ok || m.SubsampleRatio != image.YCbCrSubsampleRatio422 || m.Rect.Dx() != s.frame.Width || m.Rect.Dy() != s.frame.Height {
		return fmt.Errorf("%w: the camera gave %T of %v", camera.ErrFrame, img, img.Bounds())
	}
	for y := range s.frame.Height {
		row := s.frame.Data[y*s.frame.Stride:]
		for x := 0; x < s.frame.Width/2; x++ {
			luma, chroma := y*m.YStride+2*x, y*m.CStride+x
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = m.Y[luma], m.Cb[chroma], m.Y[luma+1], m.Cr[chroma]
		}
	}
	return nil
}

// Controller implements codec.Controllable: the viewer may request a key frame.
func (s *stream) Controller() codec.EncoderController { return s }

// ForceKeyFrame implements codec.KeyFrameController.
func (s *stream) ForceKeyFrame() error { return s.encoder.ForceKey() }

// SetBitRate implements codec.BitRateController.
func (s *stream) SetBitRate(bits int) error { return s.encoder.SetBitrate(bits) }

// Close implements codec.ReadCloser.
func (s *stream) Close() error {
	defer s.closed()
	return s.encoder.Close()
}
