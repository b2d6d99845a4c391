// SPDX-License-Identifier: Apache-2.0

package table

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
)

func TestTopicNamesAreUniqueAndRelative(t *testing.T) {
	seen := map[string]bool{}
	for _, topic := range Topics() {
		for _, name := range topic.Names() {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
			// The old driver's /led* and /gs* made two robots collide; only transforms and diagnostics are global in
			// ROS.
			if strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "/tf") && name != "/diagnostics" {
				t.Errorf("%s does not follow the namespace", name)
			}
		}
	}
	for _, want := range strings.Fields(`odom /tf /tf_static scan joint_states button selector tv_remote cmd_vel speaker
		tof imu mag gs0 gs2 battery_state robot_description /diagnostics pi_led0 pi_led2 ps0 ps7 ls0 ls7 mic0 mic3 led0 led1 led2 led3 led4 led5 led6 led7`) {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestTopicRowsAreFilled(t *testing.T) {
	typeName := regexp.MustCompile(`^[a-z0-9_]+/msg/[A-Z]\w+$`)
	for _, topic := range Topics() {
		if !typeName.MatchString(topic.Type) || topic.AltType != "" && !typeName.MatchString(topic.AltType) {
			t.Errorf("%s: types %q, %q", topic.Name, topic.Type, topic.AltType)
		}
		if topic.Meaning == "" || (topic.Direction == Published) == (topic.When == whenReceived) {
			t.Errorf("%s: incomplete row %+v", topic.Name, topic)
		}
		if err := topic.QoS.Validate(); err != nil {
			t.Errorf("%s: %v", topic.Name, err)
		}
	}
}

// Every frame that a message names is in the tree of transforms, and every optional part has a topic or needs none.
func TestFramesOfTopicsAreMounted(t *testing.T) {
	known := map[string]bool{"odom": true, "base_link": true}
	for _, m := range epuck2.Mounts() {
		known[m.Frame] = true
	}
	for _, topic := range Topics() {
		if topic.Frame == "" {
			continue
		}
		frames := []string{topic.Frame}
		if len(topic.Numbers) > 0 {
			frames = nil
			for _, n := range topic.Numbers {
				frames = append(frames, topic.Frame+strconv.Itoa(n))
			}
		}
		for _, f := range frames {
			if !known[f] {
				t.Errorf("%s is in frame %q, which is not published", topic.Name, f)
			}
		}
	}
}

// Every row makes its own topic: what is published comes from readings, but for the report and the pictures.
func TestEveryRowHasItsConstructor(t *testing.T) {
	for _, topic := range Topics() {
		apart := topic.When == EverySecond || topic.Part == string(parts.Pictures)
		if (topic.offer != nil) != (topic.Direction == Published && !apart) || (topic.subscribe != nil) != (topic.Direction == Subscribed) {
			t.Errorf("%s: offers %v, asks %v", topic.Name, topic.offer != nil, topic.subscribe != nil)
		}
	}
}

// The rows of the parts and those that are always there make up the table.
func TestEveryTopicHasAnOwner(t *testing.T) {
	n := 1 // the report, which is offered apart
	for _, part := range []parts.Name{"", parts.IMU, parts.ToF, parts.Ground, parts.Camera, parts.Mag, parts.IMUField, parts.LEDs, parts.Battery, parts.Pictures} {
		n += len(PublishedBy(part)) + len(SubscribedBy(part))
	}
	if all := len(Topics()); n != all {
		t.Errorf("%d of %d topics have an owner", n, all)
	}
	if len(PublishedBy(parts.IMUField.Topics())) != 1 {
		t.Error("the IMU's magnetometer has no topic")
	}
}
