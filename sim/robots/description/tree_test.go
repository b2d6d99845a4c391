// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// arm is a turning joint that slides a second one, which a third follows.
func arm() *description.Robot {
	return &description.Robot{
		Name:  "arm",
		Links: []description.Link{{Name: "base"}, {Name: "a"}, {Name: "b"}, {Name: "c"}},
		Joints: []description.Joint{
			{Name: "turn", Kind: description.Revolute, Parent: "base", Child: "a", Origin: description.Pose{Position: r3.Vec{Z: 1}}, Axis: r3.Vec{Z: 1}},
			{Name: "slide", Kind: description.Prismatic, Parent: "a", Child: "b", Axis: r3.Vec{X: 1}},
			{Name: "follow", Kind: description.Prismatic, Parent: "b", Child: "c", Axis: r3.Vec{Y: 1}, Mimic: &description.Mimic{Joint: "slide", Multiplier: -2, Offset: .5}},
		},
	}
}

func TestCheckNamesWhatCanNotBe(t *testing.T) {
	for want, spoil := range map[string]func(r *description.Robot){
		`link "a": its name is empty or another`:  func(r *description.Robot) { r.Links[2].Name = "a" },
		`joint "turn": its name is empty`:         func(r *description.Robot) { r.Joints[1].Name = "turn" },
		`there is no parent link "x"`:             func(r *description.Robot) { r.Joints[0].Parent = "x" },
		`there is no child link ""`:               func(r *description.Robot) { r.Joints[0].Child = "" },
		`hangs on two joints, "turn" and "slide"`: func(r *description.Robot) { r.Joints[1].Child = "a" },
		`both "base" and "d" hang on nothing`:     func(r *description.Robot) { r.Links = append(r.Links, description.Link{Name: "d"}) },
		`no link is the first`:                    func(r *description.Robot) { r.Joints = append(r.Joints, fixed("loop", "c", "base")) },
		`"d" can't be reached`: func(r *description.Robot) {
			r.Links = append(r.Links, description.Link{Name: "d"}, description.Link{Name: "e"})
			r.Joints = append(r.Joints, fixed("de", "d", "e"), fixed("ed", "e", "d"))
		},
		`follows "gone"`:           func(r *description.Robot) { r.Joints[2].Mimic.Joint = "gone" },
		`kind "hinge"`:             func(r *description.Robot) { r.Joints[0].Kind = "hinge" },
		`is not of length 1`:       func(r *description.Robot) { r.Joints[0].Axis.Z = 2 },
		`its origin is not finite`: func(r *description.Robot) { r.Joints[0].Origin.Position.X = math.NaN() },
		`lower limit 1 is above`:   func(r *description.Robot) { r.Joints[0].Limit = &description.Limit{Lower: 1} },
		`link "a": mass -1 kg`:     func(r *description.Robot) { r.Links[1].Inertial = &description.Inertial{Mass: -1} },
		`a sphere of size`:         func(r *description.Robot) { r.Links[1].Visuals = []description.Shape{{Kind: description.Sphere}} },
		`there is no link "gone"`:  func(r *description.Robot) { r.Devices = []description.Device{{Link: "gone"}} },
		`-1 times a second`:        func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Rate: -1}} },
		`range from 2 to 1 m`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Range: &description.Range{Min: 2, Max: 1}}}
		},
		`0 rays from`:       func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Fan: &description.Fan{}}} },
		`pictures of 0 × 0`: func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Image: &description.Image{}}} },
		`1 does not come after 1`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Table: description.Table{{1, 1, 0}, {1, 2, 0}}}}
		},
		`a step of -1`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Noise: description.Noise{Step: -1}}}
		},
		`limits of 2 and 1`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Axes: []description.Noise{{}, {Least: 2, Most: 1}}}}
		},
		`row 1 of its table: noise`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Table: description.Table{{1, 1, -1}}}}
		},
		`row 1 of its table is not`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Table: description.Table{{1, math.Inf(1), 0}}}}
		},
		`rows, more than 4096`: func(r *description.Robot) {
			r.Devices = []description.Device{{Link: "a", Table: make(description.Table, 5000)}}
		},
		`no wheel on one side`: func(r *description.Robot) {
			r.Drive = &description.Drive{Left: []string{"turn"}, Separation: 1, Radius: 1}
		},
		`no joint "slide" that turns`: func(r *description.Robot) {
			r.Drive = &description.Drive{Left: []string{"turn"}, Right: []string{"slide"}, Separation: 1, Radius: 1}
		},
		`wheels of radius 0 m`: func(r *description.Robot) {
			r.Drive = &description.Drive{Left: []string{"turn"}, Right: []string{"turn"}}
		},
		`lidar "": it does not say what`:  func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Kind: description.Lidar}} },
		`sonar "": it does not say what`:  func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Kind: description.Sonar}} },
		`camera "": it does not say what`: func(r *description.Robot) { r.Devices = []description.Device{{Link: "a", Kind: description.Camera}} },
		`robot "arm": 81 more`:            func(r *description.Robot) { r.Devices = make([]description.Device, 101) },
		`more than 4096`:                  func(r *description.Robot) { r.Links = make([]description.Link, 5000) },
		`has no link`:                     func(r *description.Robot) { r.Links, r.Joints = nil, nil },
	} {
		r := arm()
		spoil(r)
		err := r.Check()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			continue
		}
		if !errors.Is(err, description.ErrTree) && !errors.Is(err, description.ErrValue) {
			t.Errorf("%v is of no kind", err)
		}
	}
}

