// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// toDDS returns the DDS policies of a ROS quality of service, on top of the
// defaults of writers or readers.
func toDDS(q ros2.QoS, base wire.QoS) wire.QoS {
	base.Reliability = wire.Reliable
	if q.Reliability == ros2.BestEffort {
		base.Reliability = wire.BestEffort
	}
	base.Durability = wire.Volatile
	if q.Durability == ros2.TransientLocal {
		base.Durability = wire.TransientLocal
	}
	base.History = wire.KeepLast
	if q.History == ros2.KeepAll {
		base.History = wire.KeepAll
	}
	base.Depth = int32(min(q.EffectiveDepth(), math.MaxInt32))
	base.Deadline = toPeriod(q.Deadline)
	base.Lifespan = toPeriod(q.Lifespan)
	base.Liveliness = wire.LivelinessAutomatic
	if q.Liveliness == ros2.LivelinessManualByTopic {
		base.Liveliness = wire.LivelinessManualByTopic
	}
	base.LivelinessLease = toPeriod(q.LivelinessLease)
	return base
}

// readerQoS returns the DDS policies that a subscription requests. A lifespan applies to publishers only and is not
// announced.
func readerQoS(q ros2.QoS) wire.QoS {
	q.Lifespan = 0
	return toDDS(q, wire.DefaultReaderQoS())
}

// fromDDS converts an endpoint's DDS policies to ROS.
func fromDDS(d *wire.QoS) ros2.QoS {
	q := ros2.QoS{
		Depth:           int(d.Depth),
		Deadline:        fromPeriod(d.Deadline),
		Lifespan:        fromPeriod(d.Lifespan),
		LivelinessLease: fromPeriod(d.LivelinessLease),
	}
	if d.Reliability == wire.BestEffort {
		q.Reliability = ros2.BestEffort
	}
	if d.Durability >= wire.TransientLocal {
		q.Durability = ros2.TransientLocal
	}
	if d.History == wire.KeepAll {
		q.History = ros2.KeepAll
	}
	if d.Liveliness == wire.LivelinessManualByTopic {
		q.Liveliness = ros2.LivelinessManualByTopic
	}
	return q
}

// toPeriod maps ROS's "no limit", 0, to DDS's infinity.
func toPeriod(d time.Duration) wire.Duration {
	if d == 0 {
		return wire.DurationInfinite
	}
	return wire.DurationOf(d)
}

// fromPeriod is the inverse of toPeriod. A period of zero in DDS becomes the shortest of ROS.
func fromPeriod(d wire.Duration) time.Duration {
	switch {
	case d >= wire.DurationInfinite:
		return 0
	case d <= 0:
		return 1
	}
	return max(d.Duration(), 1)
}

// policies converts incompatible DDS policies to ROS.
func policies(ids []wire.PolicyID) ros2.QoSPolicy {
	var p ros2.QoSPolicy
	for _, id := range ids {
		switch id {
		case wire.PolicyReliability:
			p |= ros2.PolicyReliability
		case wire.PolicyDurability:
			p |= ros2.PolicyDurability
		case wire.PolicyDeadline:
			p |= ros2.PolicyDeadline
		case wire.PolicyLiveliness:
			p |= ros2.PolicyLiveliness
		default:
			p |= ros2.PolicyOther
		}
	}
	return p
}
