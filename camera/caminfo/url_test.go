// SPDX-License-Identifier: Apache-2.0

package caminfo_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
)

func TestPath(t *testing.T) {
	prefix := t.TempDir()
	for _, p := range []string{"share/ament_index/resource_index/packages", "share/robot/cameras"} {
		if err := os.MkdirAll(filepath.Join(prefix, p), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(prefix, "share/ament_index/resource_index/packages/robot"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"HOME": "/home/pi", "AMENT_PREFIX_PATH": "/nowhere:" + prefix}
	env := caminfo.Environment{Getenv: func(name string) string { return vars[name] }}
	for url, want := range map[string]string{
		"":                                       "/home/pi/.ros/camera_info/eye.yaml",
		caminfo.DefaultURL:                       "/home/pi/.ros/camera_info/eye.yaml",
		"file:///etc/camera.yaml":                "/etc/camera.yaml",
		"FILE:///etc/${NAME}/a_${NAME}.yaml":     "/etc/eye/a_eye.yaml",
		"package://robot/cameras/${NAME}.yaml":   prefix + "/share/robot/cameras/eye.yaml",
		"Package://robot/calibration.yaml":       prefix + "/share/robot/calibration.yaml",
		"file://${ROS_HOME}/x.yaml":              "/home/pi/.ros/x.yaml",
		"file://relative.yaml":                   "!absolute path",
		"file:///folder/":                        "!absolute path",
		"/etc/camera.yaml":                       "!no scheme",
		"flash:///1":                             "!scheme flash",
		"http://host/camera.yaml":                "!scheme http",
		"file:///${NOTHING}.yaml":                "!${NOTHING}",
		"file:///${NAME.yaml":                    "!${NAME",
		"package://other/camera.yaml":            "!no package other",
		"package://robot":                        "!the name of a package and the path",
		"package:///camera.yaml":                 "!the name of a package and the path",
		"package://robot/../../../../etc/passwd": "!the name of a package and the path",
		"package://../robot/camera.yaml":         "!the name of a package and the path",
	} {
		got, err := env.Path(url, "eye")
		if wrong, ok := strings.CutPrefix(want, "!"); ok {
			if !errors.Is(err, caminfo.ErrURL) || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%q: %q, %v", url, got, err)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", url, got, err)
		}
	}
	vars["ROS_HOME"] = "/var/ros"
	if got, err := env.Path("", "eye"); err != nil || got != "/var/ros/camera_info/eye.yaml" {
		t.Error(got, err)
	}
	for _, name := range []string{"", "../../etc/passwd", "a b", ".hidden"} {
		if got, err := env.Path("", name); !errors.Is(err, caminfo.ErrURL) {
			t.Errorf("name %q: %q, %v", name, got, err)
		}
	}
	clear(vars)
	if _, err := env.Path("", "eye"); !errors.Is(err, caminfo.ErrURL) {
		t.Error(err)
	}
	if _, err := env.Path("package://robot/x.yaml", "eye"); !errors.Is(err, caminfo.ErrURL) || !strings.Contains(err.Error(), "AMENT_PREFIX_PATH") {
		t.Error(err)
	}
	t.Setenv("ROS_HOME", "/own")
	if got, err := (caminfo.Environment{}).Path("", "eye"); err != nil || got != "/own/camera_info/eye.yaml" {
		t.Error(got, err)
	}
}
