// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestIncompatiblePolicies(t *testing.T) {
	var base ros2.QoS
	for _, c := range []struct {
		name               string
		offered, requested ros2.QoS
		want               string
	}{
		{"equal", base, base, ""},
		{"more reliable than asked", base, ros2.SensorDataQoS(), ""},
		{"less reliable", ros2.SensorDataQoS(), base, "reliability"},
		{"more durable", ros2.LatchedQoS(), base, ""},
		{"less durable", base, ros2.LatchedQoS(), "durability"},
		{"both", ros2.SensorDataQoS(), ros2.LatchedQoS(), "reliability, durability"},
		{"no deadline offered", base, ros2.QoS{Deadline: time.Second}, "deadline"},
		{"no deadline asked", ros2.QoS{Deadline: time.Second}, base, ""},
		{"longer deadline", ros2.QoS{Deadline: 2}, ros2.QoS{Deadline: 1}, "deadline"},
		{"same deadline", ros2.QoS{Deadline: 1}, ros2.QoS{Deadline: 1}, ""},
		{"lease", ros2.QoS{LivelinessLease: 2}, ros2.QoS{LivelinessLease: 1}, "liveliness"},
		{"liveliness", base, ros2.QoS{Liveliness: ros2.LivelinessManualByTopic}, "liveliness"},
		{"depth and lifespan play no part", ros2.QoS{Depth: 1, Lifespan: 1}, ros2.QoS{History: ros2.KeepAll}, ""},
	} {
		if got := ros2.IncompatiblePolicies(c.offered, c.requested).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func genQoS() *rapid.Generator[ros2.QoS] {
	return rapid.Custom(func(t *rapid.T) ros2.QoS {
		d := rapid.SampledFrom([]time.Duration{0, 1, 2, time.Hour})
		return ros2.QoS{
			Reliability: ros2.Reliability(rapid.IntRange(0, 1).Draw(t, "reliability")),
			Durability:  ros2.Durability(rapid.IntRange(0, 1).Draw(t, "durability")),
			Liveliness:  ros2.Liveliness(rapid.IntRange(0, 1).Draw(t, "liveliness")),
			Deadline:    d.Draw(t, "deadline"), LivelinessLease: d.Draw(t, "lease"),
			Depth: rapid.IntRange(0, 3).Draw(t, "depth"),
		}
	})
}

// Matching is reflexive and transitive.
func TestCompatibilityProperty(t *testing.T) {
	suits := func(a, b ros2.QoS) bool { return ros2.IncompatiblePolicies(a, b) == 0 }
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := genQoS().Draw(t, "a"), genQoS().Draw(t, "b"), genQoS().Draw(t, "c")
		if !suits(a, a) {
			t.Fatal("not reflexive")
		}
		if suits(a, b) && suits(b, c) && !suits(a, c) {
			t.Fatal("not transitive")
		}
	})
}

func TestQoSProfiles(t *testing.T) {
	for name, want := range map[string]string{
		"default":          "reliable, volatile, keep last 10",
		"system_default":   "reliable, volatile, keep last 10",
		"sensor_data":      "best effort, volatile, keep last 5",
		"services_default": "reliable, volatile, keep last 10",
		"parameters":       "reliable, volatile, keep last 1000",
		"parameter_events": "reliable, volatile, keep last 1000",
		"rosout":           "reliable, transient local, keep last 1000, lifespan 10s",
		"clock":            "best effort, volatile, keep last 1",
		"best_available": "reliability best available, durability best available, keep last 10, deadline best available, " +
			"liveliness lease best available, liveliness best available",
		"action_status_default": "reliable, transient local, keep last 1",
	} {
		q, found := ros2.QoSProfile(name)
		if !found || q.String() != want || q.Validate() != nil {
			t.Errorf("%s: %q, want %q", name, q, want)
		}
	}
	if _, found := ros2.QoSProfile("other"); found {
		t.Error("found a profile that ROS does not know")
	}
	for want, q := range map[string]ros2.QoS{
		"reliable, volatile, keep last 100":        ros2.TFQoS(),
		"reliable, transient local, keep last 1":   ros2.TFStaticQoS(),
		"reliable, transient local, keep last 100": ros2.TFStaticListenerQoS(),
		"reliable, volatile, keep all, deadline 1s, liveliness lease 2s, liveliness manual by topic": {
			History: ros2.KeepAll, Deadline: time.Second, LivelinessLease: 2 * time.Second, Liveliness: ros2.LivelinessManualByTopic,
		},
		"best effort, transient local, keep last 3": ros2.QoS{}.WithReliability(ros2.BestEffort).WithDurability(ros2.TransientLocal).WithDepth(3),
	} {
		if got := q.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestQoSValidate(t *testing.T) {
	for _, q := range []ros2.QoS{
		{Reliability: 3}, {Durability: 3}, {History: 2}, {Liveliness: 3}, {Depth: -1},
		{Deadline: -1}, {Lifespan: -1}, {LivelinessLease: -1},
	} {
		if err := q.Validate(); !errors.Is(err, ros2.ErrQoS) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
