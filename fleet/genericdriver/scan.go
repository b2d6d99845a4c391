// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

const (
	// scanName is the device that distance sensors make together.
	scanName = "scan"
	// fewest is how many of them make a scan worth its name.
	fewest = 5
	// scanRays is how many rays it has, all around.
	scanRays = 24
	// scanStep is the angle between two, rad.
	scanStep = 2 * math.Pi / scanRays
	// nearlyAll is how much of a scan's reach a sensor must have to say that all of it is free.
	nearlyAll = 0.9
	// level is how much of a sensor's direction is in the plane at the least.
	level = 0.9
)

// feeler is a distance sensor that is a ray of a scan.
type feeler struct {
	device int
	at, to r3.Vec // in the scan's frame
}

// feelers are the distance sensors that look level and do not move.
func feelers(desc *description.Robot, frame string) []feeler {
	poses, err := desc.Transforms(nil)
	if err != nil {
		return nil
	}
	base, moving := poses[frame].Inverse(), moved(desc)
	var found []feeler
	for i := range desc.Devices {
		d := &desc.Devices[i]
		if d.Kind != description.Infrared && d.Kind != description.Sonar || moving[d.Link] {
			continue
		}
		p := base.Then(poses[d.Link]).Then(d.Pose)
		to := r3.Sub(p.Apply(r3.Vec{X: 1}), p.Position)
		if math.Hypot(to.X, to.Y) >= level {
			found = append(found, feeler{i, p.Position, to})
		}
	}
	if len(found) < fewest {
		return nil
	}
	return found
}

// moved says which links hang on a joint that moves.
func moved(desc *description.Robot) map[string]bool {
	all := map[string]bool{}
	for more := true; more; {
		more = false
		for i := range desc.Joints {
			if j := &desc.Joints[i]; !all[j.Child] && (j.Kind != description.Fixed || all[j.Parent]) {
				all[j.Child], more = true, true
			}
		}
	}
	return all
}

// offerScan makes a scan of distance sensors: each is one ray of it, measured from the middle of the scan's frame;
// where several are the same ray the nearest counts. A ray is +Inf where free space was measured as far as the scan
// goes, and NaN where a sensor that sees less far sees nothing, and where there is none.
func offerScan(c *Context, desc *description.Robot, sensors []feeler) (Component, error) {
	var v []float64
	far := 0.0
	for _, s := range sensors {
		if _, high := span(&desc.Devices[s.device]); !math.IsInf(high, 1) {
			far = max(far, high+math.Hypot(s.at.X, s.at.Y))
		}
	}
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.LaserScan, d machine.Devices, now time.Time) bool {
		m.Header.Stamp, m.Header.FrameID = stamp(now), c.Settings.Frame
		m.AngleMin, m.AngleIncrement, m.AngleMax = -math.Pi, scanStep, math.Pi-scanStep
		m.ScanTime, m.RangeMax = float32(c.Settings.period().Seconds()), float32(far)
		m.Ranges = m.Ranges[:0]
		for range scanRays {
			m.Ranges = append(m.Ranges, float32(math.NaN()))
		}
		for _, s := range sensors {
			v = d.Measure(s.device, v[:0])
			device := &desc.Devices[s.device]
			r := metres(device, v[0])
			if _, high := span(device); math.IsInf(r, 1) && high+math.Hypot(s.at.X, s.at.Y) < float64(nearlyAll*far) {
				continue
			}
			ray, way := s.meets(r, far)
			if was := &m.Ranges[ray]; closer(float64(*was), way) {
				*was = float32(way)
			}
		}
		return true
	})
}

// closer reports whether a second sensor's distance counts in place of the first one's, which may be NaN: the nearer
// one, but what is too near for one of them (−Inf) another one may have measured.
func closer(was, way float64) bool {
	switch {
	case math.IsInf(way, -1):
		return math.IsNaN(was) || math.IsInf(was, 1)
	case math.IsInf(was, -1):
		return !math.IsInf(way, 1)
	}
	return !(was <= way)
}

// meets is the ray in which a sensor's distance is, and how far it is in it.
func (s *feeler) meets(r, far float64) (ray int, way float64) {
	reach := r
	if math.IsInf(r, 0) {
		reach = 0
		if r > 0 {
			reach = far
		}
	}
	x, y := s.at.X+s.to.X*reach, s.at.Y+s.to.Y*reach
	ray = int(math.Round((math.Atan2(y, x)+math.Pi)/scanStep)) % scanRays
	if math.IsInf(r, 0) {
		return ray, r
	}
	return ray, math.Hypot(x, y)
}
