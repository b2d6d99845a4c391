// SPDX-License-Identifier: Apache-2.0

// Package table has the tables of the driver's interface: its parameters, topics and services. Each row has the user's
// documentation and the code: a parameter's row reads its value into the [Settings], a published topic's row builds its
// messages from a [Reading], a subscribed topic's row passes its messages to [Commands], a service's row calls an
// action. The node's descriptors, the documentation and the help are generated from the same rows.
//
// The table of faults is in package health.
package table

import "errors"

var (
	// ErrParameter is matched when a parameter has a value the driver can't use.
	ErrParameter = errors.New("driver: invalid parameter")
	// errRow is wrapped when the row of a topic has no code: those of the diagnostics and of the pictures.
	errRow = errors.New("driver: no code for the topic")
)
