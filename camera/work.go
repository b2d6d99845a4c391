// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// maker makes the pictures of one group. It belongs to the stream's goroutine.
type maker interface {
	// feed processes a frame, which is uncompressed or, for the JPEG maker, as the camera sent it. It posts the
	// picture, now or later.
	feed(s *stream, f *Frame, want Output) error
	// close releases the maker's resources; a pending picture is lost.
	close()
}

// work makes the pictures of all groups from one frame.
func (s *stream) work(f *Frame) {
	s.p.mu.Lock()
	groups := s.p.groups
	s.p.mu.Unlock()
	if r := s.p.cfg.Range; r != yuv.Unspecified {
		f.Range = r
	} else if f.Range == yuv.Unspecified {
		f.Range = yuv.Full
	}
	s.retain(groups)
	s.full.reset()
	for _, g := range s.groups {
		if err := g.maker.feed(s, f, g.output()); err != nil {
			s.p.noteLoss(g, err)
		}
	}
}

// retain creates makers for new groups and closes those of removed groups.
func (s *stream) retain(groups []*group) {
	if slices.Equal(groups, s.groups) {
		return
	}
	for _, g := range s.groups {
		if !slices.Contains(groups, g) {
			g.maker.close()
			g.maker = nil
		}
	}
	for _, g := range groups {
		if g.maker == nil {
			g.maker = newMaker(g)
		}
	}
	s.groups = groups
}

func newMaker(g *group) maker {
	switch g.output().Encoding {
	case StampOnly:
		return stampMaker{g}
	case Compressed:
		return &jpegMaker{g: g}
	default:
		return &rawMaker{g: g}
	}
}

// fit returns the size of the pictures of such a frame: at most the frame's.
func (o *Output) fit(f *Frame) (width, height int) {
	return min(o.Width, f.Width), min(o.Height, f.Height)
}

// label sets the common fields of all pictures.
func (pic *picture) label(f *Frame, o *Output) {
	w, h := o.fit(f)
	pic.image = Image{Encoding: o.Encoding, Width: w, Height: h, Data: pic.image.Data[:0], Stamp: f.Stamp, Sequence: f.Sequence}
}

// stampMaker makes pictures without data.
type stampMaker struct{ g *group }

func (m stampMaker) feed(_ *stream, f *Frame, want Output) error {
	pic := m.g.blank()
	pic.label(f, &want)
	m.g.post(pic)
	return nil
}

func (stampMaker) close() {}
