// SPDX-License-Identifier: Apache-2.0

// Package fleet puts the robots of a simulated world on a ROS 2 network, each as a node in its own namespace, all on
// one participant.
//
// A robot of the firmware level is driven by the real driver, through its virtual buses. A robot of the functional
// level has a node with the same topics, types, frames and parameters, which reads and controls the simulated robot
// directly; [Missing] returns what it does not support. Both have two additional topics, for messages between robots
// by infrared, see topicHeard and topicSay.
//
// Time passes on a discrete-event clock, see package simclock: no control cycle, timer or message is skipped at any
// real-time factor.
package fleet

import "errors"

// errName is matched when a robot's name is already on the network, or unknown.
var errName = errors.New("fleet: name")
