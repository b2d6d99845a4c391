// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// cells cuts a cube from −1 to 1 m into n³ cells of 1 kg/m³ and adds up those of which inside is true: mass, centre,
// and the moments about the centre.
func cells(n int, inside func(x, y, z float64) bool) (mass float64, centre r3.Vec, moments [6]float64) {
	side := 2 / float64(n)
	var points []r3.Vec
	for i := range n * n * n {
		p := r3.Vec{X: float64(i % n), Y: float64(i / n % n), Z: float64(i / n / n)}
		p = r3.Sub(r3.Scale(side, r3.Add(p, r3.Vec{X: .5, Y: .5, Z: .5})), r3.Vec{X: 1, Y: 1, Z: 1})
		if inside(p.X, p.Y, p.Z) {
			points = append(points, p)
			centre = r3.Add(centre, p)
		}
	}
	one := side * side * side
	mass = one * float64(len(points))
	centre = r3.Scale(1/float64(len(points)), centre)
	for _, p := range points {
		d := r3.Sub(p, centre)
		for i, v := range [6]float64{d.Y*d.Y + d.Z*d.Z, -d.X * d.Y, -d.X * d.Z, d.X*d.X + d.Z*d.Z, -d.Y * d.Z, d.X*d.X + d.Y*d.Y} {
			moments[i] += one * v
		}
	}
	return mass, centre, moments
}

// Mass, centre and moments of bounding objects, compared with those of many small cubes.
func TestMassIsComputedOfTheBoundingObject(t *testing.T) {
	s, c := math.Sincos(.5)
	box := func(x, y, z float64) bool { return math.Abs(x) < .4 && math.Abs(y) < .25 && math.Abs(z) < .15 }
	capsule := func(x, y, z float64) bool {
		end := z - max(-.3, min(.3, z))
		return x*x+y*y+end*end < .09
	}
	for _, k := range []struct {
		object string
		inside func(x, y, z float64) bool
	}{
		{"Box { size 0.8 0.5 0.3 }", box},
		{"Pose { rotation 0 0 1 0.5 children [ Box { size 0.8 0.5 0.3 } ] }", func(x, y, z float64) bool { return box(c*x+s*y, c*y-s*x, z) }},
		{"Cylinder { height 0.9 radius 0.5 }", func(x, y, z float64) bool { return x*x+y*y < .25 && math.Abs(z) < .45 }},
		{"Transform { scale 0.5 0.5 0.5 children [ Sphere { radius 1.2 } ] }", func(x, y, z float64) bool { return x*x+y*y+z*z < .36 }},
		{"Capsule { height 0.6 radius 0.3 }", capsule},
		{"Pose { rotation 1 0 0 1.5707963267948966 translation 0.2 0 0.1 children [ Shape { geometry Capsule { height 0.6 radius 0.3 } } ] }",
			func(x, y, z float64) bool { return capsule(x-.2, z-.1, y) }},
		{`Group { children [ Pose { translation 0.5 0.4 0 children [ Box { size 0.4 0.3 0.2 } ] }
			Pose { translation -0.5 -0.3 0.6 children [ Sphere { radius 0.3 } ] } ] }`,
			func(x, y, z float64) bool {
				ball := r3.Norm2(r3.Vec{X: x + .5, Y: y + .3, Z: z - .6})
				return ball < .09 || math.Abs(x-.5) < .2 && math.Abs(y-.4) < .15 && math.Abs(z) < .1
			}},
	} {
		m := robot(t, "Solid { physics Physics { density 1 } boundingObject "+k.object+" }").Link("solid").Inertial
		mass, centre, moments := cells(80, k.inside)
		if math.Abs(m.Mass-mass) > .02*mass || r3.Norm(r3.Sub(m.Pose.Position, centre)) > .01 {
			t.Errorf("%s: %g kg at %v, not %g at %v", k.object, m.Mass, m.Pose.Position, mass, centre)
		}
		for i, v := range moments {
			if math.Abs(m.Moments[i]-v) > .03*(moments[0]+moments[3]+moments[5])/3 {
				t.Errorf("%s: moments %v, not %v", k.object, m.Moments, moments)
				break
			}
		}
	}
}

