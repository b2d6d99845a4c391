// SPDX-License-Identifier: Apache-2.0

package health

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Status is a snapshot of what the driver does, for a status line or diagnostics.
type Status struct {
	// X and Y are the position in metres and Theta the heading in radians in the odometry frame.
	X, Y, Theta float64
	// V is the measured forward speed in m/s, Omega the turn rate in rad/s.
	V, Omega float64
	// Distance is the length of the path driven, in metres.
	Distance float64
	// Nearest is the least distance any infrared sensor sees, in metres: 0 when one is saturated, +Inf if none sees
	// anything.
	Nearest float64
	// NoFloor tells that the ground sensors measured nothing at all last, no floor and no light.
	NoFloor bool
	// Readings tells whether there was any reading; what comes before in this struct is zero until then.
	Readings bool
	// Lost tells that the robot does not answer.
	Lost bool
	// WheelsListen tells that the wheels are known to take a new speed at once. They do not for up to 0.66 s after the
	// robot's first command, see [mcu.Dev.WheelsListen].
	WheelsListen bool
	// Diagnosis is what the last exchange says about the robot or, while it is lost, what was found out when it got
	// lost; with advice for the user.
	Diagnosis mcu.Diagnosis
	// Bus counts exchanges, retries and errors.
	Bus mcu.Stats
	// Exchange is what the last exchange took, Cycle the last control cycle with it, Longest the longest of these.
	Exchange, Cycle, Longest time.Duration
	// Period is the time from one control cycle to the next, Overruns counts those left out because one took too long.
	Period   time.Duration
	Overruns uint64
	// NoTimeout reports that cmd_vel_timeout is 0: the wheels keep the last command when commands end.
	NoTimeout bool
	// SameName is the number of other nodes on the network with the name of the driver's node.
	SameName int
	// Unpublished counts messages that the transport did not take.
	Unpublished uint64
	// Topics holds every topic that is published now, in the order of the table of topics; those of optional parts
	// follow.
	Topics []TopicStatus
	// Parts holds the optional parts that are looked for: those on the robot's bus, then those of the board.
	Parts []PartStatus
}

// PartStatus is a snapshot of what one optional part does.
type PartStatus = parts.Status

// TopicStatus is the state of one published topic.
type TopicStatus struct {
	// Name is the topic's name as in the table of topics.
	Name string
	// Subscribers is the number of matched subscriptions.
	Subscribers int
	// Messages is the number of messages built and handed to the transport.
	Messages uint64
}

// Subscribed gives the number of topics with a subscriber.
func (s Status) Subscribed() int {
	n := 0
	for _, t := range s.Topics {
		if t.Subscribers > 0 {
			n++
		}
	}
	return n
}

// Part gives the status of a part, the zero value if the robot has no such part.
func (s Status) Part(name parts.Name) PartStatus {
	for _, p := range s.Parts {
		if p.Name == string(name) {
			return p
		}
	}
	return PartStatus{}
}
