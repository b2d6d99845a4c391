// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
)

// jpegMaker makes JPEG pictures: it forwards compressed frames of the right size, and else uses an encoder, after
// scaling if necessary.
type jpegMaker struct {
	g       *group
	enc     Encoder // nil: not open
	flight  *flight // enc's results, if it is an AsyncEncoder
	cfg     EncoderConfig
	choice  EncoderChoice // the choice that enc was opened for
	broken  error         // reason why the GPU is no longer used while the camera is open
	how     string        // broken as text for the user
	again   time.Time     // next attempt if no other encoder is permitted
	scaling rawMaker
	scaled  Frame
	by      [2]string // encoder and reason as in Status
}

func (m *jpegMaker) feed(s *stream, f *Frame, want Output) error {
	w, h := want.fit(f)
	if f.Format.Compressed() && w == f.Width && h == f.Height {
		m.report(s.p, "camera", "the camera sends JPEG")
		return m.forward(f, want)
	}
	f, err := s.full.of(f)
	if err != nil {
		return err
	}
	if f, err = m.scale(s.p, f, w, h); err != nil {
		return err
	}
	if err := m.open(s.p, f, want.Quality); err != nil {
		return err
	}
	if m.flight != nil {
		return m.submit(s, f, want)
	}
	return m.encode(s, f, want)
}

// forward posts a compressed frame unchanged, with Huffman tables if it has none.
func (m *jpegMaker) forward(f *Frame, want Output) error {
	pic := m.g.blank()
	pic.label(f, &want)
	var err error
	if pic.image.Data, err = jpeg.AppendComplete(pic.image.Data, f.Data); err != nil {
		m.g.discard(pic)
		return fmt.Errorf("%w: %w", ErrFrame, err)
	}
	m.g.post(pic)
	return nil
}

// scale returns the frame in the given size.
func (m *jpegMaker) scale(p *Pipeline, f *Frame, w, h int) (*Frame, error) {
	if w == f.Width && h == f.Height {
		return f, nil
	}
	format := f.Format
	if format == RGB24 || format == BGR24 {
		format = YUYV // the encoders' input
	}
	data, err := m.scaling.convert(p, m.scaled.Data[:0], f, target{w, h, format})
	if err != nil {
		return nil, err
	}
	m.scaled = *f
	m.scaled.Data, m.scaled.Format, m.scaled.Width, m.scaled.Height, m.scaled.Stride = data, format, w, h, w*format.BytesPerPixel()
	return &m.scaled, nil
}

// encode encodes the picture and posts it. When the GPU fails, the CPU encodes this frame.
func (m *jpegMaker) encode(s *stream, f *Frame, want Output) error {
	pic := m.g.blank()
	pic.label(f, &want)
	data, err := m.enc.Encode(pic.image.Data, f)
	if err != nil && !errors.Is(err, ErrFrame) {
		m.dropGPU(s.p, gpuFailed, err)
		if again := m.open(s.p, f, want.Quality); again == nil && m.flight == nil {
			data, err = m.enc.Encode(pic.image.Data[:0], f)
		}
	}
	if err != nil {
		m.g.discard(pic)
		return err
	}
	pic.image.Data = data
	m.g.post(pic)
	return nil
}

// submit submits the frame to an asynchronous encoder.
func (m *jpegMaker) submit(s *stream, f *Frame, want Output) error {
	err := m.flight.submit(f, want)
	if err == nil || errors.Is(err, ErrFrame) || errors.Is(err, ErrBusy) {
		return err
	}
	m.dropGPU(s.p, gpuFailed, err)
	if err := m.open(s.p, f, want.Quality); err != nil {
		return err
	}
	return m.encode(s, f, want)
}

func (m *jpegMaker) close() {
	m.closeEncoder()
	m.scaling.close()
}

// closeEncoder closes the encoder and waits for the end of its results.
func (m *jpegMaker) closeEncoder() {
	if m.enc == nil {
		return
	}
	_ = m.enc.Close() // nothing depends on it any more
	if m.flight != nil {
		m.flight.wait()
	}
	m.enc, m.flight = nil, nil
}

func (m *jpegMaker) report(p *Pipeline, name, why string) {
	if by := [2]string{name, why}; by != m.by {
		m.by = by
		p.noteEncoder(name, why)
	}
}
