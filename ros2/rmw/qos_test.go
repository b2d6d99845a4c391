// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

func TestQoSMapping(t *testing.T) {
	w := toDDS(ros2.RosoutQoS(), wire.DefaultWriterQoS())
	if w.Reliability != wire.Reliable || w.Durability != wire.TransientLocal || w.History != wire.KeepLast || w.Depth != 1000 ||
		w.Lifespan != wire.DurationOf(10*time.Second) || w.Deadline < wire.DurationInfinite || w.MaxBlocking == 0 {
		t.Errorf("rosout: %+v", w)
	}
	r := readerQoS(ros2.SensorDataQoS())
	if r.Reliability != wire.BestEffort || r.Durability != wire.Volatile || r.Depth != 5 || r.Lifespan < wire.DurationInfinite {
		t.Errorf("sensor data: %+v", r)
	}
	if r := readerQoS(ros2.RosoutQoS()); r.Lifespan < wire.DurationInfinite {
		t.Errorf("a subscription announces a lifespan: %v", r.Lifespan)
	}
	if d := toDDS(ros2.QoS{}, wire.DefaultReaderQoS()); d.Depth != 10 || d.Reliability != wire.Reliable {
		t.Errorf("zero value: %+v", d)
	}
	all := toDDS(ros2.QoS{History: ros2.KeepAll, Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: time.Second}, wire.DefaultWriterQoS())
	if all.History != wire.KeepAll || all.Liveliness != wire.LivelinessManualByTopic || all.LivelinessLease != wire.DurationOf(time.Second) {
		t.Errorf("keep all: %+v", all)
	}
	// Policies that ROS does not define.
	odd := wire.DefaultWriterQoS()
	odd.Durability, odd.Liveliness, odd.Deadline = 2, wire.LivelinessManualByParticipant, 0
	if q := fromDDS(&odd); q.Durability != ros2.TransientLocal || q.Liveliness != ros2.LivelinessAutomatic || q.Deadline != 1 {
		t.Errorf("persistent durability, manual by participant, deadline 0: %+v", q)
	}
}

func TestPolicies(t *testing.T) {
	got := policies([]wire.PolicyID{wire.PolicyReliability, wire.PolicyDurability, wire.PolicyDeadline, wire.PolicyLiveliness})
	if got != ros2.PolicyReliability|ros2.PolicyDurability|ros2.PolicyDeadline|ros2.PolicyLiveliness {
		t.Errorf("%v", got)
	}
	if got := policies([]wire.PolicyID{wire.PolicyOwnership, wire.PolicyDataRepresentation}); got != ros2.PolicyOther {
		t.Errorf("%v", got)
	}
	if got := policies(nil); got != 0 {
		t.Errorf("%v", got)
	}
}

// Converting ROS's QoS to DDS and back is lossless, and matching is the same.
func TestQoSProperty(t *testing.T) {
	period := rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second, time.Hour})
	gen := rapid.Custom(func(t *rapid.T) ros2.QoS {
		return ros2.QoS{
			Reliability: ros2.Reliability(rapid.IntRange(0, 1).Draw(t, "reliability")),
			Durability:  ros2.Durability(rapid.IntRange(0, 1).Draw(t, "durability")),
			History:     ros2.History(rapid.IntRange(0, 1).Draw(t, "history")),
			Liveliness:  ros2.Liveliness(rapid.IntRange(0, 1).Draw(t, "liveliness")),
			Depth:       rapid.IntRange(1, 1000).Draw(t, "depth"),
			Deadline:    period.Draw(t, "deadline"), LivelinessLease: period.Draw(t, "lease"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		offered, requested := gen.Draw(t, "offered"), gen.Draw(t, "requested")
		w, r := toDDS(offered, wire.DefaultWriterQoS()), readerQoS(requested)
		near := func(a, b ros2.QoS) bool {
			da, dl := a.Deadline-b.Deadline, a.LivelinessLease-b.LivelinessLease
			a.Deadline, a.LivelinessLease = b.Deadline, b.LivelinessLease
			return a == b && da.Abs() <= time.Microsecond && dl.Abs() <= time.Microsecond // DDS counts in 2^-32 s
		}
		if got := fromDDS(&w); !near(got, offered) {
			t.Fatalf("offered %+v reads as %+v", offered, got)
		}
		_, ids := wire.Compatible(&w, &r)
		if got, want := policies(ids), ros2.IncompatiblePolicies(offered, requested); got != want {
			t.Fatalf("DDS finds %v, ROS %v\noffered %v\nrequested %v", got, want, offered, requested)
		}
	})
}
