// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"math"
	"slices"
)

// BoardPose describes how a board appears in the picture, with cameracalibrator's four parameters, all 0 to 1: X and
// Y are the position of the board's centre (0 left or top, 1 right or bottom, of the range that the board's size
// allows), Size is the square root of the share of the picture that it covers, Skew is how far it is tilted.
type BoardPose struct{ X, Y, Size, Skew float64 }

// BoardPoseOf computes the BoardPose of a board from its four outer corners, in order around it, in a picture of a
// size (px).
func BoardPoseOf(outline [4][2]float64, width, height int) BoardPose {
	area, mx, my := 0.0, 0.0, 0.0
	for i, p := range outline {
		q := outline[(i+1)%4]
		area += (p[0]*q[1] - q[0]*p[1]) / 2
		mx, my = mx+p[0]/4, my+p[1]/4
	}
	area = math.Abs(area)
	border := math.Sqrt(area)
	w, h := float64(width), float64(height)
	share := func(m, size float64) float64 {
		if size <= border {
			return 0.5
		}
		return clamp((m - border/2) / (size - border))
	}
	a, b, c := outline[0], outline[1], outline[2]
	ax, ay, cx, cy := a[0]-b[0], a[1]-b[1], c[0]-b[0], c[1]-b[1]
	angle := 0.0 // sides without a length are seen edgeways
	if length := math.Hypot(ax, ay) * math.Hypot(cx, cy); length > 0 {
		angle = math.Acos(clampTo((ax*cx+ay*cy)/length, -1, 1))
	}
	return BoardPose{share(mx, w), share(my, h), clamp(math.Sqrt(area / (w * h))), clamp(2 * math.Abs(math.Pi/2-angle))}
}

func clamp(v float64) float64 { return clampTo(v, 0, 1) }

func clampTo(v, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, v)) }

// distance returns the distance between two samples: the sum of the absolute differences of the parameters.
func (s BoardPose) distance(t BoardPose) float64 {
	return math.Abs(s.X-t.X) + math.Abs(s.Y-t.Y) + math.Abs(s.Size-t.Size) + math.Abs(s.Skew-t.Skew)
}

const (
	newSample   = 0.2 // distance from all other samples above which a view is kept
	enoughViews = 40
	fewestViews = 8
)

// wanted is the required range of each parameter over all samples, as in cameracalibrator.
var wanted = BoardPose{0.7, 0.7, 0.4, 0.5}

// Coverage collects samples and determines which views are missing. The zero value is empty.
type Coverage struct {
	samples []BoardPose
}

// IsNew reports whether a view differs enough from all samples so far.
func (c *Coverage) IsNew(s BoardPose) bool {
	return !slices.ContainsFunc(c.samples, func(t BoardPose) bool { return s.distance(t) <= newSample })
}

// Add adds a sample.
func (c *Coverage) Add(s BoardPose) { c.samples = append(c.samples, s) }

// Count returns the number of samples.
func (c *Coverage) Count() int { return len(c.samples) }

// bounds returns the minimum and the maximum of each parameter over the samples.
func (c *Coverage) bounds() (lo, hi BoardPose) {
	lo = BoardPose{1, 1, 0, 0} // the minima of size and skew are 0, as in cameracalibrator
	for _, s := range c.samples {
		lo.X, lo.Y = min(lo.X, s.X), min(lo.Y, s.Y)
		hi.X, hi.Y = max(hi.X, s.X), max(hi.Y, s.Y)
		hi.Size, hi.Skew = max(hi.Size, s.Size), max(hi.Skew, s.Skew)
	}
	return lo, hi
}

// Progress returns the covered share of each parameter's required range, 0 to 1.
func (c *Coverage) Progress() BoardPose {
	if len(c.samples) == 0 {
		return BoardPose{}
	}
	lo, hi := c.bounds()
	return BoardPose{
		clamp((hi.X - lo.X) / wanted.X), clamp((hi.Y - lo.Y) / wanted.Y),
		clamp((hi.Size - lo.Size) / wanted.Size), clamp((hi.Skew - lo.Skew) / wanted.Skew),
	}
}

// Good reports whether the views suffice: all four parameters are covered, or there are at least enoughViews.
func (c *Coverage) Good() bool {
	p := c.Progress()
	return len(c.samples) >= fewestViews && p == BoardPose{1, 1, 1, 1} || len(c.samples) >= enoughViews
}

// Next returns an instruction for the user: which view is needed next.
func (c *Coverage) Next() string {
	if len(c.samples) == 0 {
		return "hold the board in front of the camera so that all of it is seen"
	}
	lo, hi := c.bounds()
	p := c.Progress()
	least := min(p.X, p.Y, p.Size, p.Skew)
	switch {
	case c.Good():
		return "enough: more views reduce the uncertainty"
	case least == 1:
		return "any other view: some more are needed"
	case p.X == least && lo.X > 1-hi.X:
		return "move the board to the left edge of the picture"
	case p.X == least:
		return "move the board to the right edge of the picture"
	case p.Y == least && lo.Y > 1-hi.Y:
		return "move the board to the upper edge of the picture"
	case p.Y == least:
		return "move the board to the lower edge of the picture"
	case p.Skew == least:
		return "tilt the board by about 45°, in different directions"
	default:
		return "bring the board nearer, until it fills the picture"
	}
}
