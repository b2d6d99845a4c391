// SPDX-License-Identifier: Apache-2.0

package table

import "errors"

var (
	// ErrParameter is matched when a parameter has a value the driver can't work with.
	ErrParameter = errors.New("driver: bad parameter")
	// ErrRow is matched when the row of a topic has nothing that makes it: those of the report and of the pictures.
	ErrRow = errors.New("driver: the row makes no topic")
)
