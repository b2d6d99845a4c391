// SPDX-License-Identifier: Apache-2.0

// Package webots is a server for controllers that are linked with Webots' libController: programs in C, C++, Python,
// Java or MATLAB that were written for Webots drive simulated robots, unchanged. Where Webots is started with
// robots whose controller is <extern>, this server runs instead; the controllers find it by WEBOTS_CONTROLLER_URL,
// ipc://1234/NAME on this machine or tcp://HOST:1234/NAME.
//
//	server, err := webots.New(webots.Config{Simulation: s})
//	err = server.Run(ctx, func(age time.Duration) error { … let the world reach that age … })
//
// The controllers control time, as in Webots with synchronization: nothing moves until each of them has called
// wb_robot_step, and each gets its answer when the time that it asked for has passed. A [Server] is a
// timesource.Source. The requests of controllers are obeyed in the order of the world's robots, so that the same
// controllers make the same run, however fast they are.
//
// An e-puck2 has the devices of Webots' E-puck.proto, version 2, with ground sensors, under its names. A robot by its
// description (package machine) has those of its file, under the names of Webots' PROTO where there is one. What
// controllers ask for that a world of this program does not have is answered as far as the protocol has an answer, and
// it is logged, once for each robot.
package webots

import "errors"

// Errors of this package.
var (
	// errConfig: a server that can't be.
	errConfig = errors.New("webots: configuration")
	// errAddress: an address that is not this machine's own needs a list of allowed networks.
	errAddress = errors.New("webots: address")
	// errFolder: where the sockets for controllers of this machine should be is something else.
	errFolder = errors.New("webots: folder")
)

var (
	// errTurn: a controller asks before it was answered.
	errTurn = errors.New("webots: it asked again before its answer")
	// errTimeout: a controller has let the others wait for too long.
	errTimeout = errors.New("webots: it let the others wait for too long")
	// errDevice: a controller speaks to a device that its robot doesn't have.
	errDevice = errors.New("webots: no such device")
	// errSlow: a controller does not read its answers.
	errSlow = errors.New("webots: it does not read its answers")
	// ErrGone is matched by the end of a run whose controllers are all gone, one of them without ending.
	ErrGone = errors.New("webots: the last controller is gone")
	// errRemoved: a robot has left the world.
	errRemoved = errors.New("webots: its robot has left the world")
)
