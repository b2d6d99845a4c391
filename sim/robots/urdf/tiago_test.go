// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// manipulator is a description of our own with the structure of PAL's TIAGo++: two driven wheels, four casters of two
// joints, a torso that slides, a head of two joints, two arms of seven whose axes are each turned by a quarter, a
// gripper of two sliding fingers on each, of which one follows, and the fixed frames of sensors and covers: 68 joints,
// 69 links. Lengths are made up; joint kinds, counts and axes are those of the robot.
func manipulator() string {
	var b strings.Builder
	b.WriteString("<robot name=\"two_arms\">\n<link name=\"base_footprint\"/>\n")
	joint := func(name, kind, parent, xyz, rpy, more string) {
		fmt.Fprintf(&b, "<link name=\"%s_link\"/>\n<joint name=\"%s_joint\" type=\"%s\"><parent link=\"%s\"/><child link=\"%s_link\"/>"+
			"<origin xyz=\"%s\" rpy=\"%s\"/>%s</joint>\n", name, name, kind, parent, name, xyz, rpy, more)
	}
	fixed := func(parent string, names ...string) {
		for i, name := range names {
			joint(name, "fixed", parent, fmt.Sprintf("%g -0.02 %g", 0.01*float64(i+1), 0.1+0.03*float64(i)), fmt.Sprintf("0.1 %g -1.2", 0.3*float64(i)), "")
		}
	}
	axis := func(xyz string, low, high float64) string {
		return fmt.Sprintf("<axis xyz=\"%s\"/><limit lower=\"%g\" upper=\"%g\" effort=\"10\" velocity=\"2\"/>", xyz, low, high)
	}
	joint("base", "fixed", "base_footprint", "0 0 0.0985", "0 0 0", "")
	for i, side := range []string{"left", "right"} {
		joint("wheel_"+side, "continuous", "base_link", fmt.Sprintf("0 %g 0", 0.2022*float64(1-2*i)), "-1.57079632679 0 0", axis("0 0 1", 0, 0))
	}
	for i, at := range []string{"front_left", "front_right", "back_left", "back_right"} {
		caster := "caster_" + at
		joint(caster+"_1", "continuous", "base_link", fmt.Sprintf("%g %g -0.0335", 0.17*float64(1-i/2*2), 0.1*float64(1-i%2*2)), "0 0 0", axis("0 0 1", 0, 0))
		joint(caster+"_2", "continuous", caster+"_1_link", "-0.016 0 -0.04", "-1.57079632679 0 0", axis("0 0 1", 0, 0))
	}
	fixed("base_link", "base_laser", "base_imu", "sonar_1", "sonar_2", "sonar_3", "cover", "antenna_left", "antenna_right", "dock", "mic")
	joint("torso_fixed", "fixed", "base_link", "-0.062 0 0.193", "0 0 0", "")
	joint("torso_lift", "prismatic", "torso_fixed_link", "0 0 0.6", "0 0 0", axis("0 0 1", 0, 0.35))
	joint("head_1", "revolute", "torso_lift_link", "0.182 0 0", "0 0 0", axis("0 0 1", -1.24, 1.24))
	joint("head_2", "revolute", "head_1_link", "0.005 0 0.098", "-1.57079632679 0 0", axis("0 0 1", -0.98, 0.79))
	fixed("head_2_link", "camera", "camera_rgb", "camera_rgb_optical", "camera_depth", "camera_depth_optical")
	for i, side := range []string{"left", "right"} {
		arm, parent := "arm_"+side, "torso_lift_link"
		for n := 1; n <= 7; n++ {
			turn := 1.57079632679 * float64(1-n%2*2)
			joint(fmt.Sprintf("%s_%d", arm, n), "revolute", parent, fmt.Sprintf("%g %g %g", 0.03*float64(n), 0.2*float64(1-2*i)/float64(n), -0.02*float64(n)),
				fmt.Sprintf("%g 0 %g", turn, -turn/float64(n)), axis("0 0 1", -2-0.1*float64(n), 0.3*float64(n)))
			parent = fmt.Sprintf("%s_%d_link", arm, n)
		}
		joint(arm+"_tool", "fixed", parent, "0 0 0.049", "-1.57079632679 0 -1.57079632679", "")
		gripper := "gripper_" + side
		fixed(arm+"_tool_link", gripper, gripper+"_grasping", arm+"_ft_sensor", arm+"_cover_1", arm+"_cover_2", arm+"_cover_3")
		joint(gripper+"_left_finger", "prismatic", gripper+"_link", "0 0.01 -0.1", "0 0 3.1415926", axis("1 0 0", 0, 0.045))
		joint(gripper+"_right_finger", "prismatic", gripper+"_link", "0 -0.01 -0.1", "0 0 0",
			axis("0.6 0 0.8", 0, 0.045)+"<mimic joint=\""+gripper+"_left_finger_joint\" multiplier=\"0.5\" offset=\"0.001\"/>")
	}
	fixed("torso_lift_link", "chest", "back", "shoulder_left", "shoulder_right", "neck", "speaker")
	b.WriteString("</robot>\n")
	return b.String()
}

