// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Dimensions of the robot's visual model, in metres.
const (
	bodyRadius  = robot.BodyRadius
	bodyHeight  = robot.ShellHeight
	bodyBottom  = robot.ShellBottom
	wheelWidth  = robot.WheelWidth
	boardHeight = 0.006 // the Pi-puck on top
	boardLength = 0.060
	boardWidth  = 0.055
	sensorSize  = 0.004
)

// wheelJoints are the wheels' joints, links and sides.
var wheelJoints = [2]struct {
	joint, link string
	side        float64
}{{"left_wheel_joint", "left_wheel", 1}, {"right_wheel_joint", "right_wheel", -1}}

// JointNames returns the names of the wheels' joints in the robot's description, left and right.
func JointNames() [2]string { return [2]string{wheelJoints[0].joint, wheelJoints[1].joint} }

// URDF returns the robot's description. Its root is the frame base, its fixed joints are those of [Mounts], its wheels
// the joints of joint_states at the given geometry. Frames have no prefix: robot_state_publisher and RViz add theirs.
func URDF(base string, w Wheels) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n")
	fmt.Fprintf(&b, "<robot name=\"epuck2\">\n")
	b.WriteString("  <material name=\"green\"><color rgba=\"0.3 0.6 0.3 0.9\"/></material>\n")
	b.WriteString("  <material name=\"board\"><color rgba=\"0.1 0.3 0.2 1\"/></material>\n")
	b.WriteString("  <material name=\"black\"><color rgba=\"0.1 0.1 0.1 1\"/></material>\n")
	fmt.Fprintf(&b, "  <link name=\"%s\">\n", escape(base))
	visual(&b, fmt.Sprintf("<cylinder radius=\"%g\" length=\"%g\"/>", bodyRadius, bodyHeight), 0, bodyBottom+bodyHeight/2, "green")
	visual(&b, fmt.Sprintf("<box size=\"%g %g %g\"/>", boardLength, boardWidth, boardHeight), 0, bodyBottom+bodyHeight+boardHeight/2, "board")
	fmt.Fprintf(&b, "    <collision><origin xyz=\"0 0 %g\"/><geometry><cylinder radius=\"%g\" length=\"%g\"/></geometry></collision>\n",
		bodyBottom+bodyHeight/2, robot.ContactRadius, bodyHeight)
	b.WriteString("  </link>\n")
	for _, j := range wheelJoints {
		wheel(&b, base, j.joint, j.link, j.side*w.Distance/2, w.Radius)
	}
	for _, m := range Mounts() {
		fixed(&b, base, m)
	}
	b.WriteString("</robot>\n")
	return b.String()
}

func visual(b *strings.Builder, shape string, roll, z float64, material string) {
	fmt.Fprintf(b, "    <visual><origin xyz=\"0 0 %g\" rpy=\"%g 0 0\"/><geometry>%s</geometry><material name=\"%s\"/></visual>\n",
		z, roll, shape, material)
}

// wheel writes a wheel's link and its joint, about the robot's y axis.
func wheel(b *strings.Builder, base, joint, link string, y, radius float64) {
	fmt.Fprintf(b, "  <link name=\"%s\">\n", link)
	visual(b, fmt.Sprintf("<cylinder radius=\"%g\" length=\"%g\"/>", radius, wheelWidth), math.Pi/2, 0, "black")
	b.WriteString("  </link>\n")
	fmt.Fprintf(b, "  <joint name=\"%s\" type=\"continuous\"><parent link=\"%s\"/><child link=\"%s\"/><origin xyz=\"0 %g %g\" rpy=\"0 0 0\"/><axis xyz=\"0 1 0\"/></joint>\n",
		joint, escape(base), link, y, radius)
}

// fixed writes a frame's link and its fixed joint. Frames of sensors have a visual.
func fixed(b *strings.Builder, base string, m Mount) {
	parent := base
	if m.Parent != "" {
		parent = m.Parent
	}
	if solid(m.Frame) {
		fmt.Fprintf(b, "  <link name=\"%s\">\n", m.Frame)
		visual(b, fmt.Sprintf("<box size=\"%g %g %g\"/>", sensorSize/2, sensorSize, sensorSize), 0, 0, "black")
		b.WriteString("  </link>\n")
	} else {
		fmt.Fprintf(b, "  <link name=\"%s\"/>\n", m.Frame)
	}
	fmt.Fprintf(b, "  <joint name=\"%s_joint\" type=\"fixed\"><parent link=\"%s\"/><child link=\"%s\"/><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/></joint>\n",
		m.Frame, escape(parent), m.Frame, m.X, m.Y, m.Z, m.Roll, m.Pitch, m.Yaw)
}

// solid reports whether a frame has a visual.
func solid(frame string) bool {
	for _, stem := range []string{"ps", "gs", "tof", "camera_link"} {
		if strings.HasPrefix(frame, stem) {
			return true
		}
	}
	return false
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil { // a strings.Builder takes everything
		return ""
	}
	return b.String()
}
