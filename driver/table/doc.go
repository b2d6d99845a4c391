// SPDX-License-Identifier: Apache-2.0

// Package table has the tables of the driver's interface: its parameters, topics and services. Each row has the
// user's documentation and the code: a parameter's row reads its value into the [Settings], a published topic's row
// builds its messages from a [Reading], a subscribed topic's row passes its messages to [Commands], a service's row
// calls one of the actions. The node's descriptors, the documentation and the help are made from the same rows.
//
// The table of faults is in package health.
package table

import "errors"

var (
	// ErrParameter is matched when a parameter has a value the driver can't use.
	ErrParameter = errors.New("driver: bad parameter")
	// errRow is matched when the row of a topic has no code: those of the diagnostics and of the pictures.
	errRow = errors.New("driver: the row makes no topic")
)