// rawRobot is what the independent calculation reads of a file, with a parser that the package does not use.
type rawRobot struct {
	Joints []rawJoint `xml:"joint"`
	Links  []struct {
		Name string `xml:"name,attr"`
	} `xml:"link"`
}

type rawJoint struct {
	Name   string `xml:"name,attr"`
	Kind   string `xml:"type,attr"`
	Parent struct {
		Link string `xml:"link,attr"`
	} `xml:"parent"`
	Child struct {
		Link string `xml:"link,attr"`
	} `xml:"child"`
	Origin struct {
		XYZ string `xml:"xyz,attr"`
		RPY string `xml:"rpy,attr"`
	} `xml:"origin"`
	Axis struct {
		XYZ string `xml:"xyz,attr"`
	} `xml:"axis"`
	Limit struct {
		Lower float64 `xml:"lower,attr"`
		Upper float64 `xml:"upper,attr"`
	} `xml:"limit"`
	Mimic *struct {
		Joint      string `xml:"joint,attr"`
		Multiplier string `xml:"multiplier,attr"`
		Offset     string `xml:"offset,attr"`
	} `xml:"mimic"`
}

// matrix is a homogeneous transform.
type matrix [4][4]float64

func (a matrix) times(b matrix) (c matrix) {
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func still() matrix { return matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}} }

// turned is Rodrigues' formula.
func turned(x, y, z, angle float64) matrix {
	s, c := math.Sincos(angle)
	v := 1 - c
	return matrix{
		{c + x*x*v, x*y*v - z*s, x*z*v + y*s, 0}, {y*x*v + z*s, c + y*y*v, y*z*v - x*s, 0}, {z*x*v - y*s, z*y*v + x*s, c + z*z*v, 0}, {0, 0, 0, 1},
	}
}

func moved(x, y, z float64) matrix {
	m := still()
	m[0][3], m[1][3], m[2][3] = x, y, z
	return m
}

