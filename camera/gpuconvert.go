// SPDX-License-Identifier: Apache-2.0

package camera

// gpuConverter is the GPU's converter for frames of one kind and one target, if there is one.
type gpuConverter struct {
	conv   Converter // nil: not open
	cfg    ConverterConfig
	tried  bool // cfg was tried: not again before it or the choice changes
	choice EncoderChoice
	why    string // reason for using the GPU or not
}

// open reports whether the GPU converts such frames, after opening it if necessary.
func (c *gpuConverter) open(p *Pipeline, f *Frame, to target) bool {
	choice := p.Settings().Encoder
	cfg := ConverterConfig{Width: f.Width, Height: f.Height, Stride: f.Stride, Format: f.Format, Range: f.Range,
		OutWidth: to.width, OutHeight: to.height, OutFormat: to.format}
	if c.tried && c.cfg == cfg && c.choice == choice {
		return c.conv != nil
	}
	c.close()
	c.cfg, c.choice, c.tried = cfg, choice, true
	switch {
	case choice == CPU:
		c.why = "encoder is cpu"
	case to.isFrame(f) || to.format == GREY && to.width == f.Width && to.height == f.Height:
		c.why = "the conversion is too simple for the GPU"
	case p.cfg.ISP == nil:
		c.why = "this machine has no GPU converter"
	default:
		conv, err := p.cfg.ISP(cfg)
		if err != nil {
			c.why = "the GPU's converter can't be used: " + err.Error()
			return false
		}
		c.conv, c.why = conv, "encoder is "+string(choice)
		return true
	}
	return false
}

// convert converts a frame; after a failure the GPU is no longer used for such frames.
func (c *gpuConverter) convert(dst []byte, f *Frame) ([]byte, error) {
	out, err := c.conv.Convert(dst, f)
	if err != nil {
		c.why = "the GPU's converter failed: " + err.Error()
		c.close()
	}
	return out, err
}

func (c *gpuConverter) close() {
	if c.conv != nil {
		_ = c.conv.Close() // nothing depends on it any more
		c.conv = nil
	}
}
