// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"math"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// longest is the shortest period from rcl that means "no limit": middlewares have different infinities, none below
// 2³¹−1 s.
const longest = math.MaxInt32 * time.Second

// toRCL returns the profile of q. Periods of 0 mean "no limit" on both sides.
func toRCL(q ros2.QoS) rclgo.QosProfile {
	p := rclgo.QosProfile{
		History: rclgo.HistoryKeepLast, Depth: q.EffectiveDepth(),
		Reliability: rclgo.ReliabilityReliable, Durability: rclgo.DurabilityVolatile,
		Deadline: q.Deadline, Lifespan: q.Lifespan,
		Liveliness: rclgo.LivelinessAutomatic, LivelinessLeaseDuration: q.LivelinessLease,
	}
	if q.History == ros2.KeepAll {
		p.History = rclgo.HistoryKeepAll
	}
	if q.Reliability == ros2.BestEffort {
		p.Reliability = rclgo.ReliabilityBestEffort
	}
	if q.Durability == ros2.TransientLocal {
		p.Durability = rclgo.DurabilityTransientLocal
	}
	if q.Liveliness == ros2.LivelinessManualByTopic {
		p.Liveliness = rclgo.LivelinessManualByTopic
	}
	return p
}

// fromRCL is the inverse, for profiles from the graph: history and depth are not announced and may be unknown.
func fromRCL(p rclgo.QosProfile) ros2.QoS {
	q := ros2.QoS{
		Deadline: fromPeriod(p.Deadline), Lifespan: fromPeriod(p.Lifespan),
		LivelinessLease: fromPeriod(p.LivelinessLeaseDuration),
	}
	if p.History == rclgo.HistoryKeepAll {
		q.History = ros2.KeepAll
	} else if p.History == rclgo.HistoryKeepLast {
		q.Depth = p.Depth
	}
	if p.Reliability == rclgo.ReliabilityBestEffort {
		q.Reliability = ros2.BestEffort
	}
	if p.Durability == rclgo.DurabilityTransientLocal {
		q.Durability = ros2.TransientLocal
	}
	if p.Liveliness == rclgo.LivelinessManualByTopic {
		q.Liveliness = ros2.LivelinessManualByTopic
	}
	return q
}

func fromPeriod(d time.Duration) time.Duration {
	if d < 0 || d >= longest {
		return 0
	}
	return d
}