// three reads three numbers; otherwise is what an attribute is that is not there.
func three(t *testing.T, text, otherwise string) (v [3]float64) {
	t.Helper()
	for i, word := range strings.Fields(cmp.Or(text, otherwise)) {
		var err error
		if v[i], err = strconv.ParseFloat(word, 64); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// positions are places of all joints that move by themselves, in their limits, and of those that follow.
func (r *rawRobot) positions(t *testing.T, dice *rand.Rand) (own, all map[string]float64) {
	own, all = map[string]float64{}, map[string]float64{}
	for _, j := range r.Joints {
		switch {
		case j.Mimic != nil:
		case j.Kind == "continuous":
			own[j.Name] = 6 * (dice.Float64() - 0.5)
		case j.Kind == "revolute" || j.Kind == "prismatic":
			own[j.Name] = j.Limit.Lower + dice.Float64()*(j.Limit.Upper-j.Limit.Lower)
		}
		all[j.Name] = own[j.Name]
	}
	for _, j := range r.Joints {
		if j.Mimic != nil {
			all[j.Name] = three(t, j.Mimic.Multiplier, "1")[0]*own[j.Mimic.Joint] + three(t, j.Mimic.Offset, "0")[0]
		}
	}
	return own, all
}

// places are the links in the root, by products of matrices up the tree from each.
func (r *rawRobot) places(t *testing.T, at map[string]float64) map[string]matrix {
	above := map[string]rawJoint{}
	for _, j := range r.Joints {
		above[j.Child.Link] = j
	}
	places := map[string]matrix{}
	for _, l := range r.Links {
		m := still()
		for name := l.Name; ; {
			j, held := above[name]
			if !held {
				break
			}
			p, o, a := three(t, j.Origin.XYZ, "0 0 0"), three(t, j.Origin.RPY, "0 0 0"), three(t, j.Axis.XYZ, "1 0 0")
			own := moved(p[0], p[1], p[2]).times(turned(0, 0, 1, o[2])).times(turned(0, 1, 0, o[1])).times(turned(1, 0, 0, o[0]))
			n := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
			switch j.Kind {
			case "continuous", "revolute":
				own = own.times(turned(a[0]/n, a[1]/n, a[2]/n, at[j.Name]))
			case "prismatic":
				own = own.times(moved(a[0]/n*at[j.Name], a[1]/n*at[j.Name], a[2]/n*at[j.Name]))
			}
			m, name = own.times(m), j.Parent.Link
		}
		places[l.Name] = m
	}
	return places
}

// agrees holds a file's tree against the independent calculation, in many positions of its joints.
func agrees(t *testing.T, name string, text []byte) *description.Robot {
	t.Helper()
	r, err := urdf.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	var raw rawRobot
	if err := xml.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	if len(raw.Joints) != len(r.Joints) || len(raw.Links) != len(r.Links) {
		t.Fatalf("%d joints and %d links of %d and %d", len(r.Joints), len(r.Links), len(raw.Joints), len(raw.Links))
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		own, everything := raw.positions(t, dice)
		got, err := r.Transforms(own)
		if err != nil {
			t.Fatal(err)
		}
		for link, want := range raw.places(t, everything) {
			pose, there := got[link]
			if !there {
				t.Fatalf("no link %q", link)
			}
			for column, end := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {}} {
				p := pose.Then(description.Pose{Position: end, Rotation: description.FromRPY(r3.Vec{}, 0, 0, 0).Rotation}).Position
				w := r3.Vec{X: want[0][3], Y: want[1][3], Z: want[2][3]}
				if column < 3 {
					w = r3.Add(w, r3.Vec{X: want[0][column], Y: want[1][column], Z: want[2][column]})
				}
				if d := r3.Norm(r3.Sub(p, w)); !(d < 1e-9) {
					t.Fatalf("link %q, %v: at %v, want %v", link, end, p, w)
				}
			}
		}
	}
	return r
}

// The tree of a mobile manipulator with two arms is where an independent calculation has it, whatever its joints do.
func TestTwoArmedManipulator(t *testing.T) {
	r := agrees(t, "two_arms.urdf", []byte(manipulator()))
	kinds := map[description.JointKind]int{}
	for i := range r.Joints {
		kinds[r.Joints[i].Kind]++
	}
	if len(r.Joints) != 68 || kinds[description.Continuous] != 10 || kinds[description.Revolute] != 16 || kinds[description.Prismatic] != 5 || kinds[description.Fixed] != 37 {
		t.Errorf("%d joints: %v", len(r.Joints), kinds)
	}
	if len(r.Ignored) > 0 {
		t.Errorf("not understood: %v", r.Ignored)
	}
	agrees(t, "written.urdf", urdf.Write(r)) // and of what is written of it
}

// TIAGo++'s public file, expanded from its xacro and not kept here: EPUCK_TIAGO=tiago_dual.urdf go test -run TIAGo.
func TestTIAGo(t *testing.T) {
	path := os.Getenv("EPUCK_TIAGO")
	if path == "" {
		t.Skip("EPUCK_TIAGO names no file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r := agrees(t, path, text); len(r.Joints) < 40 {
		t.Errorf("%d joints", len(r.Joints))
	}
}
