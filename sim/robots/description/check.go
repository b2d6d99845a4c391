// SPDX-License-Identifier: Apache-2.0

package description

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Check says what can't be of a description: all of it, not the first alone. The errors match [ErrTree] and
// [ErrValue].
func (r *Robot) Check() error {
	var found []error
	if n := max(len(r.Links), len(r.Joints), len(r.Devices)); n > MaxParts {
		return fmt.Errorf("%w: robot %q has %d links, joints or devices, more than %d", ErrTree, r.Name, n, MaxParts)
	}
	if len(r.Links) == 0 {
		found = append(found, fmt.Errorf("%w: robot %q has no link", ErrTree, r.Name))
	}
	found = append(found, r.checkTree()...)
	for i := range r.Joints {
		found = append(found, r.Joints[i].check()...)
	}
	for i := range r.Links {
		found = append(found, r.Links[i].check()...)
	}
	for i := range r.Devices {
		found = append(found, r.checkDevice(&r.Devices[i])...)
	}
	if r.Drive != nil {
		found = append(found, r.checkDrive()...)
	}
	if more := len(found) - maxFaults; more > 0 {
		found = append(found[:maxFaults], fmt.Errorf("%w: robot %q: %d more", ErrValue, r.Name, more))
	}
	return errors.Join(found...)
}

// maxFaults is how many faults of a description are reported.
const maxFaults = 20

// checkTree looks for names twice, ends of joints that are not there, and links that can't be reached from the root.
func (r *Robot) checkTree() (found []error) {
	add := func(format string, args ...any) {
		found = append(found, fmt.Errorf("%w: "+format, append([]any{ErrTree}, args...)...))
	}
	links := map[string]bool{}
	for i := range r.Links {
		if name := r.Links[i].Name; name == "" || links[name] {
			add("link %q: its name is empty or another link's", name)
		}
		links[r.Links[i].Name] = true
	}
	joints, held := map[string]bool{}, map[string]string{}
	for i := range r.Joints {
		j := &r.Joints[i]
		if j.Name == "" || joints[j.Name] {
			add("joint %q: its name is empty or another joint's", j.Name)
		}
		joints[j.Name] = true
		if !links[j.Parent] {
			add("joint %q: there is no parent link %q", j.Name, j.Parent)
		}
		if !links[j.Child] {
			add("joint %q: there is no child link %q", j.Name, j.Child)
		}
		if other, twice := held[j.Child]; twice {
			add("link %q hangs on two joints, %q and %q", j.Child, other, j.Name)
		}
		held[j.Child] = j.Name
	}
	for i := range r.Joints {
		if m := r.Joints[i].Mimic; m != nil && !joints[m.Joint] {
			add("joint %q follows %q, which is not there", r.Joints[i].Name, m.Joint)
		}
	}
	if len(found) == 0 {
		r.checkMimics(add)
	}
	if len(found) > 0 || len(r.Links) == 0 {
		return found
	}
	poses, err := r.Transforms(nil)
	if err != nil {
		return []error{err}
	}
	for i := range r.Links {
		if _, ok := poses[r.Links[i].Name]; !ok {
			add("link %q can't be reached from the root: its joints are a circle", r.Links[i].Name)
		}
	}
	return found
}

// checkMimics looks for joints that follow each other in a circle.
func (r *Robot) checkMimics(add func(format string, args ...any)) {
	follows := map[string]string{}
	for i := range r.Joints {
		if m := r.Joints[i].Mimic; m != nil {
			follows[r.Joints[i].Name] = m.Joint
		}
	}
	ends := map[string]bool{} // what is known to come to an end
	for i := range r.Joints {
		way, name := map[string]bool{}, r.Joints[i].Name
		for ; follows[name] != "" && !ends[name]; name = follows[name] {
			if way[name] {
				add("joint %q follows itself, by way of others or not", name)
				break
			}
			way[name] = true
		}
		for passed := range way { // one fault is reported once
			ends[passed] = true
		}
	}
}