func fixed(name, parent, child string) description.Joint {
	return description.Joint{Name: name, Kind: description.Fixed, Parent: parent, Child: child}
}

// randomRobot is a tree of up to twelve links, each with a sphere, a mass and a device, on joints of all kinds.
func randomRobot(t *rapid.T) *description.Robot {
	r := &description.Robot{Name: "random"}
	pose := func(name string) description.Pose {
		roll, pitch, yaw := angles(t)
		return description.FromRPY(vectors(t, name), roll, pitch, yaw)
	}
	n := rapid.IntRange(1, 12).Draw(t, "links")
	for i := range n {
		name := fmt.Sprint("l", i)
		m := &description.Inertial{Mass: rapid.Float64Range(0, 3).Draw(t, "mass"), Pose: pose("centre"), Moments: [6]float64{1, .1, .2, 2, .3, 3}}
		r.Links = append(r.Links, description.Link{Name: name, Inertial: m, Visuals: []description.Shape{{Kind: description.Sphere, Radius: 1, Pose: pose("shape")}}})
		r.Devices = append(r.Devices, description.Device{Name: fmt.Sprint("d", i), Kind: description.IMU, Link: name, Pose: pose("device")})
		if i == 0 {
			continue
		}
		j := description.Joint{
			Name: fmt.Sprint("j", i), Child: name, Parent: fmt.Sprint("l", rapid.IntRange(0, i-1).Draw(t, "parent")), Origin: pose("joint"),
			Kind: rapid.SampledFrom([]description.JointKind{description.Fixed, description.Fixed, description.Continuous, description.Revolute, description.Prismatic}).Draw(t, "kind"),
			Axis: r3.Unit(r3.Add(vectors(t, "axis"), r3.Vec{X: 4})),
		}
		r.Joints = append(r.Joints, j)
	}
	return r
}

// Nothing moves in the world when links become one: neither devices nor shapes, nor the mass and how it is spread. And
// only what is asked for stays.
func TestSquashMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomRobot(t)
		positions := map[string]float64{}
		for i := range r.Joints {
			if r.Joints[i].Moves() {
				positions[r.Joints[i].Name] = rapid.Float64Range(-1, 1).Draw(t, "position")
			}
		}
		s := r.Squash(func(link string) bool { return link == "l1" })
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		for _, j := range s.Joints {
			if j.Kind == description.Fixed && j.Child != "l1" {
				t.Fatalf("%s is still there", j.Name)
			}
		}
		before, after := all(t, r, positions), all(t, s, positions)
		for name, p := range before.poses {
			if !after.poses[name].Near(p, 1e-9, 1e-7) {
				t.Fatalf("%s moved from %v to %v", name, p, after.poses[name])
			}
		}
		for i := range before.tensor {
			if d := before.tensor[i] - after.tensor[i]; math.Abs(d) > 1e-6*(1+math.Abs(before.tensor[i])) {
				t.Fatalf("mass %v and %v", before.tensor, after.tensor)
			}
		}
		slices.Sort(before.shapes)
		slices.Sort(after.shapes)
		for i := range before.shapes {
			if math.Abs(before.shapes[i]-after.shapes[i]) > 1e-9 {
				t.Fatalf("shapes %v and %v", before.shapes, after.shapes)
			}
		}
	})
}

// whole is what can be said of a robot in the world.
type whole struct {
	poses  map[string]description.Pose // of devices
	shapes []float64                   // how far from the origin
	tensor []float64                   // mass, its first moments, and second ones about the origin
}

// all looks at a robot; the moments by point masses that have them, independently of the parallel axes.
func all(t *rapid.T, r *description.Robot, positions map[string]float64) whole {
	poses, err := r.Transforms(positions)
	if err != nil {
		t.Fatal(err)
	}
	w := whole{poses: map[string]description.Pose{}, tensor: make([]float64, 10)}
	for i := range r.Devices {
		w.poses[r.Devices[i].Name] = poses[r.Devices[i].Link].Then(r.Devices[i].Pose)
	}
	for i := range r.Links {
		l := &r.Links[i]
		for _, s := range l.Visuals {
			w.shapes = append(w.shapes, r3.Norm(poses[l.Name].Then(s.Pose).Position))
		}
		if m := l.Inertial; m != nil {
			w.add(poses[l.Name].Then(m.Pose), m)
		}
	}
	return w
}

// add adds a body by its second moments ∫xᵢxₖ dm, which turn as a covariance does.
func (w *whole) add(p description.Pose, m *description.Inertial) {
	xx, yy, zz := m.Moments[0], m.Moments[3], m.Moments[5]
	half := (xx + yy + zz) / 2
	second := [3][3]float64{
		{half - xx, -m.Moments[1], -m.Moments[2]}, {-m.Moments[1], half - yy, -m.Moments[4]}, {-m.Moments[2], -m.Moments[4], half - zz},
	}
	roll, pitch, yaw := p.RPY()
	rot := matrix(roll, pitch, yaw)
	at := [3]float64{p.Position.X, p.Position.Y, p.Position.Z}
	w.tensor[0] += m.Mass
	for i, n := 0, 4; i < 3; i++ {
		w.tensor[1+i] += m.Mass * at[i]
		for k := i; k < 3; k, n = k+1, n+1 {
			sum := m.Mass * at[i] * at[k]
			for a := range 3 {
				for b := range 3 {
					sum += rot[i][a] * second[a][b] * rot[k][b]
				}
			}
			w.tensor[n] += sum
		}
	}
}
