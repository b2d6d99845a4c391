// SPDX-License-Identifier: Apache-2.0

package urdf_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// Noise that grows with the value is written, and read again.
func TestRelativeNoiseIsWritten(t *testing.T) {
	r := &description.Robot{Name: "r", Links: []description.Link{{Name: "base"}}, Devices: []description.Device{{
		Name: "ir", Kind: description.Infrared, Link: "base", Range: &description.Range{Max: 1, Rays: 1}, Noise: description.Noise{Relative: 0.25},
	}}}
	again, err := urdf.Parse("r", urdf.Write(r))
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Devices[0].Noise; got != r.Devices[0].Noise {
		t.Errorf("%+v", got)
	}
}

// Of two drives the first counts, and the second is listed.
func TestSecondDriveIsListed(t *testing.T) {
	const wheel = `<link name="%l"/><joint name="%" type="continuous"><parent link="base"/><child link="%l"/></joint>`
	const drive = `<gazebo><plugin filename="libgazebo_ros_diff_drive.so" name="drive"><left_joint>l</left_joint><right_joint>r</right_joint><wheel_separation>%</wheel_separation><wheel_radius>1</wheel_radius></plugin></gazebo>`
	with := func(text, v string) string { return strings.ReplaceAll(text, "%", v) }
	r, err := urdf.Parse("r", []byte(`<robot name="r"><link name="base"/>`+with(wheel, "l")+with(wheel, "r")+with(drive, "2")+"\n"+with(drive, "3")+`</robot>`))
	if err != nil {
		t.Fatal(err)
	}
	if r.Drive.Separation != 2 {
		t.Errorf("%+v", r.Drive)
	}
	if len(r.Ignored) != 1 || r.Ignored[0].Line != 2 || !strings.Contains(r.Ignored[0].Text, "line 1 counts") {
		t.Errorf("%+v", r.Ignored)
	}
}