func (j *Joint) check() (found []error) {
	add := func(format string, args ...any) {
		found = append(found, fmt.Errorf("%w: joint %q: "+format, append([]any{ErrValue, j.Name}, args...)...))
	}
	switch j.Kind {
	case Fixed, Continuous, Revolute, Prismatic, Floating, Planar:
	default:
		add("kind %q", j.Kind)
	}
	if j.Moves() && math.Abs(r3.Norm(j.Axis)-1) > 1e-9 {
		add("its axis %v is not of length 1", j.Axis)
	}
	if !j.Origin.finite() {
		add("its origin is not finite")
	}
	if l := j.Limit; l != nil && (j.Kind == Revolute || j.Kind == Prismatic) && l.Lower > l.Upper {
		add("its lower limit %g is above its upper one, %g", l.Lower, l.Upper)
	}
	if l := j.Limit; l != nil && (math.IsNaN(l.Lower) || math.IsNaN(l.Upper) || !l.Velocity.possible() || !l.Effort.possible()) {
		add("its limits are %g to %g, velocity %g, effort %g: a bound is 0 or more", l.Lower, l.Upper, l.Velocity.Value, l.Effort.Value)
	}
	return found
}

func (l *Link) check() (found []error) {
	if m := l.Inertial; m != nil && (!(m.Mass >= 0) || math.IsInf(m.Mass, 0) || !m.Pose.finite()) {
		found = append(found, fmt.Errorf("%w: link %q: mass %g kg", ErrValue, l.Name, m.Mass))
	}
	for _, shapes := range [][]Shape{l.Visuals, l.Collisions} {
		for i := range shapes {
			if s := &shapes[i]; !s.possible() {
				found = append(found, fmt.Errorf("%w: link %q: a %s of size %v, radius %g, length %g", ErrValue, l.Name, s.Kind, s.Size, s.Radius, s.Length))
			}
		}
	}
	return found
}

// possible reports whether a shape has a size.
func (s *Shape) possible() bool {
	positive := func(values ...float64) bool {
		for _, v := range values {
			if !(v > 0) || math.IsInf(v, 0) {
				return false
			}
		}
		return s.Pose.finite()
	}
	switch s.Kind {
	case Box:
		return positive(s.Size.X, s.Size.Y, s.Size.Z)
	case Cylinder:
		return positive(s.Radius, s.Length)
	case Capsule:
		return positive(s.Radius) && s.Length >= 0
	case Sphere:
		return positive(s.Radius)
	case Mesh:
		return s.URI != "" && s.Pose.finite()
	default:
		return false
	}
}

