// SPDX-License-Identifier: Apache-2.0

package description

import "gonum.org/v1/gonum/spatial/r3"

// Robot is a robot as it is described.
type Robot struct {
	Name    string
	Links   []Link
	Joints  []Joint
	Devices []Device
	Drive   *Drive // nil: nothing is known of its wheels
	// Ignored is what the file says and this package has no meaning for, in the order of the file.
	Ignored []Remark
}

// Remark is a place of a file and what is to be said about it.
type Remark struct {
	Line int // from 1
	Text string
}

// Link is a rigid body, and a frame of its name.
type Link struct {
	Name       string
	Inertial   *Inertial // nil: the link has no mass
	Visuals    []Shape
	Collisions []Shape
}

// Inertial is a mass and how it is spread.
type Inertial struct {
	Mass    float64    // kg
	Pose    Pose       // of the principal frame in the link
	Moments [6]float64 // xx, xy, xz, yy, yz, zz about that frame, kg m²
}

// ShapeKind says which of a shape's fields count.
type ShapeKind string

// The kinds of shapes.
const (
	Box      ShapeKind = "box"
	Cylinder ShapeKind = "cylinder" // its axis is z
	Capsule  ShapeKind = "capsule"  // the same, with half spheres at both ends; Length is that between them
	Sphere   ShapeKind = "sphere"
	Mesh     ShapeKind = "mesh"
)

// Shape is something to be seen or bumped into.
type Shape struct {
	Name           string
	Kind           ShapeKind
	Pose           Pose    // in the link
	Size           r3.Vec  // of a box; of a mesh the scale, 1 is as in its file
	Radius, Length float64 // metres
	// URI names a mesh's file, as the description has it. Nothing here opens it.
	URI string
	// Color is red, green, blue and opacity, 0 to 1; nil if nothing is said.
	Color *[4]float64
}

// JointKind says how a joint moves.
type JointKind string

// The kinds of joints.
const (
	Fixed      JointKind = "fixed"
	Continuous JointKind = "continuous" // turns without limits: wheels
	Revolute   JointKind = "revolute"   // turns between limits
	Prismatic  JointKind = "prismatic"  // slides between limits
	Floating   JointKind = "floating"   // not held at all: it does not move here
	Planar     JointKind = "planar"     // the same
)

// Joint holds one link on another.
type Joint struct {
	Name          string
	Kind          JointKind
	Parent, Child string // links
	Origin        Pose   // of the joint, and of the child where the joint is at 0, in the parent
	Axis          r3.Vec // in the joint's frame, of length 1
	Limit         *Limit // nil: none is given
	Mimic         *Mimic // nil: it moves by itself
	Damping       float64
	Friction      float64
}

// Limit bounds a joint. Turning joints have rad, rad/s, N m, sliding ones m, m/s, N.
type Limit struct {
	Lower, Upper     float64
	Velocity, Effort Bound // greatest magnitudes
}

// Mimic makes a joint follow another: position = Multiplier · other + Offset.
type Mimic struct {
	Joint              string
	Multiplier, Offset float64
}

// Moves reports whether a joint has a position of its own.
func (j *Joint) Moves() bool {
	return j.Kind == Continuous || j.Kind == Revolute || j.Kind == Prismatic
}

// Link gives the link of a name, nil if there is none.
func (r *Robot) Link(name string) *Link {
	for i := range r.Links {
		if r.Links[i].Name == name {
			return &r.Links[i]
		}
	}
	return nil
}

// Mass is that of all links, kg.
func (r *Robot) Mass() float64 {
	sum := 0.0
	for i := range r.Links {
		if m := r.Links[i].Inertial; m != nil {
			sum += m.Mass
		}
	}
	return sum
}
