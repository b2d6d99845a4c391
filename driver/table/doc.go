// SPDX-License-Identifier: Apache-2.0

// Package table holds the tables of the driver's interface: its parameters, topics and services. A row says what users
// are told of it and holds what makes it: a parameter's row reads its value into the [Settings], a published topic's
// row makes its messages from a [Reading], a subscribed topic's row hands its messages to [Commands], a service's row
// asks for one of the [Actions]. From the same rows come the node's descriptors, the documentation and the help.
//
// What can be wrong with a robot has its table in package health.
package table

import "errors"

var (
	// ErrParameter is matched when a parameter has a value the driver can't work with.
	ErrParameter = errors.New("driver: bad parameter")
	// ErrRow is matched when the row of a topic has nothing that makes it: those of the report and of the pictures.
	ErrRow = errors.New("driver: the row makes no topic")
)
