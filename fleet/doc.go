// SPDX-License-Identifier: Apache-2.0

// Package fleet puts the robots of a simulated world on a ROS 2 network, each as a node in a namespace of its own, all
// on one participant.
//
// A robot of the firmware level is driven by the real driver, through its virtual buses. A robot of the functional
// level has a node with the same topics, types, frames and parameters and nothing behind it but the world; what it
// lacks is returned by [Missing]. Both have two topics more, for messages between robots by infrared, see topicHeard
// and topicSay.
//
// Time passes on a discrete-event clock, see package simclock: no control cycle, timer or message is skipped at any
// real-time factor.
package fleet

import "errors"

// errName is matched when the network already has a robot of a name, or has none of it.
var errName = errors.New("fleet: name")
