// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"testing"
)

// urdfRobot is what a reader such as robot_state_publisher takes from a description.
type urdfRobot struct {
	Name  string `xml:"name,attr"`
	Links []struct {
		Name   string `xml:"name,attr"`
		Visual []struct {
			Geometry struct {
				Cylinder *struct {
					Radius float64 `xml:"radius,attr"`
					Length float64 `xml:"length,attr"`
				} `xml:"cylinder"`
				Box *struct {
					Size string `xml:"size,attr"`
				} `xml:"box"`
			} `xml:"geometry"`
			Material struct {
				Name string `xml:"name,attr"`
			} `xml:"material"`
		} `xml:"visual"`
	} `xml:"link"`
	Materials []struct {
		Name string `xml:"name,attr"`
	} `xml:"material"`
	Joints []urdfJoint `xml:"joint"`
}

type urdfJoint struct {
	Name   string `xml:"name,attr"`
	Type   string `xml:"type,attr"`
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
}

func parseURDF(t *testing.T, text string) urdfRobot {
	t.Helper()
	var r urdfRobot
	if err := xml.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return r
}

func three(t *testing.T, s string) (v [3]float64) {
	t.Helper()
	if _, err := fmt.Sscan(s, &v[0], &v[1], &v[2]); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return v
}

// The fixed joints of the description are the mounts, which /tf_static has too: the same frames, parents and poses.
func TestDescriptionHasEveryMount(t *testing.T) {
	joints := map[string]urdfJoint{}
	for _, j := range parseURDF(t, URDF("base", defaultWheels)).Joints {
		if j.Type == "fixed" {
			joints[j.Child.Link] = j
		}
	}
	if len(joints) != len(Mounts()) {
		t.Errorf("%d fixed joints, %d mounts", len(joints), len(Mounts()))
	}
	for _, m := range Mounts() {
		j, parent := joints[m.Frame], m.Parent
		if parent == "" {
			parent = "base"
		}
		if j.Parent.Link != parent {
			t.Errorf("%s: joint %+v, parent should be %s", m.Frame, j, parent)
			continue
		}
		if p := three(t, j.Origin.XYZ); !near(p, [3]float64{m.X, m.Y, m.Z}) {
			t.Errorf("%s: position %v, mount %v", j.Name, p, m)
		}
		rpy := three(t, j.Origin.RPY)
		x, y, z, w := Mount{Roll: rpy[0], Pitch: rpy[1], Yaw: rpy[2]}.Quaternion()
		qx, qy, qz, qw := m.Quaternion()
		if d := math.Abs(x*qx + y*qy + z*qz + w*qw); math.Abs(d-1) > 1e-12 {
			t.Errorf("%s: rotation %v, mount %v", j.Name, rpy, m)
		}
	}
}

// The description is one tree: every joint joins links that exist, every link but the root hangs on one joint, and
// whatever is drawn has a colour that exists.
func TestDescriptionIsATree(t *testing.T) {
	robot := parseURDF(t, URDF("base_link", defaultWheels))
	links, hung, colours := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range robot.Materials {
		colours[m.Name] = true
	}
	drawn := 0
	for _, l := range robot.Links {
		if links[l.Name] {
			t.Errorf("link %s is there twice", l.Name)
		}
		links[l.Name] = true
		for _, v := range l.Visual {
			drawn++
			if v.Geometry.Box == nil && v.Geometry.Cylinder == nil || !colours[v.Material.Name] {
				t.Errorf("link %s: %+v", l.Name, v)
			}
		}
	}
	for _, j := range robot.Joints {
		if !links[j.Parent.Link] || !links[j.Child.Link] || hung[j.Child.Link] {
			t.Errorf("joint %s from %s to %s", j.Name, j.Parent.Link, j.Child.Link)
		}
		hung[j.Child.Link] = true
	}
	if len(hung) != len(links)-1 || hung["base_link"] || drawn < 15 {
		t.Errorf("%d links, %d joints, %d shapes", len(links), len(hung), drawn)
	}
}

// The moving joints of the description are those with the joints' names, where the odometry has the wheels.
func TestDescriptionHasTheWheels(t *testing.T) {
	var wheels []string
	for _, j := range parseURDF(t, URDF("base_link", Wheels{Radius: 0.021, Distance: 0.05})).Joints {
		if j.Type == "fixed" {
			continue
		}
		wheels = append(wheels, j.Name)
		p := three(t, j.Origin.XYZ)
		side := 1.0
		if strings.HasPrefix(j.Name, "right") {
			side = -1
		}
		if j.Type != "continuous" || !near(p, [3]float64{0, side * 0.025, 0.021}) {
			t.Errorf("%s: %s at %v", j.Name, j.Type, p)
		}
	}
	if fmt.Sprint(wheels) != fmt.Sprint(JointNames()) {
		t.Errorf("joints %v, want %v", wheels, JointNames())
	}
}

func TestDescriptionEscapesNames(t *testing.T) {
	robot := parseURDF(t, URDF(`a<"b">&c`, Wheels{}))
	if robot.Links[0].Name != `a<"b">&c` {
		t.Errorf("root is %q", robot.Links[0].Name)
	}
}
