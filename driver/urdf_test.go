// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
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

// The fixed joints of the description are the transforms of /tf_static: the same frames, parents and poses.
func TestDescriptionEqualsTheTransforms(t *testing.T) {
	for _, args := range []string{"", "-p base_frame:=base -p frame_prefix:=r1/"} {
		set := settingsWith(t, args)
		var m std_msgs.String
		buildDescription(&m, &reading{set: set})
		robot := parseURDF(t, m.Data)
		joints := map[string]urdfJoint{}
		for _, j := range robot.Joints {
			if j.Type == "fixed" {
				joints[set.prefix+j.Child.Link] = j
			}
		}
		transforms := staticTransforms(set)
		if len(joints) != len(transforms) {
			t.Errorf("%q: %d fixed joints, %d transforms", args, len(joints), len(transforms))
		}
		for _, tr := range transforms {
			j, ok := joints[tr.ChildFrameID]
			if !ok || set.prefix+j.Parent.Link != tr.Header.FrameID {
				t.Errorf("%s: joint %+v, parent should be %s", tr.ChildFrameID, j, tr.Header.FrameID)
				continue
			}
			p, v := three(t, j.Origin.XYZ), tr.Transform.Translation
			if !near(p, [3]float64{v.X, v.Y, v.Z}) {
				t.Errorf("%s: position %v, transform %v", j.Name, p, v)
			}
			rpy, q := three(t, j.Origin.RPY), tr.Transform.Rotation
			x, y, z, w := Mount{Roll: rpy[0], Pitch: rpy[1], Yaw: rpy[2]}.Quaternion()
			if d := math.Abs(x*q.X + y*q.Y + z*q.Z + w*q.W); math.Abs(d-1) > 1e-12 {
				t.Errorf("%s: rotation %v, transform %v", j.Name, rpy, q)
			}
		}
	}
}

// The description is one tree: every joint joins links that exist, every link but the root hangs on one joint, and
// whatever is drawn has a colour that exists.
func TestDescriptionIsATree(t *testing.T) {
	robot := parseURDF(t, URDF("base_link", settingsWith(t, "").wheels))
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

// The moving joints of the description are those of joint_states, where the odometry has the wheels.
func TestDescriptionHasTheWheelsOfTheJointStates(t *testing.T) {
	set := settingsWith(t, "-p wheel_radius:=0.021 -p wheel_distance:=0.05")
	var states sensor_msgs.JointState
	newJointStates()(&states, &reading{})
	var wheels []string
	for _, j := range parseURDF(t, URDF("base_link", set.wheels)).Joints {
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
	if fmt.Sprint(wheels) != fmt.Sprint(states.Name) {
		t.Errorf("joints %v, joint_states has %v", wheels, states.Name)
	}
}

func TestDescriptionEscapesNames(t *testing.T) {
	robot := parseURDF(t, URDF(`a<"b">&c`, Wheels{}))
	if robot.Links[0].Name != `a<"b">&c` {
		t.Errorf("root is %q", robot.Links[0].Name)
	}
}

// Who comes late gets the description.
func TestDescriptionIsLatched(t *testing.T) {
	r, cycle := steppedRig(t, rigOptions{})
	cycle()
	got := listenWith[std_msgs.String](r, "robot_description", ros2.LatchedQoS())
	if m := last(r, got); !strings.Contains(m.Data, "left_wheel_joint") {
		t.Errorf("got %q", m.Data)
	}
}
