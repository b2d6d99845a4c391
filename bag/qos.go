// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ErrMetadata is matched when a metadata.yaml, or a profile in it, cannot be read.
var ErrMetadata = errors.New("invalid bag metadata")

// period is a duration as rosbag2 writes it.
type period struct {
	Sec  int64 `yaml:"sec"`
	Nsec int64 `yaml:"nsec"`
}

// infinite is RMW_DURATION_INFINITE, 2^63-1 ns.
var infinite = period{math.MaxInt64 / 1_000_000_000, math.MaxInt64 % 1_000_000_000}

// infiniteDDS is what Foxy's recorder wrote instead: the value of DDS (OMG DDS, 2.3.2, DURATION_INFINITE).
var infiniteDDS = period{math.MaxInt32, math.MaxUint32}

func periodOf(d time.Duration) period {
	if d <= 0 {
		return infinite
	}
	return period{int64(d / time.Second), int64(d % time.Second)}
}

func (p period) duration() time.Duration {
	past := p.Sec > infinite.Sec || p.Sec == infinite.Sec && p.Nsec >= infinite.Nsec
	if past || p == infiniteDDS || p.Sec < 0 || p.Nsec < 0 || p.Nsec > int64(time.Second) || p.Sec == 0 && p.Nsec == 0 {
		return 0
	}
	return time.Duration(p.Sec)*time.Second + time.Duration(p.Nsec)
}

// policy is the number of a policy's value (rmw/types.h); it is also read from the name, which version 9 writes.
type policy int

const (
	systemDefault policy = 0
	keepLast      policy = 1
	keepAll       policy = 2
	unknown       policy = 3
	reliable      policy = 1
	bestEffort    policy = 2
	transient     policy = 1
	volatile      policy = 2
	automatic     policy = 1
	manualTopic   policy = 3
)

var policyNames = map[string]policy{
	"system_default": systemDefault, "keep_last": keepLast, "keep_all": keepAll, "unknown": unknown, "reliable": reliable,
	"best_effort": bestEffort, "transient_local": transient, "volatile": volatile, "automatic": automatic, "manual_by_topic": manualTopic,
	"best_available": systemDefault, "manual_by_node": automatic,
}

// UnmarshalYAML reads a number or a name.
func (p *policy) UnmarshalYAML(n *yaml.Node) error {
	var number int
	if n.Decode(&number) == nil {
		*p = policy(number)
		return nil
	}
	v, ok := policyNames[strings.ToLower(n.Value)]
	if !ok {
		return fmt.Errorf("%w: line %d: unknown policy %q", ErrMetadata, n.Line, n.Value)
	}
	*p = v
	return nil
}

// profile is a quality of service in rosbag2's files.
type profile struct {
	History         policy  `yaml:"history"`
	Depth           int     `yaml:"depth"`
	Reliability     policy  `yaml:"reliability"`
	Durability      policy  `yaml:"durability"`
	Deadline        *period `yaml:"deadline"`
	Lifespan        *period `yaml:"lifespan"`
	Liveliness      policy  `yaml:"liveliness"`
	LivelinessLease *period `yaml:"liveliness_lease_duration"`
	AvoidNames      bool    `yaml:"avoid_ros_namespace_conventions"`
}

// EncodeQoS returns the profiles of a topic's publishers in the form of rosbag2's metadata. The history, which
// discovery does not announce, is written as unknown.
func EncodeQoS(list []ros2.QoS) (string, error) {
	profiles := make([]profile, 0, len(list))
	for _, q := range list {
		deadline, lifespan, lease := periodOf(q.Deadline), periodOf(q.Lifespan), periodOf(q.LivelinessLease)
		p := profile{
			History: unknown, Reliability: reliable, Durability: volatile, Liveliness: automatic,
			Deadline: &deadline, Lifespan: &lifespan, LivelinessLease: &lease,
		}
		if q.Reliability == ros2.BestEffort {
			p.Reliability = bestEffort
		}
		if q.Durability == ros2.TransientLocal {
			p.Durability = transient
		}
		if q.Liveliness == ros2.LivelinessManualByTopic {
			p.Liveliness = manualTopic
		}
		profiles = append(profiles, p)
	}
	out, err := yaml.Marshal(profiles)
	return strings.TrimSuffix(string(out), "\n"), err
}

// DecodeQoS reads the output of [EncodeQoS] and of all rosbag2 versions. An empty text is no profile.
func DecodeQoS(text string) ([]ros2.QoS, error) {
	var profiles []profile
	if err := yaml.Unmarshal([]byte(text), &profiles); err != nil {
		return nil, fmt.Errorf("%w: quality of service: %w", ErrMetadata, err)
	}
	return qosOf(profiles), nil
}

func qosOf(profiles []profile) []ros2.QoS {
	out := make([]ros2.QoS, 0, len(profiles))
	for _, p := range profiles {
		out = append(out, p.qos())
	}
	return out
}

