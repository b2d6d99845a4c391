// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// errLens is matched by the error of a lens that can't be.
var errLens = errors.New("vcamera: lens")

// Lens is an ideal lens, which looks level, and the size of its pictures.
type Lens struct {
	Width, Height    int     // pixels
	FocalX, FocalY   float64 // pixels
	CenterX, CenterY float64 // where it looks, pixels: the middle of pixel (0, 0) is (0, 0)
	Above            float64 // how high it is over the floor, m
}

// piPuck is the lens of an e-puck2 with a Pi-puck.
func piPuck() Lens {
	return Lens{Width: Width, Height: Height, FocalX: FocalX, FocalY: FocalY, CenterX: CenterX, CenterY: CenterY, Above: lensHeight}
}

const (
	// maxPicture bounds the pixels of a picture.
	maxPicture = 1 << 24
	// widest is the widest view of a lens, rad: a plane can't show more.
	widest = 3.0
	// lowest is the least height of a lens, m.
	lowest = 1e-3
)

// NewLens is a lens in the middle of its pictures, with a field of view from left to right (rad) and a height over the
// floor (m), which are cut to what can be drawn. It fails if the pictures have no pixels or more than 2^24, or if the
// view is not above 0; the error names size and view.
func NewLens(width, height int, view, above float64) (Lens, error) {
	if width < 1 || height < 1 || width > maxPicture/height || !(view > 0) {
		return Lens{}, fmt.Errorf("%w: pictures of %d × %d (%d pixels at most), %g rad wide", errLens, width, height, maxPicture, view)
	}
	half := geom.Direction(min(view, widest) / 2)
	focal := float64(float64(width) * half.X / (2 * half.Y))
	return Lens{
		Width: width, Height: height, FocalX: focal, FocalY: focal, CenterX: float64(width-1) / 2, CenterY: float64(height-1) / 2,
		Above: math.Max(lowest, above),
	}, nil
}

// BGRA draws what the lens sees of a scene from a place, level into a direction, a unit vector: rows from above of
// pixels of blue, green, red and 255. It reuses the memory of dst if that is large enough.
func (r *Renderer) BGRA(dst []byte, s *Scene, at, ahead geom.Vec) []byte {
	l := &r.lens
	if need := 4 * l.Width * l.Height; cap(dst) < need {
		dst = make([]byte, need)
	} else {
		dst = dst[:need]
	}
	d := Development{}
	r.draw(s, d.films(s.Light), at, ahead, func(x, n int) {
		for y := range l.Height {
			for i, strip := range r.strips[:n] {
				put(dst[4*(y*l.Width+x+i):], strip[y])
			}
		}
	})
	return dst
}

// put writes a pixel as blue, green, red and 255: BT.601 with all values.
func put(to []byte, p pixel) {
	y, u, v := int(p&255), int(p>>8&255)-128, int(p>>16&255)-128
	cut := func(c int) byte { return byte(max(0, min(255, c))) }
	to[0], to[1], to[2], to[3] = cut(y+(454*u)/256), cut(y-(88*u+183*v)/256), cut(y+(359*v)/256), 255
}
