// SPDX-License-Identifier: Apache-2.0

package health

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Status is a snapshot of the driver, for a status line or diagnostics.
type Status struct {
	// X and Y are the position in metres and Theta the heading in radians in the odometry frame.
	X, Y, Theta float64
	// V is the measured forward speed in m/s, Omega the turn rate in rad/s.
	V, Omega float64
	// Distance is the length of the path driven, in metres.
	Distance float64
	// Nearest is the least distance that any infrared sensor measures, in metres: 0 when one is saturated, +Inf if none
	// detects an object.
	Nearest float64
	// NoFloor reports that the ground sensors' last measurement had no reflection and no light at all.
	NoFloor bool
	// Readings reports whether there was any reading; the fields above are zero until then.
	Readings bool
	// Lost reports that the robot does not answer.
	Lost bool
	// WheelsListen reports whether the wheels are known to accept a new speed at once. They do not for up to 0.66 s
	// after the robot's first command, see [mcu.Dev.WheelsListen].
	WheelsListen bool
	// Diagnosis is that of the last exchange or, while the robot is lost, that of the loss, with advice for the user.
	Diagnosis mcu.Diagnosis
	// Bus counts exchanges, retries and errors.
	Bus mcu.Stats
	// Exchange is the duration of the last exchange, Cycle that of the last control cycle, Longest the longest of
	// these.
	Exchange, Cycle, Longest time.Duration
	// Period is the time from one control cycle to the next, Overruns counts those skipped because one took too long.
	Period   time.Duration
	Overruns uint64
	// NoTimeout reports that cmd_vel_timeout is 0: the wheels keep the last command when commands end.
	NoTimeout bool
	// Thread is the configuration that the parameters request for the control loop's thread, empty for none; ThreadErr
	// is what the system refused of it.
	Thread    string
	ThreadErr error
	// SameName is the number of other nodes on the network with the name of the driver's node.
	SameName int
	// Unpublished counts messages that the transport rejected.
	Unpublished uint64
	// Topics holds every topic that is currently published, in the order of the table of topics, followed by those of
	// optional parts.
	Topics []TopicStatus
	// Parts holds the optional parts: those on the robot's bus, then those of the board.
	Parts []PartStatus
}

// PartStatus is a snapshot of one optional part.
type PartStatus = parts.Status

// TopicStatus is the state of one published topic.
type TopicStatus struct {
	// Name is the topic's name as in the table of topics.
	Name string
	// Subscribers is the number of matched subscriptions.
	Subscribers int
	// Messages is the number of messages built and passed to the transport.
	Messages uint64
}

// Subscribed returns the number of topics with a subscriber.
func (s Status) Subscribed() int {
	n := 0
	for _, t := range s.Topics {
		if t.Subscribers > 0 {
			n++
		}
	}
	return n
}

// Part returns the status of a part, the zero value if the robot has no such part.
func (s Status) Part(name parts.Name) PartStatus {
	for _, p := range s.Parts {
		if p.Name == string(name) {
			return p
		}
	}
	return PartStatus{}
}
