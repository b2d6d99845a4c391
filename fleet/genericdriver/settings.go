// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// ErrSettings is matched by errors about invalid settings.
var ErrSettings = errors.New("genericdriver: settings")

// Settings are the settings of one device. A ROS parameter (DEVICE.enabled, DEVICE.topic_name, DEVICE.update_rate,
// DEVICE.always_on, DEVICE.frame_name) has priority over the file, which has priority over the default
// (TestThreePriorities).
type Settings struct {
	Enabled  bool    // default: true
	Topic    string  // default: the description's, else the device's name with _ for invalid characters
	Rate     float64 // Hz, rounded to whole cycles of 10 ms; default: the description's, else 20
	AlwaysOn bool    // publish also without subscribers; default: the description's
	Frame    string  // default: the device's link
}

// File is a settings file. Missing settings have their default.
type File struct {
	Devices map[string]FileSettings `yaml:"devices"` // by the devices' names in the description
	Drive   FileDrive               `yaml:"drive"`
}

// FileSettings are the settings of a device in a file.
type FileSettings struct {
	Enabled  *bool    `yaml:"enabled"`
	Topic    *string  `yaml:"topic_name"`
	Rate     *float64 `yaml:"update_rate"`
	AlwaysOn *bool    `yaml:"always_on"`
	Frame    *string  `yaml:"frame_name"`
}

// FileDrive are the settings of the wheels in a file.
type FileDrive struct {
	LeftJoint      *string  `yaml:"left_joint"`
	RightJoint     *string  `yaml:"right_joint"`
	WheelDistance  *float64 `yaml:"wheel_distance"` // m
	WheelRadius    *float64 `yaml:"wheel_radius"`   // m
	CommandTopic   *string  `yaml:"command_topic"`
	OdometryTopic  *string  `yaml:"odometry_topic"`
	OdometryFrame  *string  `yaml:"odometry_frame"`
	RobotBaseFrame *string  `yaml:"robot_base_frame"`
}

// maxFile is the maximum size of a settings file, bytes.
const maxFile = 1 << 20

// ParseFile parses a settings file, YAML. Unknown fields are errors; all errors match [ErrSettings].
func ParseFile(text []byte) (*File, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrSettings, len(text), maxFile)
	}
	f := new(File)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %s", ErrSettings, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	for name, s := range f.Devices {
		if s.Rate != nil && !(*s.Rate > 0 && *s.Rate <= 1000) {
			return nil, fmt.Errorf("%w: device %q: update_rate %g, must be above 0, at most 1000", ErrSettings, name, *s.Rate)
		}
	}
	return f, nil
}

// Plain returns a name that is valid for topics, frames and parameters: letters, digits and _, not beginning with a
// digit.
func Plain(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
		case r >= '0' && r <= '9' && i > 0:
		case r >= '0' && r <= '9':
			b.WriteByte('_')
		default:
			r = '_'
		}
		b.WriteRune(r)
	}
	return cmp.Or(b.String(), "_")
}

// or returns the value of the file if it is set, else the default.
func or[T any](of *T, otherwise T) T {
	if of != nil {
		return *of
	}
	return otherwise
}

// defaultRate is the rate of a device whose description has none, Hz.
const defaultRate = 20.0

// resolve resolves the settings of a device from the three sources and declares its parameters.
func resolve(n *ros2.Node, device string, file FileSettings, def Settings) (s Settings, err error) {
	name := Plain(device) + "."
	def = Settings{
		Enabled: or(file.Enabled, def.Enabled), Topic: or(file.Topic, def.Topic), Rate: or(file.Rate, def.Rate),
		AlwaysOn: or(file.AlwaysOn, def.AlwaysOn), Frame: or(file.Frame, def.Frame),
	}
	var errs []error
	declare := func(what, meaning string, value ros2.ParameterValue, limits *ros2.FloatRange) ros2.ParameterValue {
		v, err := n.DeclareParameter(ros2.ParameterDescriptor{
			Name: name + what, Default: value, Description: meaning, FloatRange: limits, ReadOnly: true,
		})
		errs = append(errs, err)
		return v
	}
	s.Enabled = declare("enabled", "whether the device is on the network", ros2.BoolValue(def.Enabled), nil).Bool()
	s.Topic = declare("topic_name", "the topic's name", ros2.StringValue(def.Topic), nil).Str()
	s.Rate = declare("update_rate", "Hz, rounded to whole cycles", ros2.DoubleValue(cmp.Or(def.Rate, defaultRate)), ros2.FloatBetween(0.001, 1000)).Double()
	s.AlwaysOn = declare("always_on", "publish also without subscribers", ros2.BoolValue(def.AlwaysOn), nil).Bool()
	s.Frame = declare("frame_name", "the frame of the messages", ros2.StringValue(def.Frame), nil).Str()
	if err := errors.Join(errs...); err != nil {
		return s, fmt.Errorf("%w: device %q: %w", ErrSettings, device, err)
	}
	return s, nil
}

// period returns the time between two messages: a multiple of the cycle, at least one.
func (s *Settings) period() time.Duration {
	const cycle = 10 * time.Millisecond
	return ros2.Seconds(max(1, math.Round(1/s.Rate/cycle.Seconds())) * cycle.Seconds()).Round(cycle)
}

// NodeName returns the name of a robot's node: the description's name in lower case.
func NodeName(desc *description.Robot) string {
	words := strings.FieldsFunc(strings.ToLower(Plain(desc.Name)), func(r rune) bool { return r == '_' })
	name := strings.Join(words, "_")
	switch {
	case name == "":
		return "robot"
	case name[0] >= '0' && name[0] <= '9': // Plain had put a _ before it
		name = "_" + name
	}
	return name[:min(len(name), maxNodeName)]
}

// maxNodeName is the maximum length of a node's name, bytes.
const maxNodeName = 200
