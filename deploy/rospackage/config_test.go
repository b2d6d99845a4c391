// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// topic returns the row of the driver's table that has the topic, nil if none has.
func topic(name string) *table.Topic {
	name = strings.TrimPrefix(name, "/")
	for _, t := range table.Topics() {
		for _, n := range t.Names() {
			if strings.TrimPrefix(n, "/") == name {
				return &t
			}
		}
	}
	return nil
}

func defaultOf(name string) ros2.ParameterValue {
	for _, p := range table.Parameters() {
		if p.Name == name {
			return p.Default
		}
	}
	return ros2.ParameterValue{}
}

func number(t *testing.T, m map[string]any, path ...string) float64 {
	t.Helper()
	switch v := at(t, m, path...).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	default:
		t.Fatalf("%v is %v", path, v)
		return 0
	}
}

func TestSLAMSuitsTheRobot(t *testing.T) {
	slam := readYAML(t, "config/slam_toolbox.yaml")
	if got := at(t, slam, "/**", "ros__parameters", "scan_topic"); got != "scan" || topic("scan") == nil {
		t.Errorf("scan_topic is %v", got)
	}
	// One ray beyond 4 cm cannot be matched: it turned the map by tens of degrees.
	for _, name := range []string{"use_scan_matching", "do_loop_closing"} {
		if on := at(t, slam, "/**", "ros__parameters", name); on != false {
			t.Errorf("%s is %v", name, on)
		}
	}
	// Farther off a reading is often of what is next to the ray; with less there may be nothing to draw, and so no map.
	if far := number(t, slam, "/**", "ros__parameters", "max_laser_range"); far < 0.3 || far > 0.4 {
		t.Errorf("readings of up to %v m become walls", far)
	}
}

// TestMuxIsNoSlowerThanTheDriver: who stops sending must not be followed longer than the driver would.
func TestMuxIsNoSlowerThanTheDriver(t *testing.T) {
	topics, ok := at(t, readYAML(t, "config/twist_mux.yaml"), "/**", "ros__parameters", "topics").(map[string]any)
	if !ok || len(topics) < 2 {
		t.Fatalf("topics %v", topics)
	}
	for name := range topics {
		if got := number(t, topics, name, "timeout"); got > defaultOf("cmd_vel_timeout").Double() {
			t.Errorf("%s is followed for %v s", name, got)
		}
	}
	if at(t, topics, "navigation", "topic") == "cmd_vel_nav" {
		t.Error("the mux listens to cmd_vel_nav, on which Nav2's controller speaks to its own smoother")
	}
	mux := started(t, launched(t, "robot", "jazzy", "twist_mux:=true", "joy:=true"), "twist_mux")
	if mux.Remappings["cmd_vel_out"] != "cmd_vel" || topic("cmd_vel") == nil {
		t.Errorf("the mux leads to %v", mux.Remappings)
	}
}