// qos converts the policies; values such as system_default become ROS 2's defaults.
func (p profile) qos() ros2.QoS {
	q := ros2.QoS{Deadline: p.Deadline.get(), Lifespan: p.Lifespan.get(), LivelinessLease: p.LivelinessLease.get()}
	if p.Reliability == bestEffort {
		q.Reliability = ros2.BestEffort
	}
	if p.Durability == transient {
		q.Durability = ros2.TransientLocal
	}
	if p.Liveliness == manualTopic {
		q.Liveliness = ros2.LivelinessManualByTopic
	}
	switch p.History {
	case keepAll:
		q.History = ros2.KeepAll
	case keepLast:
		q.Depth = max(0, p.Depth)
	}
	return q
}

func (p *period) get() time.Duration {
	if p == nil {
		return 0
	}
	return p.duration()
}

// policyValues are the values of each policy, by their numbers (rmw/types.h).
var policyValues = map[string][]string{
	"history":     {"system_default", "keep_last", "keep_all", "unknown"},
	"reliability": {"system_default", "reliable", "best_effort", "unknown", "best_available"},
	"durability":  {"system_default", "transient_local", "volatile", "unknown", "best_available"},
	"liveliness":  {"system_default", "automatic", "manual_by_node", "manual_by_topic", "unknown", "best_available"},
}

// ReadOverrides reads a file of rosbag2's --qos-profile-overrides-path: topics with a map of policies by name or
// number. A file without a topic, policies that do not exist, and values that a policy does not have or that are out of
// range, are errors that match [ErrMetadata].
func ReadOverrides(text []byte) (map[string]ros2.QoS, error) {
	var file map[string]map[string]yaml.Node
	err := yaml.Unmarshal(text, &file)
	if err == nil && len(file) == 0 {
		err = errors.New("no topic is in it")
	}
	for _, topic := range slices.Sorted(maps.Keys(file)) {
		for _, field := range slices.Sorted(maps.Keys(file[topic])) {
			node := file[topic][field]
			if err == nil {
				if err = checkPolicy(field, &node); err != nil {
					err = fmt.Errorf("line %d: topic %s: %s: %w", node.Line, topic, field, err)
				}
			}
		}
	}
	var profiles map[string]profile
	if err == nil {
		err = yaml.Unmarshal(text, &profiles)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: overrides of quality of service: %w", ErrMetadata, err)
	}
	out := make(map[string]ros2.QoS, len(profiles))
	for topic, p := range profiles {
		out[topic] = p.qos()
	}
	return out, nil
}

// checkPolicy returns an error if a policy does not exist, or does not have the value.
func checkPolicy(field string, n *yaml.Node) error {
	if policyValues[field] != nil && n.ShortTag() == "!!null" {
		return nil
	}
	switch field {
	case "depth":
		var depth int64
		if err := n.Decode(&depth); err != nil || n.ShortTag() != "!!int" || depth < 0 || depth > math.MaxInt32 {
			return fmt.Errorf("%q is not an integer from 0 to %d", n.Value, math.MaxInt32)
		}
		return nil
	case "deadline", "lifespan", "liveliness_lease_duration":
		return checkPeriod(n)
	case "avoid_ros_namespace_conventions":
		var avoid bool
		return n.Decode(&avoid)
	}
	values, exists := policyValues[field]
	if !exists {
		return fmt.Errorf("no such policy; there are history, depth, reliability, durability, deadline, lifespan, liveliness, " +
			"liveliness_lease_duration and avoid_ros_namespace_conventions")
	}
	var number int64
	if n.ShortTag() == "!!int" && n.Decode(&number) == nil && number >= 0 && number < int64(len(values)) || slices.Contains(values, strings.ToLower(n.Value)) {
		return nil
	}
	return fmt.Errorf("%q is none of %s or their numbers 0 to %d", n.Value, strings.Join(values, ", "), len(values)-1)
}

// checkPeriod returns an error if a duration is negative or has a second or more in its part below a second.
func checkPeriod(n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	var known struct {
		Sec  *int64 `yaml:"sec"`
		Nsec *int64 `yaml:"nsec"`
	}
	if err := n.Decode(&known); err != nil {
		return err
	}
	if n.Kind != yaml.MappingNode || known.Sec == nil && known.Nsec == nil {
		return errors.New("no duration: it has the fields sec and nsec")
	}
	var p period
	if err := n.Decode(&p); err != nil {
		return err
	}
	if p.Sec < 0 || p.Nsec < 0 || p.Nsec >= int64(time.Second) && p != infiniteDDS {
		return fmt.Errorf("sec %d, nsec %d: sec is at least 0, and nsec from 0 to 999999999", p.Sec, p.Nsec)
	}
	return nil
}