func TestMassThatIsGiven(t *testing.T) {
	const sphere = " boundingObject Pose { translation 0 0 1 children [ Sphere { radius 0.5 } ] }"
	for _, c := range []struct {
		solid string
		want  description.Inertial
	}{
		{"physics Physics { mass 2 }" + sphere, description.Inertial{Mass: 2, Pose: description.Pose{Position: r3.Vec{Z: 1}}, Moments: [6]float64{.2, 0, 0, .2, 0, .2}}},
		{"physics Physics { mass 2 centerOfMass [ 1 2 3 ] }" + sphere,
			description.Inertial{Mass: 2, Pose: description.Pose{Position: r3.Vec{X: 1, Y: 2, Z: 3}}, Moments: [6]float64{.2, 0, 0, .2, 0, .2}}},
		{"physics Physics { mass 2 inertiaMatrix [ 1 2 3, 0.4 0.5 0.6 ] }" + sphere, description.Inertial{Mass: 2, Moments: [6]float64{1, .4, .5, 2, .6, 3}}},
		{"physics Physics { mass 2 }", description.Inertial{Mass: 2}},
		{"physics Physics { }", description.Inertial{}},
	} {
		got := *robot(t, "Solid { "+c.solid+" }").Link("solid").Inertial
		near := math.Abs(got.Mass-c.want.Mass) < 1e-12 && got.Pose.Near(c.want.Pose, 1e-12, 1e-9)
		for i := range got.Moments {
			near = near && math.Abs(got.Moments[i]-c.want.Moments[i]) < 1e-12
		}
		if !near {
			t.Errorf("%s:\n%+v\n%+v", c.solid, got, c.want)
		}
	}
	if l := robot(t, "Solid { physics NULL boundingObject NULL children [ ] }").Link("solid"); l.Inertial != nil {
		t.Errorf("%+v", l)
	}
}

// A mass whose Solid's frame is not its link's moves with it: centre and axes.
func TestMassOfASolidOffItsAxis(t *testing.T) {
	r := robot(t, `HingeJoint {
		jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 }
		endPoint Solid { translation 1 2 3 rotation 0 1 0 0.3 children [ GPS { name "here" } ]
			physics Physics { mass 1 centerOfMass [ 0.1 0 0 ] inertiaMatrix [ 1 2 3 0 0 0 ] } } }`)
	poses, err := r.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	link := r.Link("solid")
	same(t, "mass", poses["solid"].Then(link.Inertial.Pose), chain(shift(1, 2, 3), turn(0, 1, 0, .3), shift(.1, 0, 0)))
	if p := poses["solid"].Position; r3.Norm(r3.Sub(p, r3.Vec{X: 1, Z: 3})) > 1e-12 {
		t.Errorf("the link's frame is at %v, not on the axis", p)
	}
}

func TestFormsThatAreLeftOut(t *testing.T) {
	r := robot(t, `Shape { geometry Cone { bottomRadius 1 } }`, `Shape { geometry Mesh { } }`, `Shape { }`,
		`Shape { appearance Copper { baseColor 0.5 0.5 0.5 } geometry Sphere { } }`,
		`Solid { physics Elsewhere { } boundingObject Plane { } }`, `CadShape { url "a.dae" ccw FALSE }`, `PointLight { }`,
		`Transform { scale 1 2 3 children [ Shape { geometry Cylinder { } } Pose { rotation 0 0 1 1 children [ Shape { geometry Box { } } ] } ] }`)
	want := `3 Cone: a form that is not known
4 Mesh: without a url
6 Copper: another file says how it looks
7 Plane: a form that is not known
7 Elsewhere: it has no meaning here
8 CadShape.ccw: it has no meaning here
9 PointLight: it has no meaning here
10 Cylinder: scaled by 1 and 2: the mean is used
10 Pose: turned within a scale of {1 2 3}: the mean is used
`
	if got := remarks(r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	v := r.Links[0].Visuals
	if len(v) != 4 || *v[0].Color != [4]float64{.5, .5, .5, 1} || v[1].URI != "a.dae" || v[2].Length != 6 || v[2].Radius != 1.5 ||
		math.Abs(v[3].Size.X-2*math.Cbrt(6)) > 1e-12 {
		t.Errorf("%+v", v)
	}
}
