// SPDX-License-Identifier: Apache-2.0

package sdf_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
)

// placed is where link b is in link a, which is in the model's frame, for a model with these things in it.
func placed(t *testing.T, b, outside string) description.Pose {
	t.Helper()
	r := parsed(t, "", `<link name="b">`+b+`</link>`+outside+`
		<joint name="ab" type="fixed"><parent>a</parent><child>b</child></joint>`)
	poses, err := r.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	return poses["b"]
}

func TestPosesAsTheyAreWritten(t *testing.T) {
	at := r3.Vec{X: 1, Y: 2, Z: 3}
	for pose, want := range map[string]description.Pose{
		`<pose/>`: {},
		`<pose>
			1 2 3
			0 0 0
		</pose>`: {Position: at},
		`<pose>1 2 3 0.1 0.2 0.3</pose>`:                                  description.FromRPY(at, .1, .2, .3),
		`<pose degrees="true">1 2 3 0 -90 0</pose>`:                       description.FromRPY(at, 0, -math.Pi/2, 0),
		`<pose degrees="1">1 2 3 180 0 45</pose>`:                         description.FromRPY(at, math.Pi, 0, math.Pi/4),
		`<pose degrees="false">0 0 0 0 0 1</pose>`:                        description.FromRPY(r3.Vec{}, 0, 0, 1),
		`<pose rotation_format="euler_rpy">0 0 0 0 0 1</pose>`:            description.FromRPY(r3.Vec{}, 0, 0, 1),
		`<pose rotation_format="quat_xyzw">1 2 3  0 0 0 1</pose>`:         {Position: at},
		`<pose rotation_format="quat_xyzw">1 2 3  0 0 1 0</pose>`:         description.FromRPY(at, 0, 0, math.Pi),
		`<pose rotation_format="quat_xyzw">0 0 0  0 3 0 3</pose>`:         description.FromRPY(r3.Vec{}, 0, math.Pi/2, 0),
		`<pose rotation_format="quat_xyzw">0 0 0  0.5 0.5 0.5 -.5</pose>`: description.FromAxis(r3.Vec{}, r3.Vec{X: -1, Y: -1, Z: -1}, 2*math.Pi/3),
	} {
		if got := placed(t, pose, ""); !got.Near(want, 1e-12, 1e-7) {
			t.Errorf("%s is %+v, want %+v", pose, got, want)
		}
	}
}

func TestPosesInOtherFrames(t *testing.T) {
	// f is 1 ahead and turned to the left by a quarter; one ahead of it is one to the left of where it is.
	const f = `<frame name="f"><pose degrees="true">1 0 0 0 0 90</pose></frame>`
	for name, c := range map[string]struct {
		pose, outside string
		want          r3.Vec
	}{
		"the model's own":          {`<pose relative_to="__model__">1 0 0 0 0 0</pose>`, f, r3.Vec{X: 1}},
		"nothing, as if not named": {`<pose relative_to="">1 0 0 0 0 0</pose>`, f, r3.Vec{X: 1}},
		"a link":                   {`<pose relative_to="a">2 0 0 0 0 0</pose>`, f, r3.Vec{X: 2}},
		"a frame":                  {`<pose relative_to="f">1 0 0 0 0 0</pose>`, f, r3.Vec{X: 1, Y: 1}},
		"a frame on a frame": {`<pose relative_to="g">1 0 0 0 0 0</pose>`,
			f + `<frame name="g" attached_to="f"><pose>1 0 0 0 0 0</pose></frame>`, r3.Vec{X: 1, Y: 2}},
		"attached to one frame, seen from another": {`<pose relative_to="g"/>`,
			f + `<frame name="g" attached_to="f"><pose relative_to="a">1 0 0 0 0 0</pose></frame>`, r3.Vec{X: 1}},
		"a joint on another link": {`<pose relative_to="j">1 0 0 0 0 0</pose>`, f + `
			<link name="c"><pose relative_to="f"/></link>
			<joint name="j" type="fixed"><pose>0 0 1 0 0 0</pose><parent>a</parent><child>c</child></joint>`, r3.Vec{X: 1, Y: 1, Z: 1}},
		"a joint that is in a frame itself": {`<pose relative_to="j">1 0 0 0 0 0</pose>`, f + `
			<link name="c"/>
			<joint name="j" type="fixed"><pose relative_to="f">0 0 1 0 0 0</pose><parent>a</parent><child>c</child></joint>`, r3.Vec{X: 1, Y: 1, Z: 1}},
	} {
		if got := placed(t, c.pose, c.outside).Position; r3.Norm(r3.Sub(got, c.want)) > 1e-12 {
			t.Errorf("%s: at %v, want %v", name, got, c.want)
		}
	}
}

