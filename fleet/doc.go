// SPDX-License-Identifier: Apache-2.0

// Package fleet puts the robots of a simulated world on a ROS 2 network, each as a node in a namespace of its own, all
// on one participant.
//
// Robots of both levels are driven by the real driver: at the firmware level through their virtual buses, at the
// functional level with formulas as its hardware (package driver/hardware). Both have two more topics, for messages
// between robots by infrared, see topicHeard and topicSay.
//
// Time passes on a discrete-event clock, see package simclock: no control cycle, timer or message is skipped at any
// real-time factor.
package fleet

import "errors"

// errName is matched when the network already has a robot of a name, or has none of it.
var errName = errors.New("fleet: name")