func (p Pose) finite() bool {
	sum := p.Position.X + p.Position.Y + p.Position.Z + p.Rotation.Real + p.Rotation.Imag + p.Rotation.Jmag + p.Rotation.Kmag
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// checkDevice looks at one device.
func (r *Robot) checkDevice(d *Device) (found []error) {
	add := func(format string, args ...any) {
		found = append(found, fmt.Errorf("%w: line %d: %s %q: "+format, append([]any{ErrValue, d.Line, d.Kind, d.Name}, args...)...))
	}
	if r.Link(d.Link) == nil {
		add("there is no link %q", d.Link)
	}
	if !(d.Rate >= 0) || math.IsInf(d.Rate, 0) {
		add("%g times a second", d.Rate)
	}
	if g := d.Range; g != nil && (!(g.Min >= 0) || !(g.Max > g.Min) || !(g.Aperture >= 0)) {
		add("range from %g to %g m, aperture %g rad", g.Min, g.Max, g.Aperture)
	}
	if f := d.Fan; f != nil && (f.Samples < 1 || f.Samples > MaxRays || !(f.MinAngle <= f.MaxAngle) || !(f.MaxAngle-f.MinAngle <= 2*math.Pi+1e-6)) {
		add("%d rays from %g to %g rad (1 to %d, a turn at most)", f.Samples, f.MinAngle, f.MaxAngle, MaxRays)
	}
	if f := d.Fan; f != nil && f.Layers > MaxRays/max(1, f.Samples) {
		add("%d layers of %d rays (%d rays in all)", f.Layers, f.Samples, MaxRays)
	}
	if i := d.Image; i != nil && (i.Width < 1 || i.Height < 1 || i.Width > MaxPixels || i.Height > MaxPixels || !(i.FieldOfView > 0) || !(i.FieldOfView < 2*math.Pi)) {
		add("pictures of %d × %d (1 to %d), %g rad wide", i.Width, i.Height, MaxPixels, i.FieldOfView)
	}
	if d.Energy != nil {
		d.Energy.check(add)
	}
	fan, image := d.Kind == Lidar, d.Kind == Camera || d.Kind == Depth
	if fan && d.Fan == nil || image && d.Image == nil || (fan || d.Kind == Sonar) && d.Range == nil {
		add("it does not say what it measures")
	}
	d.checkReadings(add)
	return found
}

// checkReadings adds what is wrong with a device's tables and noise.
func (d *Device) checkReadings(add func(format string, args ...any)) {
	for _, table := range [...]Table{d.Table, d.Saturation} {
		if err := table.check(); err != nil {
			add("%w", err)
		}
	}
	d.Noise.check(add)
	for i := range d.Axes {
		d.Axes[i].check(add)
	}
}

// check adds what is wrong with a battery.
func (e *Energy) check(add func(format string, args ...any)) {
	if !(e.Now >= 0) || math.IsInf(e.Now, 0) || math.IsNaN(e.Most) || math.IsInf(e.Most, 0) {
		add("%g J, %g J at the most", e.Now, e.Most)
	}
	if !(e.Charging >= 0 && e.Load >= 0 && e.Voltage >= 0 && e.Resistance >= 0 && !math.IsNaN(e.Rise)) {
		add("%g W when charged, %g W of load, %g V, %g V more when empty, %g Ω", e.Charging, e.Load, e.Voltage, e.Rise, e.Resistance)
	}
}

const (
	// MaxParts bounds the links, the joints and the devices of a robot.
	MaxParts = 4096
	// MaxRows bounds a device's table.
	MaxRows = 4096
	// MaxRays bounds the rays of a lidar, of all its layers.
	MaxRays = 65536
	// MaxPixels bounds width and height of a picture.
	MaxPixels = 16384
)

// narrowest is the least distance of the wheels of both sides, m.
const narrowest = 1e-3

// checkDrive looks at the wheels.
func (r *Robot) checkDrive() (found []error) {
	d := r.Drive
	if !(d.Separation >= narrowest) || !(d.Radius > 0) || math.IsInf(d.Separation, 0) || math.IsInf(d.Radius, 0) {
		found = append(found, fmt.Errorf("%w: line %d: differential drive: wheels of radius %g m, %g m apart", ErrValue, d.Line, d.Radius, d.Separation))
	}
	if !(d.StepsPerTurn >= 0) || math.IsInf(d.StepsPerTurn, 0) {
		found = append(found, fmt.Errorf("%w: line %d: differential drive: %g motor steps in a turn of a wheel (steps_per_turn)", ErrValue, d.Line, d.StepsPerTurn))
	}
	if !(d.StepTimer >= 0 && d.StepTimer <= 1) {
		found = append(found, fmt.Errorf("%w: line %d: differential drive: a timer of %g s for the motors' half steps (step_timer), must be 0 to 1 s", ErrValue, d.Line, d.StepTimer))
	}
	turning, held := map[string]bool{}, map[string]bool{}
	for i := range r.Joints {
		l := r.Joints[i].Limit
		held[r.Joints[i].Name] = l != nil && l.Velocity.Most() == 0
		turning[r.Joints[i].Name] = r.Joints[i].Kind == Continuous || r.Joints[i].Kind == Revolute
	}
	for _, side := range [][]string{d.Left, d.Right} {
		if len(side) == 0 {
			found = append(found, fmt.Errorf("%w: line %d: differential drive: no wheel on one side", ErrValue, d.Line))
		}
		for _, name := range side {
			if held[name] {
				found = append(found, fmt.Errorf("%w: line %d: differential drive: the velocity limit of wheel %q is 0, so it can't turn; without that value it has no limit", ErrValue, d.Line, name))
			}
			if !turning[name] {
				found = append(found, fmt.Errorf("%w: line %d: differential drive: no joint %q that turns", ErrValue, d.Line, name))
			}
		}
	}
	return found
}
