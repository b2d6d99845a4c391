// SPDX-License-Identifier: Apache-2.0

package description

import "errors"

var (
	// ErrTree is matched by the error of links and joints that are no tree: a name twice, a joint to a link that is not
	// there, a cycle, a link with two parents, more than one root.
	ErrTree = errors.New("links and joints are no tree")
	// ErrValue is matched by the error of a value that can't be: not finite, negative, an axis of length 0.
	ErrValue = errors.New("impossible value")
	// errUnknown is matched by the error of a name that the robot does not have.
	errUnknown = errors.New("no such name in the description")
)
