// SPDX-License-Identifier: Apache-2.0

package camera

import "fmt"

// gpuFailed is the prefix of the reason when a working encoder has failed.
const gpuFailed = "the GPU failed: "

// open ensures that there is an encoder for such frames and this quality, by the current choice.
func (m *jpegMaker) open(p *Pipeline, f *Frame, quality int) error {
	choice := p.Settings().Encoder
	if m.flight != nil {
		if err := m.flight.failed(); err != nil {
			m.dropGPU(p, gpuFailed, err)
		}
	}
	if choice != m.choice {
		m.closeEncoder()
		m.choice, m.broken = choice, nil
	}
	cfg := EncoderConfig{Width: f.Width, Height: f.Height, Stride: f.Stride, Format: f.Format, Range: f.Range, Quality: quality}
	if m.enc != nil {
		old := m.cfg
		old.Quality = quality
		if old == cfg {
			return m.setQuality(quality)
		}
		m.closeEncoder()
	}
	enc, why, err := m.choose(p, cfg)
	if err != nil {
		m.report(p, "none", why)
		return err
	}
	m.enc, m.cfg = enc, cfg
	m.report(p, enc.Name(), why)
	if async, ok := enc.(AsyncEncoder); ok {
		m.flight = newFlight(m.g, async)
	}
	return nil
}

func (m *jpegMaker) setQuality(quality int) error {
	if quality == m.cfg.Quality {
		return nil
	}
	if err := m.enc.SetQuality(quality); err != nil {
		return fmt.Errorf("camera: quality %d: %w", quality, err)
	}
	m.cfg.Quality = quality
	return nil
}

// choose opens an encoder and returns the reason for the choice.
func (m *jpegMaker) choose(p *Pipeline, cfg EncoderConfig) (enc Encoder, why string, err error) {
	if m.choice == GPU && m.broken != nil && !p.cfg.Clock.Now().Before(m.again) {
		m.broken = nil
	}
	switch {
	case m.choice == CPU:
		why = "encoder is cpu"
	case m.broken != nil:
		why, err = m.how, m.broken
	case p.cfg.GPU == nil:
		why, err = "this machine has no GPU encoder", fmt.Errorf("%w: no GPU encoder", ErrNoDevice)
	default:
		if enc, err = p.cfg.GPU(cfg); err == nil {
			return enc, "encoder is " + string(m.choice), nil
		}
		m.dropGPU(p, "the GPU can't be used: ", err)
		why = m.how
	}
	if m.choice == GPU {
		return nil, "encoder is gpu, and " + why, fmt.Errorf("camera: encoder is gpu: %w", err)
	}
	enc, err = newCPUEncoder(cfg.Quality)
	return enc, why, err
}

// dropGPU releases the GPU until the camera is opened again or the choice changes; if no other encoder is permitted, it
// is tried again after RetryMax.
func (m *jpegMaker) dropGPU(p *Pipeline, how string, err error) {
	m.closeEncoder()
	m.broken, m.how, m.again = err, how+err.Error(), p.cfg.Clock.Now().Add(p.cfg.RetryMax)
}