// A joint's end may be a frame: what counts is the link that it is attached to in the end. A frame that is attached to
// nothing is on the model's own, and that is on the first link or the one that canonical_link names.
func TestJointsEndAtTheLinksOfFrames(t *testing.T) {
	const text = `<sdf version="1.9"><model name="m"%s><link name="a"/><link name="b"/><link name="c"/>
		<frame name="f" attached_to="g"/><frame name="g" attached_to="h"/><frame name="h" attached_to="b"/><frame name="free"/>
		<joint name="j" type="fixed"><parent>%s</parent><child>c</child></joint>
		<joint name="k" type="fixed"><parent>a</parent><child>b</child></joint></model></sdf>`
	for _, c := range []struct{ attribute, parent, want string }{
		{``, `f`, "b"},
		{``, `h`, "b"},
		{``, `a`, "a"},
		{``, `free`, "a"},
		{``, `__model__`, "a"},
		{` canonical_link="b"`, `free`, "b"},
		{` canonical_link="b"`, `__model__`, "b"},
	} {
		r, err := sdf.Parse("m", fmt.Appendf(nil, text, c.attribute, c.parent))
		if err != nil {
			t.Errorf("%q: %v", c.parent, err)
			continue
		}
		if got := r.Joints[0].Parent; got != c.want {
			t.Errorf("%q%s is on %q, want %q", c.parent, c.attribute, got, c.want)
		}
	}
	if _, err := sdf.Parse("m", fmt.Appendf(nil, text, `><frame name="x" attached_to="y"/><frame name="y" attached_to="x"/`, "x")); err == nil ||
		!strings.Contains(err.Error(), `joint "j": there is no parent link`) {
		t.Errorf("two frames on each other: %v", err)
	}
}

// written draws a pose in one of the ways to write it, and gives it as a matrix of 4 × 4, by the textbook.
func written(t *rapid.T, attributes string) (text string, m [4][4]float64) {
	length, angle := rapid.Float64Range(-2, 2), rapid.Float64Range(-math.Pi, math.Pi)
	at := []float64{length.Draw(t, "x"), length.Draw(t, "y"), length.Draw(t, "z")}
	v := []float64{angle.Draw(t, "roll"), angle.Draw(t, "pitch"), angle.Draw(t, "yaw"), 1}
	switch way := rapid.SampledFrom([]string{"", ` degrees="true"`, ` rotation_format="quat_xyzw"`}).Draw(t, "way"); way {
	case "":
		return fmt.Sprintf(`<pose%s>%v %v %v %v %v %v</pose>`, attributes, at[0], at[1], at[2], v[0], v[1], v[2]), euler(at, v)
	case ` degrees="true"`:
		const unit = 180 / math.Pi
		return fmt.Sprintf(`<pose%s%s>%v %v %v %v %v %v</pose>`, attributes, way, at[0], at[1], at[2], v[0]*unit, v[1]*unit, v[2]*unit), euler(at, v)
	default:
		return fmt.Sprintf(`<pose%s%s>%v %v %v %v %v %v %v</pose>`, attributes, way, at[0], at[1], at[2], v[0], v[1], v[2], v[3]), turned(at, v)
	}
}

// euler is the matrix of Rz(yaw) Ry(pitch) Rx(roll), moved.
func euler(at, v []float64) [4][4]float64 {
	sr, cr := math.Sincos(v[0])
	sp, cp := math.Sincos(v[1])
	sy, cy := math.Sincos(v[2])
	return [4][4]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr, at[0]},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr, at[1]},
		{-sp, cp * sr, cp * cr, at[2]},
		{0, 0, 0, 1},
	}
}

// turned is the matrix of a quaternion x y z w of any length, moved.
func turned(at, q []float64) [4][4]float64 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	s := 2 / (x*x + y*y + z*z + w*w)
	return [4][4]float64{
		{1 - s*(y*y+z*z), s * (x*y - z*w), s * (x*z + y*w), at[0]},
		{s * (x*y + z*w), 1 - s*(x*x+z*z), s * (y*z - x*w), at[1]},
		{s * (x*z - y*w), s * (y*z + x*w), 1 - s*(x*x+y*y), at[2]},
		{0, 0, 0, 1},
	}
}

func product(a, b [4][4]float64) (c [4][4]float64) {
	for i := range c {
		for k := range c[i] {
			for j := range b {
				c[i][k] += a[i][j] * b[j][k]
			}
		}
	}
	return c
}

// TestChainsOfFramesAgainstMatrices: frames on frames, in any order of the file, written in any way, are where the
// product of their matrices has them.
func TestChainsOfFramesAgainstMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"__model__"}
		matrices := [][4][4]float64{{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}}
		var frames []string
		for i := range rapid.IntRange(1, 12).Draw(t, "frames") {
			on := rapid.IntRange(0, i).Draw(t, "on")
			own, relative := "", ` relative_to="`+names[on]+`"`
			if rapid.Bool().Draw(t, "attached") {
				own, relative = ` attached_to="`+names[on]+`"`, ""
			}
			name := fmt.Sprint("f", i)
			pose, m := written(t, relative)
			names, matrices = append(names, name), append(matrices, product(matrices[on], m))
			frames = append(frames, `<frame name="`+name+`"`+own+`>`+pose+`</frame>`)
		}
		frames = rapid.Permutation(frames).Draw(t, "order")
		pose, m := written(t, ` relative_to="`+names[len(names)-1]+`"`)
		r, err := sdf.Parse("m", []byte(`<sdf><model name="m"><link name="a"/><link name="b">`+pose+`</link>`+strings.Join(frames, "\n")+
			`<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint></model></sdf>`))
		if err != nil {
			t.Fatal(err)
		}
		want, got := product(matrices[len(matrices)-1], m), r.Joints[0].Origin
		for k, point := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {}} {
			image := r3.Vec{X: want[0][3], Y: want[1][3], Z: want[2][3]}
			if k < 3 {
				image = r3.Add(image, r3.Vec{X: want[0][k], Y: want[1][k], Z: want[2][k]})
			}
			if d := r3.Norm(r3.Sub(got.Apply(point), image)); d > 1e-10 {
				t.Fatalf("%v is %g m away", point, d)
			}
		}
	})
}
