// SPDX-License-Identifier: Apache-2.0

package camera

// rawMaker makes raw images: on the GPU if it has a suitable converter, else with packages yuv and scale.
type rawMaker struct {
	g   *group
	cpu converter
	gpu gpuConverter
	by  [2]string // converter and reason as in Status
}

func (m *rawMaker) feed(s *stream, f *Frame, want Output) error {
	f, err := s.full.of(f)
	if err != nil {
		return err
	}
	pic := m.g.blank()
	pic.label(f, &want)
	im := &pic.image
	to := target{im.Width, im.Height, want.Encoding.format()}
	im.Data, err = m.convert(s.p, im.Data, f, to)
	if err != nil {
		m.g.discard(pic)
		return err
	}
	im.Step = im.Width * to.format.BytesPerPixel()
	m.g.post(pic)
	return nil
}

func (m *rawMaker) convert(p *Pipeline, dst []byte, f *Frame, to target) ([]byte, error) {
	if m.gpu.open(p, f, to) {
		out, err := m.gpu.convert(dst, f)
		if err == nil {
			m.report(p, m.gpu.conv.Name(), m.gpu.why)
			return out, nil
		}
	}
	m.report(p, "CPU", m.gpu.why)
	return m.cpu.convert(dst, f, to)
}

func (m *rawMaker) report(p *Pipeline, name, why string) {
	if by := [2]string{name, why}; by != m.by {
		m.by = by
		p.noteConverter(name, why)
	}
}

func (m *rawMaker) close() { m.gpu.close() }

// format returns the pixel format of a raw encoding.
func (e Encoding) format() PixelFormat {
	switch e {
	case RGB8:
		return RGB24
	case BGR8:
		return BGR24
	case Mono8:
		return GREY
	default:
		return YUYV
	}
}

// target is the result of a conversion.
type target struct {
	width, height int
	format        PixelFormat
}

// isFrame reports whether the frame already has the target's size and format.
func (t target) isFrame(f *Frame) bool {
	return t.width == f.Width && t.height == f.Height && t.format == f.Format
}
